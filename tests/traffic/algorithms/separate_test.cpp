// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

std::vector<std::size_t> program_of(const Schedule& schedule) {
  std::vector<std::size_t> receivers(schedule.unicasts.size());
  for (const Unicast& unicast : schedule.unicasts) {
    receivers.at(static_cast<std::size_t>(unicast.order)) = index(unicast.v);
  }
  return receivers;
}

TEST(Separate, SendsInAscendingOrderOfTheIdRelativeToTheSource) {
  const Routing cube = routing_on("hypercube:4");
  const Routing torus = routing_on("torus:4x4");

  const Schedule on_cube =
      planned("separate", cube, multicast(cube.topology(), node_id(5), nodes({0, 4, 7, 12, 13})));
  const Schedule on_torus =
      planned("separate", torus, multicast(torus.topology(), node_id(5), nodes({0, 4, 7, 12, 13})));

  // XOR 5: 1 2 5 8 9; minus 5 modulo 16: 2 7 8 11 15.
  EXPECT_EQ(program_of(on_cube), (std::vector<std::size_t>{4, 7, 0, 13, 12}));
  EXPECT_EQ(program_of(on_torus), (std::vector<std::size_t>{7, 12, 13, 0, 4}));
}

TEST(Separate, IsForEveryFabricAndAnyNumberOfPorts) {
  for (const char* shape :
       {"hypercube:5", "torus:4x4", "torus:3x4x2", "mesh:5x3", "ring:9", "ring:2"}) {
    const Routing routing = routing_on(shape);
    const Multicast goal = broadcast(routing.topology(), node_id(1));
    for (int ports = 1; ports <= all_ports(routing); ++ports) {
      const Schedule schedule = planned("separate", routing, goal, ports);
      const ScheduleReport report = checked(schedule, routing, goal, ports);
      EXPECT_TRUE(report.ok()) << shape << " with " << ports << " ports";
      if (ports == 1) {
        EXPECT_EQ(schedule.steps(), static_cast<StepIndex>(goal.destinations.size()));
      }
    }
  }
}

TEST(Separate, UsesTheInjectionPortsSideBySide) {
  const Routing cube = routing_on("hypercube:3");

  const Schedule schedule = planned("separate", cube, broadcast(cube.topology(), node_id(0)));

  EXPECT_EQ(printed(schedule), "(0,1,1) (0,2,1) (0,4,1) (0,3,2) (0,5,2) (0,6,3) (0,7,4)");
}

}  // namespace
}  // namespace allport
