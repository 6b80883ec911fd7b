// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/terminal/time_left.h"

#include <fmt/format.h>

#include <algorithm>

namespace allport {

std::string TimeLeft::in_words(std::uint64_t done, std::uint64_t all) {
  const Clock::time_point now = Clock::now();
  if (done != done_) {
    const double share = static_cast<double>(all - done) / static_cast<double>(done);
    end_ = now + std::chrono::duration_cast<Clock::duration>((now - start_) * share);
    done_ = done;
  }
  if (done == 0) return "";
  const auto seconds = std::max<std::int64_t>(
      0, std::chrono::duration_cast<std::chrono::seconds>(end_ - now).count());
  return fmt::format(", {}:{:02}:{:02} left", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace allport
