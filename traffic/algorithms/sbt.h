// SPDX-License-Identifier: Apache-2.0
// This is the spanning binomial tree of a hypercube [CasanovaSlides]: a node that differs from the
// source in lowest bit b sends over the dimensions below b, highest first (mirrored for ascending
// routing). It is pruned to the ancestors of the destinations. The steps come from
// step_assignment.h, so that with one port a broadcast has its n textbook steps.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_sbt(const PlanRequest& request);

}  // namespace allport
