// SPDX-License-Identifier: Apache-2.0
// These tests check the schedules of the collectives of blocks, and the check that proves or
// refutes them.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/schedule_file.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Planned {
  Schedule schedule;
  Collective goal;
};

Planned plan_blocks(std::string_view name, const Routing& routing, std::size_t root,
                    std::optional<int> ports = std::nullopt) {
  const Algorithm& algorithm = find_algorithm(name);
  const Multicast goal = broadcast(routing.topology(), node_id(root));
  return {planned(name, routing, goal, ports), collective_of(algorithm, routing.topology(), goal)};
}

ScheduleReport report_on(const Planned& one, const Routing& routing,
                         std::optional<int> ports = std::nullopt) {
  return check_schedule(one.schedule,
                        {routing, ports.value_or(all_ports(routing)), {}, {}, &one.goal});
}

std::string lines(const Planned& one, const Routing& routing) {
  std::ostringstream text;
  write_schedule(text, one.schedule, routing.topology());
  return text.str();
}

std::vector<const Algorithm*> block_algorithms(const Topology& topology) {
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.is_synthesized) continue;  // synthesized_test.cpp has them
    if (is_join(algorithm.kind)) continue;   // joins carry no blocks
    if (algorithm.operation != Operation::bcast && algorithm.is_for(topology)) {
      list.push_back(&algorithm);
    }
  }
  return list;
}

std::string complaints(const ScheduleReport& report) {
  std::string text;
  for (const Finding* finding : {&report.exactly_once, &report.causality, &report.port_rule,
                                 &report.routes_valid, &report.collective}) {
    for (const std::string& sentence : finding->first) text += sentence + "\n";
  }
  text += report.stepwise.ok() ? "" : "stepwise\n";
  text += report.definition4.ok() ? "" : "definition4\n";
  return text + (report.theorem1.ok() ? "" : "theorem1\n");
}

// Those whose messages may meet. On hypercubes recursive doubling and halving go between
// neighbours, and the routes of a step of xor are e-cube routes that share no channel. Blocks for
// corners take channels of others.
std::string expected_complaints(const Algorithm& algorithm, const Topology& topology,
                                const ScheduleReport& report) {
  const std::string_view name = algorithm.name;
  const bool is_exchange = name == "exchange-reduce-scatter" || name == "rabenseifner" ||
                           name == "rabenseifner-near" || name == "doubling-allgather" ||
                           name == "doubling-allreduce";
  const bool is_pairwise = name == "direct-alltoall" || name == "xor-alltoall" ||
                           name == "direct-neighbor-box" || name == "direct-neighbor-nw";
  const bool may_meet = is_pairwise || (is_exchange && !topology.is_hypercube());
  if (!may_meet) return "";
  if (topology.is_hypercube() && name == "xor-alltoall") {
    EXPECT_TRUE(report.stepwise.ok()) << topology.name();
  }
  std::string text = report.stepwise.ok() ? "" : "stepwise\n";
  text += report.definition4.ok() ? "" : "definition4\n";
  return text + (report.theorem1.ok() ? "" : "theorem1\n");
}

// Whether the root makes a difference: an all-reduce or a barrier may go through one.
bool has_root(Operation operation) {
  return operation != Operation::allgather && operation != Operation::alltoall &&
         operation != Operation::reduce_scatter && !stencil_of(operation);
}

// Partners of swing that are three nodes apart share channels.
bool contends(const Algorithm& algorithm, const Topology& topology) {
  const std::vector<int>& sides = topology.sides();
  return algorithm.paper == "DeSensi24" && *std::max_element(sides.begin(), sides.end()) >= 8;
}

TEST(BlockCollectives, AllOfThemAreProvedForAllRootsPortsAndOrders) {
  std::vector<Routing> fabrics;
  for (int n = 1; n <= 5; ++n) {
    fabrics.push_back(routing_on("hypercube:" + std::to_string(n)));
    fabrics.push_back(ascending_on("hypercube:" + std::to_string(n)));
  }
  for (int p = 3; p <= 12; ++p) fabrics.push_back(routing_on("ring:" + std::to_string(p)));
  for (const char* name : {"torus:2x2", "torus:3x4", "torus:5x2x3", "torus:4x4", "mesh:2x2",
                           "mesh:4x3", "mesh:5", "mesh:2x3x2", "torus:2x2x2x2"}) {
    fabrics.push_back(routing_on(name));
  }
  for (const Routing& routing : fabrics) {
    const Topology& topology = routing.topology();
    for (const Algorithm* algorithm : block_algorithms(topology)) {
      const std::size_t roots = has_root(algorithm->operation) ? topology.node_count() : 1;
      for (std::size_t root = 0; root < roots; ++root) {
        for (int ports = 1; ports <= all_ports(routing); ++ports) {
          const bool is_between = ports > 2 && ports < all_ports(routing);
          if (is_between && root > 0) continue;
          if (contends(*algorithm, topology)) continue;  // AlgorithmsInParts has it
          const Planned one = plan_blocks(algorithm->name, routing, root, ports);
          const ScheduleReport report = report_on(one, routing, ports);
          EXPECT_EQ(complaints(report), expected_complaints(*algorithm, topology, report))
              << algorithm->name << " on " << topology.name() << " root " << root << " k " << ports;
          EXPECT_EQ(BlockFlow(one.schedule, one.goal).program_fault(), "") << algorithm->name;
        }
      }
    }
  }
}

TEST(BlockCollectives, HaveTheTextbooksNumbersOfSteps) {
  for (int p = 3; p <= 20; ++p) {
    const Routing ring = routing_on("ring:" + std::to_string(p));
    for (const char* name : {"ring-scatter", "ring-gather", "ring-allgather"}) {
      EXPECT_EQ(plan_blocks(name, ring, 1).schedule.steps(), p - 1) << name;
    }
    EXPECT_EQ(plan_blocks("ring-reduce-scatter", ring, 0).schedule.steps(), p - 1);
    EXPECT_EQ(plan_blocks("ring-allreduce", ring, 0).schedule.steps(), 2 * (p - 1));
    EXPECT_EQ(plan_blocks("ring-alltoall", ring, 0).schedule.steps(), p * (p - 1) / 2);
  }
  for (int n = 1; n <= 8; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    for (const char* name : {"exchange-scatter", "exchange-gather", "exchange-allgather",
                             "exchange-alltoall", "exchange-allreduce", "exchange-reduce-scatter",
                             "doubling-allgather", "doubling-allreduce", "sbt-reduce"}) {
      EXPECT_EQ(plan_blocks(name, cube, 0).schedule.steps(), n) << name;
    }
    EXPECT_EQ(plan_blocks("sbt-allreduce", cube, 0).schedule.steps(), 2 * n);
    EXPECT_EQ(plan_blocks("rabenseifner", cube, 0).schedule.steps(), 2 * n);
    EXPECT_EQ(plan_blocks("rabenseifner-near", cube, 0).schedule.steps(), 2 * n);
    EXPECT_EQ(plan_blocks("xor-alltoall", cube, 0).schedule.steps(), (1 << n) - 1);
    EXPECT_EQ(plan_blocks("direct-alltoall", cube, 0).schedule.steps(), (1 << n) - 1);
  }
}

// [CasanovaSlides], p = 6, source 4: sent in the order 3, 2, 1, 0, 5; node 5 forwards 4 of them,
// node 0 three, and so on.
TEST(BlockCollectives, RingScatterIsThatOfTheSlides) {
  const Planned one = plan_blocks("ring-scatter", routing_on("ring:6"), 4);
  std::vector<BlockId> from_source;
  std::vector<int> sends(6);
  for (const Unicast& unicast : one.schedule.unicasts) {
    if (index(unicast.u) == 4) from_source.push_back(unicast.blocks.front());
    ++sends[index(unicast.u)];
  }

  EXPECT_THAT(from_source, ElementsAre(3, 2, 1, 0, 5));
  EXPECT_THAT(sends, ElementsAre(3, 2, 1, 0, 5, 4));
}

// What `node` sends, `step: blocks to receiver`.
std::vector<std::string> program_of(std::size_t node, const Schedule& schedule) {
  std::vector<std::string> lines;
  for (const Unicast& unicast : schedule.unicasts) {
    if (index(unicast.u) != node) continue;
    std::string line = std::to_string(unicast.step) + ":";
    for (const BlockId block : unicast.blocks) line += " " + std::to_string(block);
    lines.push_back(line + " to " + std::to_string(index(unicast.v)));
  }
  return lines;
}

// docs/collectives.md, the examples of torus:4x2.
TEST(BlockCollectives, ExchangesGoByTheBitsOfTheNumberOfANode) {
  const Routing torus = routing_on("torus:4x2");

  EXPECT_THAT(program_of(1, plan_blocks("doubling-allgather", torus, 0).schedule),
              ElementsAre("1: 1 to 0", "2: 0 1 to 3", "3: 0 1 2 3 to 5"));
  EXPECT_THAT(program_of(1, plan_blocks("doubling-allreduce", torus, 0).schedule),
              ElementsAre("1: 0 to 0", "2: 0 to 3", "3: 0 to 5"));
  EXPECT_THAT(program_of(1, plan_blocks("rabenseifner-near", torus, 0).schedule),
              ElementsAre("1: 0 2 4 6 to 0", "2: 3 7 to 3", "3: 5 to 5", "4: 1 to 5", "5: 1 5 to 3",
                          "6: 1 3 5 7 to 0"));
  EXPECT_THAT(program_of(1, plan_blocks("rabenseifner", torus, 0).schedule),
              ElementsAre("1: 4 5 6 7 to 5", "2: 2 3 to 3", "3: 0 to 0", "4: 1 to 0", "5: 0 1 to 3",
                          "6: 0 1 2 3 to 5"));
}

TEST(BlockCollectives, DoublingIsTheExchangeOfAHypercube) {
  const Routing cube = routing_on("hypercube:4");
  for (const auto& [doubling, exchange] : {std::pair{"doubling-allgather", "exchange-allgather"},
                                           {"doubling-allreduce", "exchange-allreduce"}}) {
    EXPECT_EQ(lines(plan_blocks(doubling, cube, 0), cube),
              lines(plan_blocks(exchange, cube, 0), cube));
  }
}

TEST(BlockCollectives, PairwiseAlltoallSendsEachBlockStraightToItsNode) {
  EXPECT_THAT(program_of(2, plan_blocks("direct-alltoall", routing_on("mesh:2x2"), 0).schedule),
              ElementsAre("1: 11 to 3", "2: 8 to 0", "3: 9 to 1"));
  EXPECT_THAT(program_of(2, plan_blocks("xor-alltoall", routing_on("mesh:2x2"), 0).schedule),
              ElementsAre("1: 11 to 3", "2: 8 to 0", "3: 9 to 1"));
  EXPECT_THAT(program_of(1, plan_blocks("xor-alltoall", routing_on("mesh:2x2"), 0).schedule),
              ElementsAre("1: 4 to 0", "2: 7 to 3", "3: 6 to 2"));
}

TEST(BlockCollectives, ExchangesBetweenNodesThatAreNoNeighboursMayMeet) {
  const Routing torus = routing_on("torus:8x8");
  for (const char* name :
       {"doubling-allgather", "doubling-allreduce", "rabenseifner", "rabenseifner-near",
        "exchange-reduce-scatter", "direct-alltoall", "xor-alltoall"}) {
    const ScheduleReport report = report_on(plan_blocks(name, torus, 0), torus);
    EXPECT_TRUE(report.collective.ok()) << name;
    EXPECT_FALSE(report.stepwise.ok() || report.stepwise_vc.ok() || report.theorem1.ok()) << name;
  }
}

// docs/collectives.md: both ways in step 1, one way in step 2.
TEST(BlockCollectives, DimsAllgatherGoesBothWaysAroundARing) {
  const Planned one = plan_blocks("dims-allgather", routing_on("ring:4"), 0);
  std::vector<std::string> of_node_2;
  for (const Unicast& unicast : one.schedule.unicasts) {
    if (index(unicast.u) != 2) continue;
    of_node_2.push_back(std::to_string(unicast.step) + ": block " +
                        std::to_string(unicast.blocks.front()) + " to " +
                        std::to_string(index(unicast.v)));
  }
  EXPECT_THAT(of_node_2, ElementsAre("1: block 2 to 3", "1: block 2 to 1", "2: block 1 to 3"));
  EXPECT_EQ(one.schedule.unicasts.size(), 12U);
}

// A message for each node of a line with the plane behind it, the farthest first.
TEST(BlockCollectives, DimsScatterSendsTheFarthestPlaneFirst) {
  const Planned one = plan_blocks("dims-scatter", routing_on("mesh:3x2"), 0);
  std::vector<std::vector<BlockId>> of_root;
  for (const Unicast& unicast : one.schedule.unicasts) {
    if (index(unicast.u) == 0) of_root.push_back(unicast.blocks.values());
  }
  EXPECT_THAT(of_root, ElementsAre(ElementsAre(2, 5), ElementsAre(1, 4), ElementsAre(3)));
}

std::vector<std::string> sends_of(std::size_t node, const Planned& one) {
  std::vector<std::string> words;
  for (const Unicast& unicast : one.schedule.unicasts) {
    if (index(unicast.u) != node) continue;
    std::string text = std::to_string(unicast.step) + (unicast.adds ? " adds" : " sends");
    for (const BlockId block : unicast.blocks) text += " " + std::to_string(block);
    words.push_back(text + " to " + std::to_string(index(unicast.v)));
  }
  return words;
}

// The examples of docs/collectives.md.
TEST(BlockCollectives, RingAllreduceSumsAroundTheRingThenGathers) {
  const Routing ring = routing_on("ring:4");

  EXPECT_THAT(sends_of(0, plan_blocks("ring-reduce-scatter", ring, 0)),
              ElementsAre("1 adds 3 to 1", "2 adds 2 to 1", "3 adds 1 to 1"));
  EXPECT_THAT(sends_of(0, plan_blocks("ring-allreduce", ring, 0)),
              ElementsAre("1 adds 3 to 1", "2 adds 2 to 1", "3 adds 1 to 1", "4 sends 0 to 1",
                          "5 sends 3 to 1", "6 sends 2 to 1"));
}

TEST(BlockCollectives, RabenseifnerHalvesThenDoubles) {
  const Routing cube = routing_on("hypercube:3");

  EXPECT_THAT(sends_of(1, plan_blocks("exchange-reduce-scatter", cube, 0)),
              ElementsAre("1 adds 4 5 6 7 to 5", "2 adds 2 3 to 3", "3 adds 0 to 0"));
  EXPECT_THAT(sends_of(1, plan_blocks("rabenseifner", cube, 0)),
              ElementsAre("1 adds 4 5 6 7 to 5", "2 adds 2 3 to 3", "3 adds 0 to 0",
                          "4 sends 1 to 0", "5 sends 0 1 to 3", "6 sends 0 1 2 3 to 5"));
}

TEST(BlockCollectives, DimsReduceScatterIsTheAllgatherBackwards) {
  const Routing mesh = routing_on("mesh:3x2");

  EXPECT_THAT(sends_of(0, plan_blocks("dims-reduce-scatter", mesh, 0)),
              ElementsAre("1 adds 3 4 5 to 3", "2 adds 2 to 1", "3 adds 1 to 1"));
  EXPECT_THAT(
      sends_of(1, plan_blocks("dims-allreduce", mesh, 0)),
      ElementsAre("1 adds 3 4 5 to 4", "3 adds 0 to 0", "3 adds 2 to 2", "4 sends 1 to 2",
                  "4 sends 1 to 0", "5 sends 0 to 2", "5 sends 2 to 0", "6 sends 0 1 2 to 4"));
}

// A vector of three flits in eight blocks has five empty ones.
TEST(BlockCollectives, EmptyBlocksAreNotSent) {
  const Routing cube = routing_on("hypercube:3");
  const Algorithm& algorithm = find_algorithm("rabenseifner");
  const Multicast goal = broadcast(cube.topology(), node_id(0));
  Schedule schedule = planned("rabenseifner", cube, goal);
  const Collective three = without_empty_blocks(algorithm, cube.topology(), goal, 3, schedule);

  const Planned one{schedule, three};
  EXPECT_EQ(three.block_count(), 8U);
  EXPECT_EQ(three.blocks_after(node_id(0)), (std::vector<BlockId>{0, 1, 2}));
  EXPECT_THAT(sends_of(1, one), ElementsAre("2 adds 2 to 3", "3 adds 0 to 0", "4 sends 1 to 0",
                                            "5 sends 0 1 to 3", "6 sends 0 1 2 to 5"));
  EXPECT_EQ(complaints(report_on(one, cube)), "");
  EXPECT_EQ(BlockFlow(one.schedule, one.goal).program_fault(), "");
  Schedule whole = planned("rabenseifner", cube, goal);
  EXPECT_FALSE(without_empty_blocks(algorithm, cube.topology(), goal, 8, whole).has_empty_blocks());
  EXPECT_EQ(whole.unicasts.size(), 48U);
}

// Node 0 receives block 1 in step 1 and block 0 in step 2; it sends block 0 in step 3.
TEST(BlockCollectives, ASumWaitsForTheReceptionsThatNameItsBlocks) {
  Schedule schedule;
  const auto add = [&](std::size_t u, std::size_t v, int step, std::vector<BlockId> blocks) {
    Unicast unicast;
    unicast.u = node_id(u);
    unicast.v = node_id(v);
    unicast.step = step;
    unicast.blocks = std::move(blocks);
    unicast.adds = true;
    schedule.unicasts.push_back(std::move(unicast));
  };
  add(1, 0, 1, {1});
  add(2, 0, 2, {0, 1});
  add(0, 3, 3, {0});
  add(0, 3, 3, {0, 1});
  add(3, 0, 4, {0});
  schedule.unicasts[3].order = 1;
  const Collective goal(Operation::allreduce, 4, NodeId{}, 2);
  const BlockFlow flow(schedule, goal);

  EXPECT_THAT(flow.waits_for(2), ElementsAre(1U));
  EXPECT_THAT(flow.waits_for(3), ElementsAre(0U, 1U));
  EXPECT_TRUE(flow.waits_for(0).empty());
}

TEST(BlockCollectives, ExchangeAlltoallSendsHalfOfAllBlocksInEachStep) {
  const Routing cube = routing_on("hypercube:4");
  for (const Unicast& unicast : plan_blocks("exchange-alltoall", cube, 0).schedule.unicasts) {
    EXPECT_EQ(unicast.blocks.size(), 8U);
  }
}

// The routes up are the opposite order's routes down, reversed.
TEST(BlockCollectives, WsortReduceTravelsTheReversedRoutesOfTheOppositeOrder) {
  const Routing descending = routing_on("hypercube:5");
  const Routing ascending = ascending_on("hypercube:5");
  const Schedule tree = planned("wsort", ascending, broadcast(ascending.topology(), node_id(3)));
  const Schedule up = plan_blocks("wsort-reduce", descending, 3).schedule;
  ASSERT_EQ(up.unicasts.size(), tree.unicasts.size());
  for (const Unicast& down : tree.unicasts) {
    std::vector<Channel> reversed;
    for (const Channel& channel : ascending.path(down.u, down.v)) {
      reversed.insert(reversed.begin(),
                      {*ascending.topology().neighbour(channel.node, channel.port), channel.port});
    }
    EXPECT_EQ(descending.path(down.v, down.u), reversed);
  }
}

TEST(BlockCollectives, AScheduleIsReadBackAsItWasWritten) {
  for (const char* name : {"ring-alltoall", "exchange-scatter", "sbt-allreduce"}) {
    const Routing routing =
        routing_on(std::string_view(name).substr(0, 4) == "ring" ? "ring:5" : "hypercube:3");
    const Planned one = plan_blocks(name, routing, 2);
    std::istringstream text(lines(one, routing));

    const Schedule read = read_schedule(text, "plan", routing.topology());

    EXPECT_EQ(lines({read, one.goal}, routing), lines(one, routing)) << name;
  }
}

TEST(BlockCollectives, LinesNameBlocksAndSums) {
  const Routing ring = routing_on("hypercube:1");

  EXPECT_EQ(lines(plan_blocks("sbt-reduce", ring, 0), ring),
            "{\"u\":1,\"v\":0,\"step\":1,\"order\":0,\"blocks\":[0],\"adds\":true}\n");
}

// What is broken is found: every check is seen to fail.
class Broken : public testing::Test {
 protected:
  Broken() : ring(routing_on("ring:6")), cube(routing_on("hypercube:3")) {}
  Routing ring;
  Routing cube;
};

TEST_F(Broken, ADroppedSendIsALossAndBreaksCausality) {
  Planned one = plan_blocks("ring-scatter", ring, 4);
  one.schedule.unicasts.erase(one.schedule.unicasts.begin());  // 4 -> 5, block 3

  const ScheduleReport report = report_on(one, ring);

  EXPECT_EQ(report.causality.violations, 1U);
  EXPECT_THAT(report.causality.first.front(), HasSubstr("node 5 does not hold block 3 before"));
  EXPECT_FALSE(report.collective.ok());
}

TEST_F(Broken, ALastSendDroppedIsNamedWithItsNode) {
  Planned one = plan_blocks("ring-scatter", ring, 4);
  one.schedule.unicasts.pop_back();

  const ScheduleReport report = report_on(one, ring);

  EXPECT_EQ(report.exactly_once.violations, 1U);
  EXPECT_THAT(report.exactly_once.first.front(), HasSubstr("never receives block"));
  EXPECT_EQ(report.collective.violations, 1U);
}

TEST_F(Broken, ABlockThatComesTwiceIsARepetition) {
  Planned one = plan_blocks("ring-gather", ring, 0);
  Unicast again = one.schedule.unicasts.back();
  ++again.order;
  ++again.step;
  one.schedule.unicasts.push_back(again);

  const ScheduleReport report = report_on(one, ring);

  EXPECT_THAT(report.exactly_once.first, ElementsAre(HasSubstr("which it already has")));
}

TEST_F(Broken, ABlockSentInTheStepInWhichItComesBreaksCausality) {
  Planned one = plan_blocks("exchange-allgather", cube, 0);
  for (Unicast& unicast : one.schedule.unicasts) unicast.step = std::min(unicast.step, 2);

  EXPECT_EQ(report_on(one, cube).causality.violations, 8U);
}

TEST_F(Broken, AContributionAddedTwiceIsNamed) {
  Planned one = plan_blocks("sbt-reduce", cube, 0);
  Unicast again = one.schedule.unicasts.front();
  ++again.order;
  ++again.step;
  one.schedule.unicasts.push_back(again);

  EXPECT_THAT(report_on(one, cube).exactly_once.first.front(),
              HasSubstr("adds the contribution of node"));
}

TEST_F(Broken, ASumThatOverwritesContributionsIsALoss) {
  Planned one = plan_blocks("exchange-allreduce", cube, 0);
  one.schedule.unicasts.back().adds = false;

  const ScheduleReport report = report_on(one, cube);

  EXPECT_THAT(report.collective.first.front(), HasSubstr("gives up the contribution"));
}

TEST_F(Broken, ASumWithoutAllContributionsIsCounted) {
  Planned one = plan_blocks("exchange-allreduce", cube, 0);
  one.schedule.unicasts.pop_back();

  EXPECT_THAT(report_on(one, cube).exactly_once.first.front(),
              HasSubstr("has 4 of 8 contributions"));
}

TEST_F(Broken, AContributionToABlockAddedTwiceIsNamedWithTheBlock) {
  Planned one = plan_blocks("ring-reduce-scatter", ring, 0);
  for (Unicast& unicast : one.schedule.unicasts) {
    if (unicast.step == 2 && index(unicast.u) == 0) unicast.blocks = {4, 5};
  }

  const ScheduleReport report = report_on(one, ring);

  EXPECT_THAT(
      report.exactly_once.first.front(),
      HasSubstr(
          "unicast 0 -> 1 (step 2): node 1 adds the contribution of node 0 to block 5 twice"));
}

TEST_F(Broken, AMissingContributionToABlockIsCounted) {
  Planned one = plan_blocks("rabenseifner", cube, 0);
  for (Unicast& unicast : one.schedule.unicasts) {
    if (unicast.step == 1 && index(unicast.u) == 1) unicast.blocks = {4, 5, 6};
  }

  const ScheduleReport report = report_on(one, cube);

  EXPECT_THAT(report.exactly_once.first.front(),
              HasSubstr("the sum of block 7 at node 0 has 7 of 8 contributions at the end"));
  EXPECT_EQ(report.exactly_once.violations, 8U);
}

// Nodes 2 and 3 get the sums of each other's blocks.
TEST_F(Broken, TheSumOfAnothersBlockIsNotOnesOwn) {
  Planned one = plan_blocks("exchange-reduce-scatter", cube, 0);
  for (Unicast& unicast : one.schedule.unicasts) {
    if (unicast.step == 3 && index(unicast.u) / 2 == 1) unicast.blocks = {unicast.blocks[0] ^ 1U};
  }

  EXPECT_THAT(
      report_on(one, cube).exactly_once.first,
      ElementsAre(HasSubstr("the sum of block 2 at node 2 has 4 of 8 contributions at the end"),
                  HasSubstr("the sum of block 3 at node 3 has 4 of 8 contributions at the end")));
}

TEST_F(Broken, ASumThatOverwritesContributionsToABlockIsALoss) {
  Planned one = plan_blocks("dims-allreduce", ring, 0);
  one.schedule.unicasts.front().adds = false;

  EXPECT_THAT(report_on(one, ring).collective.first.front(),
              HasSubstr("node 5 gives up the contribution of node 5 to block 3"));
}

// They are followed a few at a time; block 0 is the only one that is sent.
TEST_F(Broken, EachOfMillionsOfSumsIsJudged) {
  const Planned one{plan_blocks("sbt-reduce", cube, 0).schedule,
                    {Operation::reduce, 8, node_id(0), (std::size_t{1} << 21) + 1}};

  const ScheduleReport report = report_on(one, cube);
  EXPECT_EQ(report.exactly_once.violations, std::size_t{1} << 21);
  EXPECT_EQ(report.exactly_once.first.front(),
            "the sum of block 1 at node 0 has 1 of 8 contributions at the end");
}

TEST_F(Broken, TwoSendsOverOneChannelInAStepAreContention) {
  Planned one = plan_blocks("ring-alltoall", ring, 0);
  for (Unicast& unicast : one.schedule.unicasts) unicast.step = (unicast.step + 1) / 2;

  EXPECT_FALSE(report_on(one, ring).stepwise.ok());
  EXPECT_FALSE(report_on(one, ring).theorem1.ok());
}

TEST_F(Broken, BlocksThatCannotBeAreRefused) {
  Planned one = plan_blocks("ring-gather", ring, 0);
  one.schedule.unicasts.front().blocks = {6};
  EXPECT_THAT(complaint_of([&] { report_on(one, ring); }),
              HasSubstr("block 6 is not one of 0..5 of gather"));
  one.schedule.unicasts.front().blocks = {1, 1};
  EXPECT_THAT(complaint_of([&] { report_on(one, ring); }), HasSubstr("carries block 1 twice"));
  one.schedule.unicasts.front().blocks = {};
  EXPECT_THAT(complaint_of([&] { report_on(one, ring); }), HasSubstr("carries no blocks"));
  one.schedule.unicasts.front().blocks = {1};
  one.schedule.unicasts.front().adds = true;
  EXPECT_THAT(complaint_of([&] { report_on(one, ring); }), HasSubstr("are not sums"));
}

TEST_F(Broken, ProgramsThatWaitInACircleAreFound) {
  Planned one = plan_blocks("ring-allgather", ring, 0);
  for (Unicast& unicast : one.schedule.unicasts) unicast.order = 10 - unicast.order;

  EXPECT_THAT(BlockFlow(one.schedule, one.goal).program_fault(), HasSubstr("waits in a circle"));
}

// Two broadcasts of one block each down trees: by blocks as by the tree of the message itself.
TEST(BlockContention, AgreesWithTheTreeOnMulticasts) {
  for (const Routing& routing : {routing_on("hypercube:4"), ascending_on("hypercube:4")}) {
    for (std::uint32_t set = 1; set < (1U << 15); set += 97) {
      std::vector<NodeId> destinations;
      for (std::size_t i = 0; i < 15; ++i) {
        if ((set >> i & 1U) != 0) destinations.push_back(node_id(i + 1));
      }
      const Multicast goal = multicast(routing.topology(), node_id(0), destinations);
      Schedule schedule = planned("ucube", routing, goal);
      const ScheduleReport by_tree = checked(schedule, routing, goal);
      for (Unicast& unicast : schedule.unicasts) unicast.blocks = {0};
      const Collective blocks(16, goal, 1);

      const ScheduleReport by_blocks =
          check_schedule(schedule, {routing, all_ports(routing), {}, {}, &blocks});

      EXPECT_EQ(by_blocks.stepwise.violations, by_tree.stepwise.violations) << set;
      EXPECT_EQ(by_blocks.definition4.violations, by_tree.definition4.violations) << set;
      EXPECT_EQ(by_blocks.theorem1.violations, by_tree.theorem1.violations) << set;
    }
  }
}

}  // namespace
}  // namespace allport
