// SPDX-License-Identifier: Apache-2.0
// Patience says how long a trial that is over may be worked on: up to an interrupt, or, if the run
// was interrupted already, for a second.
#pragma once

#include <chrono>

#include "rtl_model/base/stop_flag.h"

namespace allport {

class Patience {
 public:
  /// Begins now. `stop` is set by an interrupt; null: never.
  explicit Patience(StopFlag stop) : stop_(stop), is_short_(is_set(stop)) {}

  bool is_over() const {
    if (!is_short_) return is_set(stop_);
    return std::chrono::steady_clock::now() - begin_ > std::chrono::seconds(1);
  }

 private:
  const StopFlag stop_;
  const bool is_short_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace allport
