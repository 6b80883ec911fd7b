// SPDX-License-Identifier: Apache-2.0
// A Stopwatch measures real time, and the work by which the speed of a model is measured.
#pragma once

#include <chrono>
#include <functional>

namespace allport {

class Stopwatch {
 public:
  /// The seconds since this stopwatch was made.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Does `work`, the simulation proper without start-up and report, and returns the seconds that it
/// took. It is never inlined: `allport bench` finds it by its name and counts the instructions
/// spent in it.
double timed(const std::function<void()>& work);

}  // namespace allport
