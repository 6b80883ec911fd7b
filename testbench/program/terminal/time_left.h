// SPDX-License-Identifier: Apache-2.0
// A TimeLeft estimates how long the rest of many points will take from those that are done.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace allport {

class TimeLeft {
 public:
  /// `, 0:12:34 left`; empty before the first point is done. It counts down until the next one is
  /// done.
  std::string in_words(std::uint64_t done, std::uint64_t all);

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
  Clock::time_point end_ = start_;
  std::uint64_t done_ = 0;
};

}  // namespace allport
