// SPDX-License-Identifier: Apache-2.0
// Long work checks now and then whether it must stop.
#pragma once

#include <atomic>
#include <stdexcept>

namespace allport {

/// Work was given up on request.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("interrupted") {}
};

/// A flag that a signal handler or another thread sets; null: there is none.
using StopFlag = const std::atomic<bool>*;

inline bool is_set(StopFlag flag) {
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

/// Throws Stopped when `flag` is set.
inline void heed(StopFlag flag) {
  if (is_set(flag)) throw Stopped();
}

}  // namespace allport
