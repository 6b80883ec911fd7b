// SPDX-License-Identifier: Apache-2.0
// The messages of a block, as figures 5, 6 and 7 of [Hou98] list them.
#pragma once

#include <string>
#include <vector>

#include "testbench/studies/reproduce/number_table.h"
#include "traffic/schedule/schedule.h"

namespace allport {

inline NumberTable sends_table(const Schedule& schedule, const Routing& routing) {
  NumberTable table({"u", "v", "step", "order", "dx", "dy"});
  for (const Unicast& one : schedule.unicasts) {
    const std::vector<int> by = routing.displacement(one.u, one.v, ties_of(one, routing));
    table.add({std::to_string(index(one.u)), std::to_string(index(one.v)), std::to_string(one.step),
               std::to_string(one.order), std::to_string(by[0]), std::to_string(by[1])});
  }
  return table;
}

}  // namespace allport
