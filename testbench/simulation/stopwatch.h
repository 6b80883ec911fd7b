// SPDX-License-Identifier: Apache-2.0
// Real time, and what the speed of a model is taken of.
#pragma once

#include <chrono>
#include <functional>

namespace allport {

class Stopwatch {
 public:
  /// Since it was made.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Does `work`, the simulation proper without start-up and report; the seconds that it took. It is
/// never inlined: `allport bench` finds it by its name and counts the instructions spent in it.
double timed(const std::function<void()>& work);

}  // namespace allport
