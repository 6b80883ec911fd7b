// SPDX-License-Identifier: Apache-2.0
// An arbiter chooses one of several requesters by round robin (rtl_model/router/round_robin.h);
// after reset requester 0 has priority. The choice is combinational; the pointer is one register.
// The caller decides when a choice counts as won.
#pragma once

#include <cstdint>

#include "rtl_model/router/round_robin.h"

namespace allport {

class RoundRobinArbiter {
 public:
  void reset() { next_q_ = 0; }

  /// The distance of `requester` of `size` after the pointer: the smallest distance is chosen.
  int distance(int requester, int size) const {
    return round_robin_distance(requester, next_q_, size);
  }

  /// The choice from a non-empty set of requesters, one bit each.
  int choose(std::uint64_t requesters) const { return round_robin_choice(requesters, next_q_); }

  /// Notes that `requester` of `size` has won: the next choice starts after it.
  void won(int requester, int size) {
    next_q_ = static_cast<std::uint16_t>(round_robin_next(requester, size));
  }
  /// The requester with priority.
  int pointer() const { return next_q_; }

 private:
  std::uint16_t next_q_ = 0;
};

}  // namespace allport
