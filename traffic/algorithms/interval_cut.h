// SPDX-License-Identifier: Apache-2.0
// cut() spreads a message through an interval of positions whose holder can reach all of them: in
// each step the holder keeps the nearest positions and hands on parts on each side to a member of
// each.
#pragma once

#include <vector>

namespace allport {

/// The positions at - below .. at + above; position `at` has the message.
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

/// The parts handed on in a step, where `parts_per_side` is 1 (cut into thirds) or 2 (into fifths);
/// `own` shrinks to what the holder keeps. With b = 2 parts_per_side + 1, t steps serve (b^t - 1)/2
/// positions on each side. A part of one position is at the end of the interval in the last step
/// only.
std::vector<Handover> cut(Interval& own, int parts_per_side, bool is_last_step);

/// The least t with base^t >= count; count >= 1.
int ceil_logarithm(int base, int count);

}  // namespace allport
