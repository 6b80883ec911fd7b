// SPDX-License-Identifier: Apache-2.0
// A WaveWindow is the part of a run that gets into a wave file: the cycles from .. to, with all
// values in the first of them and afterwards those that change. Signals are declared first and then
// set in any order, any number of times per cycle, also before and after the window; the last value
// of a cycle counts. The file ends with the time after the last cycle, which gives that cycle its
// width.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "testbench/observe/waves/wave_file.h"

namespace allport {

class WaveWindow {
 public:
  static constexpr Cycle no_end = std::numeric_limits<Cycle>::max() - 1;

  /// Writes cycles `from` .. `to` into `file`; 0 <= from <= to.
  WaveWindow(std::unique_ptr<WaveFile> file, Cycle from, Cycle to);
  /// Finishes with the present cycle unless that has been done, and ignores the error.
  ~WaveWindow();
  WaveWindow(const WaveWindow&) = delete;
  WaveWindow& operator=(const WaveWindow&) = delete;

  void open_scope(const std::string& name) { file_->open_scope(name); }
  void close_scope() { file_->close_scope(); }
  /// Declares a variable of `width` bits with the value `initial` at first.
  WaveSignal declare(const std::string& name, int width, WaveValue initial);

  /// Dates the values set from now on to `cycle`, which must not be before the last one.
  void at(Cycle cycle);
  void set(WaveSignal signal, WaveValue value);

  /// Whether the present cycle is in the file.
  bool is_recording() const { return cycle_ >= from_ && cycle_ <= to_; }
  /// Whether nothing more gets into the file.
  bool is_over() const { return cycle_ > to_; }
  Cycle from() const { return from_; }
  Cycle to() const { return to_; }
  /// The last cycle in the file, once it is finished.
  Cycle last() const { return last_; }

  /// Closes the file; cycle `end`, the present one or a later one, was the last of the run. Throws
  /// std::runtime_error when it could not be written.
  void finish(Cycle end);

 private:
  struct Signal {
    WaveValue value;
    WaveValue written;
    bool is_listed = false;  // whether it is among the changed signals
  };

  void write();
  void write_all();

  std::unique_ptr<WaveFile> file_;
  Cycle from_;
  Cycle to_;
  Cycle cycle_ = 0;
  Cycle last_ = 0;
  bool has_begun_ = false;  // whether the first values are in the file
  bool is_finished_ = false;
  std::vector<Signal> signals_;
  std::vector<WaveSignal> changed_;
};

}  // namespace allport
