// SPDX-License-Identifier: Apache-2.0
// Outputs of a command are written one after another, and what keeps one from being written keeps
// no other: what was wrong is said at the end (docs/guide/errors.md, Standard streams and files).
#pragma once

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/stop_flag.h"
#include "testbench/files/standard_streams.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

class Outputs {
 public:
  /// `more`: what follows each problem in its sentence.
  explicit Outputs(std::string more = "") : more_(std::move(more)) {}

  /// Writes one; a problem, std::runtime_error with one sentence, is kept for the end.
  void attempt(const std::function<void()>& write) {
    try {
      write();
    } catch (const Stopped& stopped) {
      is_stopped_ = true;
      note(stopped.what());
    } catch (const std::runtime_error& error) {
      note(error.what());
    }
  }
  /// Keeps `problem`, once; empty: there is none.
  void note(const std::string& problem) {
    const bool is_new = std::find(problems_.begin(), problems_.end(), problem) == problems_.end();
    if (!problem.empty() && is_new) problems_.push_back(problem);
  }
  bool has_problems() const { return !problems_.empty(); }
  /// `of_work`, the status of what was done, unless there were problems, which it says.
  int status(int of_work) const {
    for (const std::string& problem : problems_) say(problem + more_);
    if (is_stopped_) return exit_incomplete;
    return problems_.empty() ? of_work : exit_wrong_use;
  }

 private:
  const std::string more_;
  std::vector<std::string> problems_;
  bool is_stopped_ = false;
};

}  // namespace allport
