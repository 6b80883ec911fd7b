// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/block_levels.h"

#include <utility>

#include "rtl_model/topology/grid.h"

namespace allport {

std::vector<BlockLevel> block_levels(const UnitBlock& block, int largest_side, int ports,
                                     const CheckLimits& limits) {
  std::vector<BlockLevel> levels;
  for (int side = block_side, doublings = 0; side <= largest_side; side *= 2, ++doublings) {
    const Routing routing = square_torus(side);
    const Multicast goal = broadcast(routing.topology(), node_id(0));
    Schedule schedule = plan_by_blocks({routing, ports, goal}, block);
    ScheduleReport report = check_schedule(
        schedule, {routing, ports, {goal.source}, goal.destinations, nullptr, limits});
    levels.push_back({routing.shared_topology(), doublings / 2 + 1, doublings % 2 == 1,
                      std::move(schedule), std::move(report)});
  }
  return levels;
}

}  // namespace allport
