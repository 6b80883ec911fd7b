// SPDX-License-Identifier: Apache-2.0
// Round robin is the rule of every arbiter of the machine: of several requesters, numbered from 0,
// the one at the pointer or the next one after it is chosen, and the pointer moves past the winner.
// These are pure functions; the caller keeps the pointer and decides when a choice counts as won.
#pragma once

#include <cstdint>

namespace allport {

/// The distance of `requester` of `size` after the pointer: the smallest distance is chosen.
constexpr int round_robin_distance(int requester, int pointer, int size) {
  const int ahead = requester - pointer;
  return ahead < 0 ? ahead + size : ahead;
}

/// The choice from a non-empty set of requesters, one bit each.
constexpr int round_robin_choice(std::uint64_t requesters, int pointer) {
  const std::uint64_t behind = requesters >> pointer << pointer;
  return __builtin_ctzll(behind != 0 ? behind : requesters);
}

/// The pointer after `winner` of `size` has won.
constexpr int round_robin_next(int winner, int size) { return winner + 1 == size ? 0 : winner + 1; }

}  // namespace allport
