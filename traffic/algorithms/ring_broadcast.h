// SPDX-License-Identifier: Apache-2.0
// [CasanovaSlides] Broadcast on a unidirectional ring: in step i + 1 the node i places after the
// source forwards the message to the next. ring:4, source 2: 2 -> 3, 3 -> 0, 0 -> 1.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_ring_broadcast(const PlanRequest& request);

}  // namespace allport
