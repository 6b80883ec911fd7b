// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep: a file for each point that is done, `points/01/0123456789abcdef.json`,
// written whole or not at all under the name of its configuration. Grids may share a folder;
// sweeps may not at the same time. The workers of one sweep may write at once, on any machine.
#pragma once

#include <optional>
#include <string>

#include "testbench/sweep/point.h"

namespace allport {

class ResultStore {
 public:
  /// Makes the folder where there is none. Throws std::invalid_argument, one sentence, when that
  /// cannot be.
  explicit ResultStore(std::string folder);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  /// Keeps other sweeps out of the folder while this store lives. Throws std::invalid_argument,
  /// one sentence, when another one is in it.
  void lock();
  /// Removes what killed writers left half written; only while nobody writes.
  void remove_partial_files() const;

  const std::string& folder() const { return folder_; }
  /// For files in the making, on the same file system.
  std::string partial_folder() const { return folder_ + "/partial"; }

  bool has(const std::string& name) const;
  /// None where the point is not done. Throws std::runtime_error, one sentence, for a file that
  /// cannot be read, is damaged or holds another configuration.
  std::optional<PointResult> read(const Point& point) const;
  /// Throws std::runtime_error: what read() gave is not what a run prints.
  [[noreturn]] void reject_result(const Point& point) const;
  /// Throws std::runtime_error, one sentence, when the file cannot be written.
  void write(const Point& point, const PointResult& result) const;
  void remove(const std::string& name) const;

 private:
  std::string path(const std::string& name) const;

  std::string folder_;
  int lock_ = -1;
};

}  // namespace allport
