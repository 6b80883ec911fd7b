// SPDX-License-Identifier: Apache-2.0
// A program of somebody else's: a W-sort multicast on a 4-cube, simulated through the package.
// Exits with 1 unless it takes the two steps of [Robinson93] fig. 8 and shows no contention.
#include <iostream>
#include <systemc>

#include "testbench/simulation/simulation.h"
#include "traffic/algorithms/algorithms.h"

int sc_main(int, char**) {
  using namespace allport;
  const Routing routing(parse_topology("hypercube:4"), RoutingOrder::descending);
  std::vector<NodeId> nodes;
  for (const std::size_t id : {1, 3, 5, 7, 11, 12, 14, 15}) nodes.push_back(node_id(id));
  const Multicast goal = multicast(routing.topology(), NodeId{0}, nodes);
  const PlannedCollective collective{
      {goal.source}, goal.destinations, plan(find_algorithm("wsort"), {routing, 4, goal})};

  Simulation simulation(SimulationConfig{}, routing);
  const Results results = simulation.run({{collective}});
  std::cout << results.steps << " steps, " << results.latency.max << " cycles, "
            << results.contention.events << " contention events\n";
  return results.is_complete() && results.steps == 2 && results.contention.events == 0 ? 0 : 1;
}
