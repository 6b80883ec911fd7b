// SPDX-License-Identifier: Apache-2.0
// Each schedule of ours that is made of unicasts is a program of MSCCL, as XML and as an execution
// plan, whose schedule is the same:
// in the same order each node sends the same blocks by the same routes to the same nodes, and waits
// for the same receptions, also without the blocks that are empty at the length of the message.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases
// (scripts/nightly).
#include <gmock/gmock.h>

#include <set>
#include <string>

#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/msccl/programs.h"
#include "traffic/msccl/execution_plan.h"
#include "traffic/msccl/to_msccl.h"
#include "traffic/planning/embedding.h"
#include "traffic/planning/pieces.h"
#include "traffic/schedule/block_flow.h"

namespace allport {
namespace {

using test::Draw;
using test::RandomCases;

// The same schedules at the length of `short_goal`: one as a plan, the other as a program that was
// read.
bool are_equal_without_empty_blocks(Schedule planned, Schedule read, const Collective& short_goal) {
  if (!short_goal.has_empty_blocks()) return true;
  leave_out_empty_blocks(planned, short_goal);
  close_gaps(planned);
  leave_out_empty_blocks(read, short_goal);
  close_gaps(read);
  return behaviour(planned, short_goal) == behaviour(read, short_goal);
}

// What differs between `schedule`, for messages of `flits`, and what `program` is read as; empty:
// nothing does.
std::string difference(const Schedule& schedule, const Collective& goal, int flits,
                       const MscclProgram& program) {
  const Collective again = msccl_collective(program, goal.root());
  if (again.block_count() != goal.block_count() || again.part_count() != goal.part_count()) {
    return "the goal";
  }
  Finding faults;
  const Schedule read = from_msccl(program, goal, faults);
  if (!faults.ok()) return faults.first.front();
  if (behaviour(read, goal) != behaviour(schedule, goal)) return "the messages";
  if (goal.operation() == Operation::bcast) return "";  // as many pieces as are sent
  const Collective short_goal = goal.of_length(flits);
  return are_equal_without_empty_blocks(schedule, read, short_goal) ? "" : "the short messages";
}

// The same of its XML and of its execution plan.
std::string difference(const Schedule& schedule, const Collective& goal, int flits) {
  const MscclProgram program = to_msccl(schedule, goal, "test");
  std::ostringstream xml;
  write_msccl(xml, program);
  const std::string of_xml = difference(schedule, goal, flits, program_of(xml.str()));
  if (!of_xml.empty()) return "XML: " + of_xml;
  std::stringstream plan;
  write_execution_plan(plan, program);
  const std::string of_plan =
      difference(schedule, goal, flits, read_execution_plan(plan, "test.json"));
  return of_plan.empty() ? "" : "plan: " + of_plan;
}

std::string draw_shape(Draw& draw) {
  const auto side = [&draw] { return std::to_string(2 + draw.below(4)); };
  const std::string power = std::to_string(2 << draw.below(2));
  return draw.one_of<std::string>({"hypercube:" + std::to_string(1 + draw.below(5)),
                                   "torus:" + side() + "x" + side(), "torus:" + power + "x" + power,
                                   "ring:" + std::to_string(2 + draw.below(9)),
                                   "mesh:" + side() + "x" + side(), "torus:2x3x" + side()});
}

std::vector<NodeId> random_nodes(const Topology& topology, std::uint64_t seed) {
  std::vector<NodeId> nodes;
  for (const std::size_t node : random_order(topology.node_count(), seed)) {
    nodes.push_back(node_id(node));
  }
  return nodes;
}

bool is_usable(const Algorithm& algorithm) {
  return algorithm.destinations != Destinations::one && algorithm.kind == MessageKind::unicast &&
         !stencil_of(algorithm.operation);
}

// Synthesis takes long on more nodes.
bool is_small_enough(const Algorithm& algorithm, const Topology& topology) {
  return !algorithm.is_synthesized || topology.node_count() <= 9;
}

TEST(MscclRoundTrip, EveryAlgorithmOfUnicastsOnRandomFabrics) {
  const RandomCases cases(10);
  std::set<std::string_view> untried;
  for (const Algorithm& algorithm : algorithms()) {
    if (is_usable(algorithm)) untried.insert(algorithm.name);
  }
  // Behind the cases come further ones for algorithms that no fabric so far was for.
  const std::uint64_t end = cases.end + 500;
  for (std::uint64_t seed = cases.first; seed < cases.end || (!untried.empty() && seed < end);
       ++seed) {
    Draw draw(seed);
    const std::string shape = draw_shape(draw);
    const Routing routing = routing_on(shape);
    const Topology& topology = routing.topology();
    const auto count = static_cast<int>(topology.node_count());
    const Multicast goal =
        broadcast(topology, node_id(static_cast<std::size_t>(draw.below(count))));
    const Embedding embedding({routing.shared_topology(), random_nodes(topology, seed)}, routing);
    for (const Algorithm& algorithm : algorithms()) {
      if (!is_usable(algorithm) || !algorithm.is_for(topology)) continue;
      if (!is_small_enough(algorithm, topology)) continue;
      const bool is_first = untried.erase(algorithm.name) > 0;
      if (seed >= cases.end && !is_first) continue;
      const int ports = 1 + draw.below(all_ports(routing));
      const bool is_multicast = algorithm.operation == Operation::bcast;
      const bool is_free = !is_multicast && algorithm.own_parts == nullptr &&
                           algorithm.operation != Operation::barrier;
      const int parts = is_free ? 1 + draw.below(3) : 0;
      const int flits = 1 + draw.below(40);
      PlanRequest request{routing, ports, goal, StepRule::naive, parts};
      request.timing = {draw.below(3) * 50, draw.below(2) * 20, flits};
      request.seed = seed;
      const bool is_placed = !algorithm.is_synthesized && draw.below(2) == 1;
      Schedule schedule = is_placed ? embedding.plan(algorithm, goal, ports, parts, flits)
                                    : plan(algorithm, request);
      Collective collective = collective_of(algorithm, topology, goal, parts);
      const bool may_be_cut = is_multicast && !algorithm.is_synthesized;
      const int pieces = may_be_cut ? 1 + draw.below(3) : 1;
      if (pieces > 1) schedule = in_pieces(schedule, pieces, routing, ports);
      if (is_multicast) {  // some have pieces of their own
        const std::size_t blocks = std::max<std::size_t>(piece_count(schedule), 1);
        collective = Collective(topology.node_count(), goal, blocks);
      }
      EXPECT_EQ(difference(schedule, collective, flits), "")
          << "seed " << seed << ": " << algorithm.name << " on " << shape << " from "
          << index(goal.source) << ", ports " << ports << ", parts " << parts << ", pieces "
          << pieces << ", flits " << flits << (is_placed ? ", placed" : "");
    }
  }
  EXPECT_THAT(untried, testing::IsEmpty());
}

TEST(MscclRoundTrip, WormsToSeveralNodesAreRefused) {
  const Routing cube = routing_on("hypercube:3");
  const Multicast goal = multicast(cube.topology(), node_id(0), nodes({7}));
  const Schedule worms = planned("disjoint-paths", cube, goal);

  EXPECT_EQ(complaint_of([&] { to_msccl(worms, Collective(8, goal, 3), "disjoint-paths"); }),
            "disjoint-paths sends worms to several nodes, which MSCCL has no word for");
}

TEST(MscclRoundTrip, ExchangesAmongNeighboursAreRefused) {
  const Algorithm& algorithm = find_algorithm("direct-neighbor");
  const Routing ring = routing_on("ring:4");
  const Multicast goal = broadcast(ring.topology(), node_id(0));

  EXPECT_EQ(
      complaint_of([&] {
        to_msccl(plan(algorithm, {ring, 2, goal}), collective_of(algorithm, ring.topology(), goal),
                 "direct-neighbor");
      }),
      "direct-neighbor is an exchange among neighbours, neighbor, which MSCCL has no word for");
}

TEST(MscclRoundTrip, MulticastsToSomeNodesAreRefused) {
  const Routing cube = routing_on("hypercube:3");
  const Multicast goal = multicast(cube.topology(), node_id(0), nodes({5, 7}));

  EXPECT_EQ(
      complaint_of(
          [&] { to_msccl(planned("ucube", cube, goal), Collective(8, goal, 1), "ucube"); }),
      "ucube goes to some nodes only, but a broadcast of MSCCL goes to all; give the destinations 'all'");
}

}  // namespace
}  // namespace allport
