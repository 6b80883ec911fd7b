// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/stopwatch.h"

namespace allport {

[[gnu::noinline]] double timed(const std::function<void()>& work) {
  const Stopwatch stopwatch;
  work();
  return stopwatch.seconds();
}

}  // namespace allport
