// SPDX-License-Identifier: Apache-2.0
// Rests says for how long one member of a team (rtl_model/base/team.h) goes on alone when the team
// is kept waiting: briefly at first, and twice as long each time while it goes on. It counts cycles
// and keeps no time, so what it says follows from what it was told.
#pragma once

#include <algorithm>
#include <cstdint>

namespace allport {

class Rests {
 public:
  static constexpr std::uint64_t shortest = 64;  // cycles
  static constexpr std::uint64_t longest = 4096;
  /// So many cycles that were done together without a rest make the next one a short one again.
  static constexpr std::uint64_t calm = 1024;

  /// Cycle number `cycle` was done together, and the team `was_kept_waiting` in it or not.
  void note(std::uint64_t cycle, bool was_kept_waiting) {
    waits_ = std::max(waits_ + (was_kept_waiting ? 1 : -4), 0);
    if (++together_ == calm) next_ = shortest;
    if (waits_ < (next_ == shortest ? often : again)) return;
    until_ = cycle + next_;
    next_ = std::min(2 * next_, longest);
    waits_ = 0;
    together_ = 0;
  }
  /// Whether one goes on alone in cycle number `cycle`, which comes after all those noted.
  bool has_rest(std::uint64_t cycle) const { return cycle < until_; }

 private:
  static constexpr int often = 16;  // waits, of some twenty cycles together
  static constexpr int again = 4;   // the same soon after a rest, since each may take long

  int waits_ = 0;
  std::uint64_t together_ = 0;  // cycles since the last rest
  std::uint64_t next_ = shortest;
  std::uint64_t until_ = 0;
};

}  // namespace allport
