// SPDX-License-Identifier: Apache-2.0
// Chooses one of several requesters, starting behind the last winner; after reset requester 0 has
// priority. Combinational choice, one register. The caller says when a choice counts as won.
#pragma once

#include <cstdint>

namespace allport {

class RoundRobinArbiter {
 public:
  void reset() { next_q_ = 0; }

  /// How far `requester` of `size` stands behind the pointer: the smallest distance is chosen.
  int distance(int requester, int size) const {
    const int ahead = requester - next_q_;
    return ahead < 0 ? ahead + size : ahead;
  }

  /// The chosen one of a non-empty set of requesters, one bit each.
  int choose(std::uint64_t requesters) const {
    const std::uint64_t behind = requesters >> next_q_ << next_q_;
    return __builtin_ctzll(behind != 0 ? behind : requesters);
  }

  /// `requester` of `size` has won: the next choice starts behind it.
  void won(int requester, int size) {
    next_q_ = static_cast<std::uint16_t>(requester + 1 == size ? 0 : requester + 1);
  }

 private:
  std::uint16_t next_q_ = 0;
};

}  // namespace allport
