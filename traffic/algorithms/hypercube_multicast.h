// SPDX-License-Identifier: Apache-2.0
// U-cube [McKinley94], Maxport, Combine and W-sort, all as in [Robinson93], multicast on all-port
// hypercubes along chains of addresses relative to the source. They differ only in the element of
// its chain to which a node sends next, and W-sort also in the chain. The steps come from
// step_assignment.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/algorithms/algorithms.h"

namespace allport {

Schedule plan_ucube(const PlanRequest& request);
Schedule plan_maxport(const PlanRequest& request);
Schedule plan_combine(const PlanRequest& request);
Schedule plan_wsort(const PlanRequest& request);

/// Sorts a chain (the source's 0 first, then ascending) so that in every subcube without the source
/// the more populated half comes first [Robinson93, fig. 7].
/// 4-cube, 0 1 3 5 7 11 12 14 15 -> 0 1 3 5 7 14 15 12 11
void weighted_sort(std::vector<std::uint32_t>& chain, std::size_t dimensions);

}  // namespace allport
