// SPDX-License-Identifier: Apache-2.0
// CycleTimes are the times of a simulator in which the cycles of a clock begin: cycle c begins at c
// times its length.
#pragma once

#include <algorithm>
#include <cstdint>

class CycleTimes {
 public:
  explicit CycleTimes(std::uint64_t length = 1) : length_(length) {}

  /// The cycle that lasts at `time`.
  std::int64_t cycle_at(std::uint64_t time) const {
    return static_cast<std::int64_t>(time / length_);
  }
  /// The first one that begins at `time` or later.
  std::int64_t next_at(std::uint64_t time) const {
    return static_cast<std::int64_t>(time / length_ + (time % length_ != 0));
  }
  /// From `time` to the beginning of a cycle; 0: it has begun.
  std::uint64_t until(std::int64_t cycle, std::uint64_t time) const {
    const std::uint64_t begin = static_cast<std::uint64_t>(cycle) * length_;
    return begin - std::min(begin, time);
  }

 private:
  std::uint64_t length_;
};
