// SPDX-License-Identifier: Apache-2.0
// Reductions walk a broadcast tree from its leaves to its root: each node adds what its children
// send to its own contribution and forwards the sum [CasanovaSlides]; an all-reduce then broadcasts
// the sum down the same kind of tree. A reduce-scatter does so for all blocks at once: it is an
// all-gather backwards, and with the all-gather after it an all-reduce
// [ThakurRabenseifnerGropp05].
#pragma once

#include "traffic/schedule/schedule.h"

namespace allport {

/// A broadcast tree from its leaves to its root, the last step first: every node sends once, what
/// it has added up.
Schedule summed_up(const Schedule& tree);
/// An all-gather backwards, adding: a reduce-scatter.
Schedule reduce_scattered(const Schedule& allgather);
/// `first`, and `second` in later steps; each node sends in the order of steps.
Schedule one_after_the_other(Schedule first, const Schedule& second);
/// `up`, and in later steps the sum down the `tree`: each node sends down after it has sent up, in
/// the order of steps.
Schedule summed_up_and_down(Schedule up, const Schedule& tree);

}  // namespace allport
