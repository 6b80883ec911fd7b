// SPDX-License-Identifier: Apache-2.0
// Spreading a message through an interval of positions whose holder can reach all of them: in each
// step the holder keeps the nearest positions and hands a part on each side on to a member of it.
#pragma once

#include <vector>

namespace allport {

/// Positions at - below .. at + above; `at` has the message.
struct Interval {
  int at;
  int below;
  int above;
};

/// A part that is handed on to its `at`.
struct Handover {
  Interval part;
  bool is_far;  ///< the farther of two parts on its side
};

/// The parts handed on in a step, `parts_per_side` 1 (cut in thirds) or 2 (in fifths); `own`
/// shrinks to what is kept. With b = 2 parts_per_side + 1, t steps serve (b^t - 1)/2 positions on
/// each side. A part of one position stands at the end of the interval only in the last step.
std::vector<Handover> cut(Interval& own, int parts_per_side, bool is_last_step);

/// The least t with base^t >= count; count >= 1.
int ceil_logarithm(int base, int count);

}  // namespace allport
