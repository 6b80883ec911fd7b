// SPDX-License-Identifier: Apache-2.0
// Long work checks now and then whether it must stop: it is given a flag, or heeds that of the
// Stoppable in which it runs.
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

/// While it lives, heed_stop() in this thread heeds `flag`; work inside a simulation, which must
/// not be left by an exception, runs outside of any.
class Stoppable {
 public:
  explicit Stoppable(StopFlag flag) : outer_(present_) { present_ = flag; }
  ~Stoppable() { present_ = outer_; }
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;

  static StopFlag present() { return present_; }

 private:
  static inline thread_local StopFlag present_ = nullptr;
  const StopFlag outer_;
};

/// Throws Stopped when the flag of the innermost Stoppable is set. It costs a nanosecond: the loops
/// of planning, proofs, theory and readers call it once for each message or line.
inline void heed_stop() { heed(Stoppable::present()); }

}  // namespace allport
