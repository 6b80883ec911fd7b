// SPDX-License-Identifier: Apache-2.0
// The contention criteria as algorithms.md section 2 prints them, over all pairs: the oracle of the
// fast check. Everything is a set, nothing is indexed.
#pragma once

#include <vector>

#include "traffic/proof/schedule_check.h"

namespace allport {

struct LiteralFindings {
  std::vector<PairViolation> stepwise;
  std::vector<PairViolation> definition4;
  std::vector<PairViolation> theorem1;
};

/// All violating pairs of a schedule in which everybody receives at most once, in order.
LiteralFindings literal_contention(const Schedule& schedule, const Routing& routing);

}  // namespace allport
