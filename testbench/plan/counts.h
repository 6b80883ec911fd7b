// SPDX-License-Identifier: Apache-2.0
// These functions lead from a table of counts to the lengths of the blocks of an alltoall.
// Everything here throws std::invalid_argument with one sentence.
#pragma once

#include <vector>

#include "rtl_model/base/ids.h"
#include "testbench/plan/run_request.h"

namespace allport {

/// Reads the counts that `request` names, once, and makes the largest of them the length of its
/// message. Does nothing if it names none.
void settle_counts(RunRequest& request);

/// Throws if `request` has counts and `operation` is none that they are for.
void require_counted(const RunRequest& request, Operation operation);

/// Throws if `request` has counts, which are for the blocks of a schedule, and its schedule has
/// none: `why` says what it has.
void require_no_counts(const RunRequest& request, const char* why);

/// The lengths of the blocks of `operation` among `ranks` ranks, of which rank r is on node r of
/// `nodes_of_ranks`, or on the r-th node if the list is empty; null: `request` has no counts.
PairLengths lengths_of_pairs(const RunRequest& request, Operation operation, std::size_t ranks,
                             const std::vector<NodeId>& nodes_of_ranks);

}  // namespace allport
