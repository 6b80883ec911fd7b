// SPDX-License-Identifier: Apache-2.0
// Long work asks now and then whether it is still wanted.
#pragma once

#include <atomic>
#include <stdexcept>

namespace allport {

/// Work was given up because somebody asked for it.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("interrupted") {}
};

/// Set from a signal handler or another thread; null: nobody will.
using StopFlag = const std::atomic<bool>*;

/// Throws Stopped when `flag` is set.
inline void heed(StopFlag flag) {
  if (flag != nullptr && flag->load(std::memory_order_relaxed)) throw Stopped();
}

}  // namespace allport
