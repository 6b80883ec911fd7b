// SPDX-License-Identifier: Apache-2.0
// When nodes start late, joins take the times of docs/joins.md, and software those of
// docs/timing.md with the start as one more thing that a message waits for. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "testbench/simulation/program_table.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/testbench/simulation/block_plans.h"
#include "tests/testbench/simulation/group_cases.h"

namespace allport::test {
namespace {

// The cycle from which the flits of a join stream out of its root: the largest of
// s_v + dist(v, w)(1 + d + c) + (c if contributions come in at v).
Cycle joined(const GroupFormula& join, const Routing& routing, const std::vector<Cycle>& starts) {
  const NodeId root = node_id(join.root);
  Cycle latest = 0;
  for (const NodeId node : group_nodes(routing.topology(), root, join.free)) {
    const bool has_inputs = join_inputs(routing, node, root, join.free) != 0;
    const Cycle way = routing.distance(node, root) * (1 + join.d + join.c);
    latest = std::max(latest, starts[index(node)] + way + (has_inputs ? join.c : 0));
  }
  return latest;
}

// When `node` has what the root has sent, or combined.
Cycle formula(const GroupFormula& one, NodeId node, const Routing& routing,
              const std::vector<Cycle>& starts) {
  const bool is_tree = one.kind == MessageKind::tree;
  const Cycle in = is_tree ? starts[one.root] : joined(one, routing, starts);
  const bool branches = tree_outputs(routing, node, node_id(one.root), one.free) != 0;
  const Cycle depth = routing.distance(node_id(one.root), node);
  const Cycle out =
      one.kind == MessageKind::join ? 0 : depth * (1 + one.d + one.r) + (branches ? one.r : 0);
  return one.ts + in + out + one.flits + one.tr;
}

struct RandomCase {
  Routing routing;
  GroupFormula message;
  int ports = 0;
  Cycle skew = 0;
  std::uint64_t seed = 0;
};

RandomCase random_case(std::uint64_t number) {
  Draw draw(number);
  const char* const fabric =
      draw.one_of<const char*>({"hypercube:3", "hypercube:4", "mesh:3x4", "torus:4x3", "torus:5x4",
                                "ring:5", "ring:6", "torus:2x3x2", "mesh:2x2x3"});
  const bool is_hypercube = fabric[0] == 'h';
  RandomCase one{
      is_hypercube && draw.below(2) == 0 ? ascending_on(fabric) : routing_on(fabric), {}, 0, 0, 0};
  const Topology& topology = one.routing.topology();
  GroupFormula& message = one.message;
  message.kind = draw.one_of<MessageKind>(
      {MessageKind::join, MessageKind::join_tree, MessageKind::join_tree, MessageKind::tree});
  message.root = static_cast<std::size_t>(draw.below(static_cast<int>(topology.node_count())));
  const int all = static_cast<int>(free_dimensions(topology, 0));
  message.free = group_mask(topology, static_cast<DimensionMask>(1 + draw.below(all)));
  message.flits = 1 + draw.below(20);
  message.ts = draw.one_of<int>({0, 0, 3, 40});
  message.tr = draw.one_of<int>({0, 5});
  message.d = draw.below(3);
  message.r = draw.below(3);
  message.c = draw.below(4);
  message.depth = 2 + 2 * message.d + message.c + message.r + draw.below(2);
  one.ports = draw.one_of<int>({0, 0, 1});
  one.skew = draw.one_of<int>({1, 6, 30, 500});
  one.seed = static_cast<std::uint64_t>(draw.below(100000));
  return one;
}

std::string fault_of_case(std::uint64_t number) {
  const RandomCase one = random_case(number);
  const Routing& routing = one.routing;
  Experiment experiment = experiment_of(one.message, one.ports);
  experiment.with_skew(one.skew).with_seed(one.seed);
  Simulation simulation(experiment, routing);
  const auto planned =
      group_collective(one.message.kind, one.message.root, one.message.free, routing);
  const Results results = simulation.run({2, {planned}}, 1);  // the second trial alone
  if (!results.is_complete()) return fault_of(results);
  const auto starts = draw_starts(routing.topology().node_count(), one.skew, one.seed, 1);
  for (const DestinationLatency& latency : results.by_destination) {
    const Cycle expected = formula(one.message, latency.node, routing, starts);
    if (latency.cycles == expected) continue;
    return "node " + std::to_string(index(latency.node)) + ": " + std::to_string(latency.cycles) +
           " instead of " + std::to_string(expected) + " cycles";
  }
  if (results.by_destination.size() != planned.destinations.size()) return "a node lacks it";
  Cycle last_start = 0;
  for (const NodeId node : planned.sources) last_start = std::max(last_start, starts[index(node)]);
  return results.last_starts == std::vector<Cycle>{last_start} ? "" : "the last start is wrong";
}

TEST(Skew, JoinsAndTreesTakeTheCyclesOfTheFormulaFromTheStartsOnRandomCases) {
  const RandomCases cases(150);
  for (std::uint64_t number = cases.first; number < cases.end; ++number) {
    const RandomCase one = random_case(number);
    EXPECT_EQ(forked([&] { return fault_of_case(number); }), "")
        << "seed " << number << ": " << one.routing.topology().name() << " "
        << to_string(one.message.kind) << " root " << one.message.root << " free "
        << one.message.free << " L " << one.message.flits << " skew " << one.skew;
  }
}

// In step i every node exchanges its sum with the neighbour of dimension i. It prepares the message
// when it has started and has what the steps before brought it.
TEST(Skew, SumsInSoftwareWaitForTheStartOfEachNode) {
  const Routing routing = routing_on("hypercube:4");
  const auto planned = of_blocks("exchange-allreduce", routing, 0);
  for (const Cycle skew : {10, 100, 1000}) {
    EXPECT_EQ(forked([&]() -> std::string {
                Simulation simulation(Experiment().times(20, 7).with_skew(skew), routing);
                const Results results = simulation.run({{planned}});
                if (!results.is_complete()) return fault_of(results);
                std::vector<Cycle> begins = draw_starts(16, skew, 1, 0);  // of the step, by node
                std::vector<Cycle> has(16, 0);
                for (std::size_t step = 0; step < 4; ++step) {
                  std::vector<Cycle> next = begins;
                  for (std::size_t node = 0; node < 16; ++node) {
                    const std::size_t partner = node ^ (std::size_t{1} << step);
                    const Cycle received = begins[partner] + 20 + 1 + 16 + 7;
                    next[node] = std::max(begins[node] + 20, received);
                    has[node] = std::max(has[node], received);
                  }
                  begins = next;
                }
                for (const DestinationLatency& one : results.by_destination) {
                  if (one.cycles == has[index(one.node)]) continue;
                  return "node " + std::to_string(index(one.node)) + ": " +
                         std::to_string(one.cycles) + " instead of " +
                         std::to_string(has[index(one.node)]);
                }
                return results.by_destination.size() == 16 ? "" : "a node lacks the sum";
              }),
              "")
        << "skew " << skew;
  }
}

// A node that has started receives nothing earlier, and one that has not keeps nobody waiting who
// needs nothing of it.
TEST(Skew, DelaysWhatANodeSendsAndNotWhatItReceives) {
  const Routing routing = routing_on("ring:5");
  const auto starts = draw_starts(5, 300, 4, 0);
  PlannedCollective sent = single(0, 1, routing);
  sent.schedule.unicasts.push_back(single(1, 2, routing).schedule.unicasts.front());
  sent.destinations = {node_id(1), node_id(2)};
  EXPECT_EQ(forked([&] {
              Simulation simulation(Experiment().length(8).with_skew(300).with_seed(4), routing);
              const Results results = simulation.run({{sent}});
              std::string text = fault_of(results);
              for (const DestinationLatency& one : results.by_destination) {
                text += " " + std::to_string(index(one.node)) + ": " + std::to_string(one.cycles);
              }
              return text;
            }),
            " 1: " + std::to_string(starts[0] + 9) +
                " 2: " + std::to_string(std::max(starts[0] + 9, starts[1]) + 9));
}

}  // namespace
}  // namespace allport::test
