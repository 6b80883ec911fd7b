// SPDX-License-Identifier: Apache-2.0
// W-sort, Maxport and Combine never show an event, whatever the destinations, the times and the
// machine; and a multicast that meets no other message takes the time of the recursion of
// docs/timing.md, section 4. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases
// (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

struct MulticastCase {
  int dimension;
  bool is_ascending;
  const char* algorithm;
  std::size_t source;
  std::vector<std::size_t> destinations;
  SimulationConfig config;
  int address_flits = 0;

  Routing routing() const {
    const std::string shape = "hypercube:" + std::to_string(dimension);
    return is_ascending ? ascending_on(shape) : routing_on(shape);
  }
  PlannedCollective plan(const Routing& routing) const {
    const Multicast goal = multicast(routing.topology(), node_id(source), nodes(destinations));
    PlannedCollective planned = collective(algorithm, routing, goal, config.fabric.internal_ports);
    planned.address_fields = AddressFields(planned.schedule, routing.topology().node_count(),
                                           goal.destinations, address_flits);
    return planned;
  }
  bool is_at_full_rate() const {
    return config.fabric.buffer_depth >= 2 + 2 * config.fabric.link_delay;
  }
};

MulticastCase draw_case(std::uint64_t seed) {
  Draw draw(seed);
  MulticastCase drawn;
  drawn.dimension = 2 + draw.below(5);
  drawn.is_ascending = draw.below(2) == 1;
  drawn.algorithm = draw.one_of<const char*>({"wsort", "maxport", "combine"});
  const std::size_t population = std::size_t{1} << drawn.dimension;
  const auto count = static_cast<std::size_t>(draw.below(static_cast<int>(population) - 1));
  drawn.destinations = draw.subset(population, 2 + count);
  drawn.source = drawn.destinations.back();
  drawn.destinations.pop_back();
  const auto fabric = With()
                          .ports(draw.below(3) > 0 ? 0 : 1 + draw.below(drawn.dimension))
                          .vcs(draw.one_of<int>({1, 1, 1, 2}))
                          .depth(draw.one_of<int>({1, 2, 3, 4, 4, 8}))
                          .link_delay(draw.one_of<int>({0, 0, 1, 3}));
  drawn.config = Experiment()
                     .on(fabric)
                     .length(draw.one_of<int>({1, 2, 3, 8, 16, 64}))
                     .times(draw.one_of<int>({0, 0, 1, 7, 50}), draw.one_of<int>({0, 0, 1, 30}))
                     .with_jitter(draw.one_of<int>({0, 4, 40, 400}))
                     .with_seed(static_cast<std::uint64_t>(draw.below(1000000)));
  drawn.address_flits = draw.one_of<int>({0, 0, 1, 2, 9});
  return drawn;
}

std::string describe_case(std::uint64_t seed) {
  const MulticastCase drawn = draw_case(seed);
  std::ostringstream text;
  text << "case " << seed << ": " << drawn.algorithm << " on the " << drawn.dimension << "-cube"
       << (drawn.is_ascending ? ", ascending," : "") << " from " << drawn.source << " to";
  for (const std::size_t node : drawn.destinations) text << " " << node;
  text << "; " << describe(drawn.config) << " A " << drawn.address_flits;
  return text.str();
}

// The destinations that get the message through `node`.
int served(std::size_t node, const Schedule& schedule, const std::vector<std::size_t>& wanted) {
  int count = 0;
  for (const Unicast& send : schedule.unicasts) {
    if (index(send.u) != node) continue;
    const bool is_wanted = std::count(wanted.begin(), wanted.end(), index(send.v)) > 0;
    count += served(index(send.v), schedule, wanted) + (is_wanted ? 1 : 0);
  }
  return count;
}

// has(i) of the recursion, for every node.
std::map<NodeId, Cycle> recursion(const MulticastCase& given, const Routing& routing,
                                  const Schedule& schedule) {
  const SimulationConfig& config = given.config;
  const int ports = config.fabric.internal_ports;
  std::map<NodeId, std::map<int, Unicast>> programs;  // by node, then order
  for (const Unicast& send : schedule.unicasts) programs[send.u][send.order] = send;

  std::map<NodeId, Cycle> has{{node_id(given.source), 0}};
  std::vector<NodeId> holders{node_id(given.source)};
  for (std::size_t at = 0; at < holders.size(); ++at) {
    const NodeId u = holders[at];
    Cycle prepared = has.at(u);
    std::map<std::size_t, Cycle> is_free;  // by internal port
    for (const auto& [order, send] : programs[u]) {
      prepared += config.ts;
      const std::size_t first = index(routing.route(u, send.v, 0)->port);
      Cycle& free_at = is_free[ports == 0 ? first : first % static_cast<std::size_t>(ports)];
      const Cycle head = std::max(prepared, free_at);
      const Cycle length = config.flits + Cycle{given.address_flits} *
                                              served(index(send.v), schedule, given.destinations);
      free_at = head + length;
      has[send.v] =
          head + routing.distance(u, send.v) * (1 + config.fabric.link_delay) + length + config.tr;
      holders.push_back(send.v);
    }
  }
  return has;
}

std::string compare_with_recursion(const MulticastCase& given, const Routing& routing,
                                   const PlannedCollective& planned, const Results& results) {
  if (given.config.jitter > 0 || !given.is_at_full_rate()) return "";
  const auto expected = recursion(given, routing, planned.schedule);
  for (const DestinationLatency& found : results.by_destination) {
    if (found.cycles == expected.at(found.node)) continue;
    return "node " + std::to_string(index(found.node)) + " has the message in cycle " +
           std::to_string(found.cycles) + " instead of " + std::to_string(expected.at(found.node));
  }
  return "";
}

// What is wrong with a case; empty if nothing is.
std::string judge(const MulticastCase& given) {
  return forked([&]() -> std::string {
    const Routing routing = given.routing();
    const PlannedCollective planned = given.plan(routing);
    Simulation simulation(given.config, routing);
    const Results results = simulation.run({4, {planned}});  // jitter differs from trial to trial
    if (!results.is_complete()) return fault_of(results);
    if (results.by_destination.size() != given.destinations.size()) return "destinations lack";
    return contention_of(results) + compare_with_recursion(given, routing, planned, results);
  });
}

TEST(ContentionFree, WsortMaxportAndCombineNeverShowAnEventAndKeepTheRecursion) {
  const RandomCases cases(400);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    ASSERT_EQ(judge(draw_case(seed)), "") << describe_case(seed);
  }
}

TEST(ContentionFree, EveryUnicastAlgorithmKeepsTheRecursionInABroadcast) {
  for (const char* algorithm : {"ucube", "maxport", "combine", "wsort", "separate", "sbt"}) {
    for (int dimension = 1; dimension <= 6; ++dimension) {
      for (const int ports : {0, 1}) {
        MulticastCase given{dimension, false, algorithm,
                            0,         {},    Experiment().on(With().ports(ports)).times(9, 4)};
        for (std::size_t node = 1; node < std::size_t{1} << dimension; ++node) {
          given.destinations.push_back(node);
        }
        for (const int flits : {0, 1, 5}) {
          given.address_flits = flits;
          EXPECT_EQ(judge(given), "")
              << algorithm << " " << dimension << " k " << ports << " A " << flits;
        }
      }
    }
  }
}

}  // namespace
}  // namespace allport::test
