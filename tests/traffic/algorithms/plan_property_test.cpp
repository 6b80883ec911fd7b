// SPDX-License-Identifier: Apache-2.0
// The promises of every algorithm of the table are tested on random fabrics, sources, destinations,
// ports and step rules; an algorithm that is added to the table is tried as well. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/planning/pieces.h"

namespace allport {
namespace {

using test::Draw;
using test::RandomCases;

// docs/algorithms.md, section 14.
const std::set<std::string_view> depth_free{
    "maxport",     "combine",     "wsort", "sbt",           "separate",
    "hk",          "binary-tree", "dcf",   "ring",          "tree",
    "hamiltonian", "esbt",        "relay", "relay-routers", "safety-bcast"};

// Those that relay by nodes which are no destinations.
const std::set<std::string_view> relaying{"sbt", "relay", "relay-routers"};

// Those whose messages of one step may share channels; of the collectives that are not multicasts,
// block_collectives_test.cpp tells.
const std::set<std::string_view> not_stepwise{"ucube", "umesh", "utorus"};

std::string draw_shape(Draw& draw) {
  const auto side = [&draw] { return std::to_string(2 + draw.below(13)); };
  const std::string power = std::to_string(2 << draw.below(4));
  return draw.one_of<std::string>(
      {"hypercube:" + std::to_string(1 + draw.below(8)), "torus:" + side() + "x" + side(),
       "torus:" + power + "x" + power, "ring:" + side(), "torus:" + side(),
       "mesh:" + side() + "x" + side(), "torus:3x4x" + std::to_string(2 + draw.below(4))});
}

Multicast draw_goal(const Algorithm& algorithm, const Topology& topology, Draw& draw) {
  const std::size_t count = topology.node_count();
  const NodeId source = node_id(static_cast<std::size_t>(draw.below(static_cast<int>(count))));
  if (algorithm.destinations == Destinations::all || count == 2) return broadcast(topology, source);
  const auto size = 1 + static_cast<std::size_t>(draw.below(static_cast<int>(count) - 1));
  std::vector<NodeId> destinations;
  for (const std::size_t i : draw.subset(count - 1, size)) {
    destinations.push_back(topology.absolute(i + 1, source));
  }
  return multicast(topology, source, destinations);
}

// What is wrong with a plan of `algorithm`, in words; empty if it keeps its promises.
std::string broken_promises(const Algorithm& algorithm, const Routing& routing,
                            const Multicast& goal, int ports, StepRule rule) {
  const Schedule schedule = plan(algorithm, {routing, ports, goal, rule});
  const bool is_multicast = algorithm.operation == Operation::bcast;
  const std::size_t pieces = is_multicast ? piece_count(schedule) : 0;
  const Collective collective = pieces > 0
                                    ? Collective(routing.topology().node_count(), goal, pieces)
                                    : collective_of(algorithm, routing.topology(), goal);
  const bool is_one_message = is_multicast && pieces == 0;
  const ScheduleReport report = check_schedule(schedule, {routing,
                                                          ports,
                                                          {goal.source},
                                                          goal.destinations,
                                                          is_one_message ? nullptr : &collective,
                                                          CheckLimits{1}});
  std::string text;
  const auto expect = [&text](const Finding& finding, const char* name) {
    if (!finding.ok()) text += std::string(" ") + name;
  };
  const bool uses_all_ports = ports == all_ports(routing);
  const bool is_aware = rule == StepRule::aware;
  expect(report.routes_valid, "routes_valid");
  expect(report.collective, "collective");
  if (!is_multicast) return text;
  const bool has_relays = !relays(schedule, goal).empty();
  if (has_relays && relaying.count(algorithm.name) == 0) text += " relays";
  const bool keeps_ports = algorithm.takes_step_rule() || uses_all_ports;
  if (keeps_ports) expect(report.port_rule, "port_rule");
  const bool may_share = not_stepwise.count(algorithm.name) > 0;
  if (!may_share || is_aware) expect(report.stepwise, "stepwise");
  const bool is_free_on_one_port = algorithm.name == "ucube" || algorithm.name == "umesh";
  if (is_free_on_one_port && ports == 1) expect(report.definition4, "definition4");
  if (algorithm.name == "utorus" && ports == 1) expect(report.stepwise_vc, "stepwise_vc");
  if (depth_free.count(algorithm.name) == 0) return text;
  expect(report.definition4, "definition4");
  expect(report.theorem1, "theorem1");
  return text;
}

bool sends_blocks(const Algorithm& algorithm) { return algorithm.operation != Operation::bcast; }

// An all-to-all has a message for each pair of nodes, or as many blocks.
bool is_tried(const Algorithm& algorithm, const Topology& topology) {
  const bool is_small = !sends_blocks(algorithm) || topology.node_count() <= 64;
  return algorithm.is_for(topology) && is_small;
}

// All algorithms of which `is_meant` says so, each on the random fabrics that it is for.
void try_all(std::size_t count, bool (*is_meant)(const Algorithm&)) {
  const RandomCases cases(count);
  std::set<std::string_view> tried;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed);
    const std::string shape = draw_shape(draw);
    const bool is_ascending = shape[0] == 'h' && draw.below(2) == 1;
    const Routing routing = is_ascending ? ascending_on(shape) : routing_on(shape);
    for (const Algorithm& algorithm : algorithms()) {
      const bool is_usable = is_meant(algorithm) && algorithm.destinations != Destinations::one &&
                             !algorithm.is_synthesized &&  // synthesis_test.cpp has them
                             !is_join(algorithm.kind);     // and join_test.cpp these
      if (!is_usable || !is_tried(algorithm, routing.topology())) continue;
      tried.insert(algorithm.name);
      const Multicast goal = draw_goal(algorithm, routing.topology(), draw);
      const int most = all_ports(routing);
      const int ports = draw.below(2) == 0 ? most : 1 + draw.below(most);
      const bool is_aware = algorithm.takes_step_rule() && draw.below(2) == 1;
      EXPECT_EQ(broken_promises(algorithm, routing, goal, ports,
                                is_aware ? StepRule::aware : StepRule::naive),
                "")
          << "seed " << seed << ": " << algorithm.name << " on " << shape
          << (is_ascending ? ", ascending," : "") << " from " << index(goal.source) << " to "
          << goal.destinations.size() << ", ports " << ports << (is_aware ? ", aware" : "");
    }
  }
  for (const Algorithm& algorithm : algorithms()) {
    const bool is_usable = is_meant(algorithm) && algorithm.destinations != Destinations::one &&
                           !algorithm.is_synthesized && !is_join(algorithm.kind);
    EXPECT_EQ(is_usable, tried.count(algorithm.name) > 0) << algorithm.name;
  }
}

TEST(PlanProperty, EveryMulticastKeepsItsPromisesOnRandomFabrics) {
  try_all(150, [](const Algorithm& algorithm) { return !sends_blocks(algorithm); });
}

TEST(PlanProperty, EveryCollectiveOfBlocksKeepsItsPromisesOnRandomFabrics) {
  try_all(60, sends_blocks);
}

// The promises can be broken: if every tie goes in the + direction, two messages of a Z_block have
// one injection port.
TEST(PlanProperty, SeesABrokenPromise) {
  const Routing torus = routing_on("torus:8x8");
  const Multicast goal = broadcast(torus.topology(), node_id(0));
  Algorithm liar = find_algorithm("dcf");
  liar.plan = [](const PlanRequest& request) {
    Schedule schedule = plan(find_algorithm("zblock"), request);
    for (Unicast& one : schedule.unicasts) one.displacement = {};
    return schedule;
  };

  EXPECT_EQ(broken_promises(liar, torus, goal, 4, StepRule::naive),
            " port_rule stepwise definition4 theorem1");
}

}  // namespace
}  // namespace allport
