// SPDX-License-Identifier: Apache-2.0
// Lists of destinations in headers make messages longer: a simulation without contention shows what
// the timing models predict of these lengths, to the cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "traffic/planning/pieces.h"
#include "traffic/theory/timing_model.h"

namespace allport::test {
namespace {

constexpr std::size_t root_of_sets = 5;

PlannedCollective with_lists(const char* algorithm, const Routing& routing, std::size_t set,
                             int ports, int flits) {
  std::vector<std::size_t> destinations;
  for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
    const std::size_t relative = node ^ root_of_sets;
    if (relative > 0 && (set >> (relative - 1) & 1) != 0) destinations.push_back(node);
  }
  const Multicast goal = multicast(routing.topology(), node_id(root_of_sets), nodes(destinations));
  PlannedCollective planned = collective(algorithm, routing, goal, ports);
  planned.address_fields =
      AddressFields(planned.schedule, routing.topology().node_count(), goal.destinations, flits);
  return planned;
}

TimingParameters papers_timing(const SimulationConfig& config) {
  return {config.ts, config.tr, config.flits, config.fabric};
}

// What differs from the models; empty if nothing does.
std::string difference_from_models(const PlannedCollective& planned, const Routing& routing,
                                   const SimulationConfig& config, const Results& results) {
  const TimingParameters timing = papers_timing(config);
  const int ports =
      config.fabric.internal_ports == 0 ? all_ports(routing) : config.fabric.internal_ports;
  const Cycle largest =
      predicted_pieces_latency(planned.schedule, 1, routing, ports, timing, planned.address_fields);
  const bool has_relays = planned.schedule.unicasts.size() > planned.destinations.size();
  if (!has_relays && results.latency.max != largest) {
    return std::to_string(results.latency.max) + " instead of " + std::to_string(largest);
  }
  if (config.ts < config.flits + planned.address_fields.longest()) return "";  // waits at ports
  const std::vector<Cycle> latency =
      predicted_latency(planned.schedule, routing, planned.sources, timing, planned.address_fields);
  for (const DestinationLatency& found : results.by_destination) {
    if (found.cycles != latency[index(found.node)]) {
      return "node " + std::to_string(index(found.node)) + ": " + std::to_string(found.cycles) +
             " instead of " + std::to_string(latency[index(found.node)]);
    }
  }
  return "";
}

// Runs every set of the 3-cube with `config`; empty if all are as predicted, and most meet no
// contention.
std::string judge_sets(const SimulationConfig& config) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on("hypercube:3");
    Simulation simulation(config, routing);
    int compared = 0;
    for (const Algorithm& one : algorithms()) {
      if (!one.needs_lists() || !one.is_for(routing.topology())) continue;
      const std::string algorithm(one.name);
      for (std::size_t set = 1; set < 128; ++set) {
        for (const int flits : {1, 4}) {
          const PlannedCollective planned =
              with_lists(algorithm.c_str(), routing, set, config.fabric.internal_ports, flits);
          const Results results = simulation.run({{planned}});
          const std::string name =
              algorithm + " " + std::to_string(set) + " A " + std::to_string(flits) + ": ";
          if (!results.is_complete()) return name + fault_of(results);
          if (!contention_of(results).empty()) continue;
          ++compared;
          const std::string found = difference_from_models(planned, routing, config, results);
          if (!found.empty()) return name + found;
        }
      }
    }
    return compared > 1200 ? "" : "only " + std::to_string(compared) + " without contention";
  });
}

TEST(AddressFieldsInRuns, TakeTheTimeOfTheModelsForEverySetOfThe3Cube) {
  for (const bool has_worms : {false, true}) {
    for (const int ports : {0, 1}) {
      for (const Cycle ts : {0, 40}) {
        Experiment config =
            Experiment().on(With().ports(ports).link_delay(1).depth(4)).length(5).times(ts, 2);
        config.is_transaction_level = has_worms;
        EXPECT_EQ(judge_sets(config), "") << has_worms << " k " << ports << " ts " << ts;
      }
    }
  }
}

TEST(AddressFieldsInRuns, TakeTheTimeOfTheModelsInEveryMode) {
  for (const Switching mode :
       {Switching::cut_through, Switching::store_and_forward, Switching::circuit}) {
    Experiment config = Experiment().on(With().depth(64)).length(2).times(60, 1);
    config.fabric.switching = mode;
    EXPECT_EQ(judge_sets(config), "") << to_string(mode);
  }
}

// Flits of any width, and a message that does not fill its last one.
TEST(AddressFieldsInRuns, LeaveThePayloadAsItIs) {
  for (const int flit_bytes : {1, 3, 8, 16, 64}) {
    Experiment config = Experiment().times(3, 0);
    config.flit_bytes = flit_bytes;
    config.flits = 4;
    config.bytes = static_cast<std::size_t>(4 * flit_bytes - (flit_bytes > 1 ? 1 : 0));
    const std::string fault = forked([&]() -> std::string {
      const Routing routing = routing_on("hypercube:3");
      Simulation simulation(config, routing);
      const Results results = simulation.run({{with_lists("wsort", routing, 127, 0, 2)}});
      return results.is_complete() ? "" : fault_of(results);
    });
    EXPECT_EQ(fault, "") << flit_bytes;
  }
}

}  // namespace
}  // namespace allport::test
