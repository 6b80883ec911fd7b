// SPDX-License-Identifier: Apache-2.0
// first_wrong_pair() sends a message alone, from each node to each other one.
#pragma once

#include <string>
#include <vector>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {

/// The latency that a message should have.
using Formula = Cycle (*)(const Unicast&, const Routing&, const SimulationConfig&);

/// All pairs of nodes, one trial each: the first pair with another latency, or contention, in
/// words; empty: there is neither.
inline std::string first_wrong_pair(const char* topology, const SimulationConfig& config,
                                    Formula expected_of) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on(topology);
    const std::size_t nodes = routing.topology().node_count();
    std::vector<PlannedCollective> pairs;
    for (std::size_t u = 0; u < nodes; ++u) {
      for (std::size_t v = 0; v < nodes; ++v) {
        if (u != v) pairs.push_back(single(u, v, routing));
      }
    }
    Simulation simulation(config, routing);
    const Results results = simulation.run(one_by_one(pairs));
    if (!results.is_complete()) return fault_of(results);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Unicast& pair = pairs[i].schedule.unicasts.front();
      const Cycle expected = expected_of(pair, routing, config);
      if (results.trials[i].max == expected) continue;
      return std::to_string(index(pair.u)) + ">" + std::to_string(index(pair.v)) + " took " +
             std::to_string(results.trials[i].max) + " instead of " + std::to_string(expected);
    }
    return contention_of(results);
  });
}

}  // namespace allport::test
