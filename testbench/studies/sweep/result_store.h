// SPDX-License-Identifier: Apache-2.0
// A ResultStore is the folder of a sweep: it has a file for each point that is done,
// `points/01/0123456789abcdef.json`, written whole or not at all under the name of its
// configuration. Grids may share a folder, but two sweeps may not use it at the same time. The
// workers of one sweep may write at once, on any machine. The points of a folder are those of one
// build of the program, which the file `build` names.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "testbench/studies/sweep/point.h"

namespace allport {

class ResultStore {
 public:
  /// Makes the folder if it does not exist. Throws std::invalid_argument, one sentence, when that
  /// fails.
  explicit ResultStore(std::string folder);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  /// Keeps other sweeps out of the folder while this store exists. Throws std::invalid_argument,
  /// one sentence, when another sweep is using it.
  void lock();
  /// The same for one of several shards of a sweep, which may be at work together: it keeps out
  /// sweeps that are none. Calls `prepare` before another shard can begin, and says whether no
  /// other one is at work.
  void share(const std::function<void(bool is_alone)>& prepare);
  /// Makes the points of `build` those of the folder: what another one made is set aside, in
  /// `points.BUILD` beside (`points.unknown`, if no file says which), and what this one made before
  /// is there again. Nothing may be writing meanwhile. Returns a sentence about what was set aside;
  /// empty: nothing. Throws std::runtime_error, one sentence, if that fails.
  std::string use_build(const std::string& build) const;
  /// Throws std::invalid_argument, one sentence, unless the points are those of `build`.
  void require_build(const std::string& build) const;
  /// Removes files that killed writers left half written; nothing may be writing meanwhile.
  void remove_partial_files() const;

  const std::string& folder() const { return folder_; }
  /// The folder for files that are being written, on the same file system.
  std::string partial_folder() const { return folder_ + "/partial"; }

  bool has(const std::string& name) const;
  /// The result of the point; none if it is not done. Throws std::runtime_error, one sentence, for
  /// a file that cannot be read, is damaged or holds another configuration.
  std::optional<PointResult> read(const Point& point) const;
  /// Throws std::runtime_error, because what read() returned is not what a run prints.
  [[noreturn]] void reject_result(const Point& point) const;
  /// Throws std::runtime_error, one sentence, when the file cannot be written.
  void write(const Point& point, const PointResult& result) const;
  void remove(const std::string& name) const;

 private:
  int open_lock(const std::string& name) const;
  [[noreturn]] void reject_lock() const;
  std::string path(const std::string& name) const;
  std::string build() const;

  std::string folder_;
  int lock_ = -1;
};

}  // namespace allport
