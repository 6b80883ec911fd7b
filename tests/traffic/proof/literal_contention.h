// SPDX-License-Identifier: Apache-2.0
// These functions apply the contention criteria as algorithms.md section 14 and collectives.md
// section 5 print them, over all pairs: the oracle of the fast check. Everything is a set, nothing
// is indexed.
#pragma once

#include <vector>

#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

struct LiteralFindings {
  std::vector<PairViolation> stepwise;
  std::vector<PairViolation> stepwise_vc;  // on rings and tori with two classes
  std::vector<PairViolation> definition4;
  std::vector<PairViolation> theorem1;
};

/// All violating pairs of a schedule in which everybody receives at most once, in order.
LiteralFindings literal_contention(const Schedule& schedule, const Routing& routing);

/// The same of a schedule of blocks.
LiteralFindings literal_block_contention(const Schedule& schedule, const BlockFlow& flow,
                                         const Routing& routing);

}  // namespace allport
