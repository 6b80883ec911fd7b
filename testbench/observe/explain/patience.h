// SPDX-License-Identifier: Apache-2.0
// Patience says how long one part of what follows a trial, such as the accounts of its messages,
// may be worked on: up to an interrupt, or, if one has come before, for a quarter of a second.
#pragma once

#include <chrono>

#include "rtl_model/base/stop_flag.h"

namespace allport {

class Patience {
 public:
  /// Begins now. `stop` is set by an interrupt; null: never.
  explicit Patience(StopFlag stop) : stop_(stop), is_short_(is_set(stop)), outer_(present_) {
    present_ = this;
  }
  ~Patience() { present_ = outer_; }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  bool is_over() const {
    if (!is_short_) return is_set(stop_);
    return std::chrono::steady_clock::now() - begin_ > std::chrono::milliseconds(250);
  }
  /// Throws Stopped when the innermost Patience that lives in this thread is over: what may last is
  /// cut there. It costs a nanosecond or two, so that a loop calls it for each of its steps.
  static void heed() {
    if (present_ != nullptr && present_->is_over()) throw Stopped();
  }

 private:
  static inline thread_local const Patience* present_ = nullptr;
  const StopFlag stop_;
  const bool is_short_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  const Patience* const outer_;
};

}  // namespace allport
