// SPDX-License-Identifier: Apache-2.0
// This is the broadcast of [CasanovaSlides] on a unidirectional ring: in step i + 1 the node i
// places after the source forwards the message to the next. On ring:4 from source 2, that is 2 ->
// 3, 3 -> 0, 0 -> 1.
#pragma once

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_ring_broadcast(const PlanRequest& request);

}  // namespace allport
