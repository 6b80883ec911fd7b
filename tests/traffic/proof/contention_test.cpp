// SPDX-License-Identifier: Apache-2.0
// The fast contention check is tested against the criteria as printed, over all pairs of random
// schedules.
#include "traffic/proof/contention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "rtl_model/base/split_mix.h"
#include "tests/traffic/algorithms/planning.h"
#include "tests/traffic/proof/literal_contention.h"

namespace allport {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : generator_(seed) {}
  std::size_t below(std::size_t bound) { return generator_.next() % bound; }

 private:
  SplitMix64 generator_;
};

struct RandomCase {
  Schedule schedule;
  std::vector<NodeId> sources;
};

// Puts the programs of all nodes in other orders than those of their steps.
void shuffle_programs(Schedule& schedule, Dice& dice) {
  std::vector<Unicast>& unicasts = schedule.unicasts;
  for (std::size_t i = 1; i < unicasts.size(); ++i) {
    Unicast& other = unicasts[dice.below(i)];
    if (other.u == unicasts[i].u) std::swap(other.order, unicasts[i].order);
  }
}

// A random causal tree (or two) over some of the nodes: any sender, any later step, ties at random.
RandomCase random_tree(const Routing& routing, Dice& dice) {
  const std::size_t node_count = routing.topology().node_count();
  std::vector<std::size_t> order(node_count);
  for (std::size_t i = 0; i < node_count; ++i) {
    order[i] = i;
    std::swap(order[i], order[dice.below(i + 1)]);
  }
  const std::size_t size = std::min(node_count, 2 + dice.below(40));
  const std::size_t source_count = 1 + dice.below(2);
  const std::size_t chattiness = 1 + dice.below(size);  // few senders, or many
  RandomCase result;
  std::vector<StepIndex> received(node_count, 0);
  std::vector<int> programs(node_count, 0);
  for (std::size_t i = 0; i < size; ++i) {
    if (i < source_count) {
      result.sources.push_back(node_id(order[i]));
      continue;
    }
    Unicast unicast;
    const std::size_t sender = order[dice.below(std::min(i, chattiness))];
    unicast.u = node_id(sender);
    unicast.v = node_id(order[i]);
    unicast.step = received[sender] + 1 + static_cast<StepIndex>(dice.below(3));
    unicast.order = programs[sender]++;
    set_ties(unicast, static_cast<TieMask>(dice.below(8)), routing);
    received[order[i]] = unicast.step;
    result.schedule.unicasts.push_back(unicast);
  }
  if (dice.below(2) == 0) shuffle_programs(result.schedule, dice);
  result.schedule.sort();
  return result;
}

void expect_equal(const Finding& finding, const std::vector<PairViolation>& literal) {
  ASSERT_EQ(finding.violations, std::min<std::size_t>(literal.size(), 1000));
  ASSERT_EQ(finding.is_truncated, literal.size() > 1000);
  ASSERT_EQ(finding.pairs.size(), std::min<std::size_t>(literal.size(), 10));
  if (finding.is_truncated) return;  // any ten
  for (std::size_t i = 0; i < finding.pairs.size(); ++i) {
    ASSERT_EQ(finding.pairs[i].a, literal[i].a);
    ASSERT_EQ(finding.pairs[i].b, literal[i].b);
    ASSERT_EQ(finding.pairs[i].channel, literal[i].channel);
  }
}

void compare_on(const Routing& routing, int trees) {
  for (int seed = 0; seed < trees; ++seed) {
    SCOPED_TRACE(routing.topology().name() + " seed " + std::to_string(seed));
    Dice dice(static_cast<std::uint64_t>(seed));
    const RandomCase tree = random_tree(routing, dice);
    const LiteralFindings literal = literal_contention(tree.schedule, routing);

    const ScheduleReport report =
        check_schedule(tree.schedule, {routing, all_ports(routing), tree.sources, {}});

    ASSERT_TRUE(report.exactly_once.ok() && report.causality.ok() && report.routes_valid.ok());
    expect_equal(report.stepwise, literal.stepwise);
    expect_equal(report.stepwise_vc, literal.stepwise_vc);
    expect_equal(report.definition4, literal.definition4);
    expect_equal(report.theorem1, literal.theorem1);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Blocks that random nodes hold go to random nodes, several at once, in random steps; programs are
// in the order of the steps or, in half of the cases, in the opposite one.
Schedule random_allgather(const Routing& routing, Dice& dice) {
  const std::size_t nodes = routing.topology().node_count();
  std::vector<std::map<BlockId, StepIndex>> held(nodes);
  for (std::size_t i = 0; i < nodes; ++i) held[i][static_cast<BlockId>(i)] = 0;
  std::vector<int> programs(nodes, 0);
  Schedule schedule;
  StepIndex step = 1;
  const std::size_t active = std::min(nodes, 2 + dice.below(10));  // they send most
  for (std::size_t left = 2 + dice.below(40); left > 0; --left) {
    const std::size_t u = dice.below(active);
    const std::size_t v = dice.below(nodes);
    if (dice.below(3) == 0) ++step;
    Unicast unicast{node_id(u), node_id(v), step};
    for (const auto& [block, since] : held[u]) {
      const bool is_new = held[v].count(block) == 0 && since < step;
      if (is_new && dice.below(2) == 0) unicast.blocks.push_back(block);
    }
    if (unicast.blocks.empty()) continue;
    for (const BlockId block : unicast.blocks) held[v][block] = step;
    unicast.order = programs[u]++;
    set_ties(unicast, static_cast<TieMask>(dice.below(8)), routing);
    schedule.unicasts.push_back(unicast);
  }
  if (dice.below(2) == 0) shuffle_programs(schedule, dice);
  schedule.sort();
  return schedule;
}

void compare_blocks_on(const std::string& shape, int cases) {
  const Routing routing = routing_on(shape);
  const Collective goal(Operation::allgather, routing.topology().node_count(), node_id(0));
  std::size_t proved = 0;
  for (int seed = 0; seed < cases; ++seed) {
    SCOPED_TRACE(shape + " seed " + std::to_string(seed));
    Dice dice(static_cast<std::uint64_t>(seed));
    const Schedule schedule = random_allgather(routing, dice);
    const LiteralFindings literal =
        literal_block_contention(schedule, BlockFlow(schedule, goal), routing);

    const ScheduleReport report =
        check_schedule(schedule, {routing, all_ports(routing), {}, {}, &goal});

    expect_equal(report.stepwise, literal.stepwise);
    expect_equal(report.stepwise_vc, literal.stepwise_vc);
    expect_equal(report.definition4, literal.definition4);
    expect_equal(report.theorem1, literal.theorem1);
    if (testing::Test::HasFatalFailure()) return;
    if (report.theorem1.ok()) ++proved;
  }
  EXPECT_GT(proved, 0U);
  EXPECT_LT(proved, static_cast<std::size_t>(cases));
}

TEST(Contention, OfBlocksAgreesWithAllPairs) {
  for (const char* shape : {"hypercube:2", "hypercube:4", "ring:5", "ring:8", "mesh:4x4",
                            "torus:4x4", "torus:5x4", "torus:4x4x4", "torus:2x4x3"}) {
    compare_blocks_on(shape, 800);
  }
}

TEST(Contention, AgreesWithAllPairsOnHypercubes) {
  for (const char* shape :
       {"hypercube:2", "hypercube:3", "hypercube:4", "hypercube:5", "hypercube:6"}) {
    compare_on(routing_on(shape), 1500);
    compare_on(ascending_on(shape), 750);
  }
}

TEST(Contention, AgreesWithAllPairsOnRingsAndMeshes) {
  for (const char* shape : {"ring:2", "ring:5", "ring:8", "ring:17", "mesh:4x4", "mesh:3x4x2"}) {
    compare_on(routing_on(shape), 1500);
  }
}

TEST(Contention, AgreesWithAllPairsOnToriWithTiesTakenBothWays) {
  for (const char* shape : {"torus:2x2", "torus:4x4", "torus:5x4", "torus:8x8", "torus:2x6"}) {
    compare_on(routing_on(shape), 1500);
  }
}

// Here two routes may part around a ring and meet again after it.
TEST(Contention, AgreesWithAllPairsWhereRoutesMeetAgain) {
  for (const char* shape : {"torus:4x4x4", "torus:2x4x3", "torus:2x2x2x2"}) {
    compare_on(routing_on(shape), 1500);
  }
}

TEST(Contention, CountsAPairOnceThoughItsRoutesMeetAgain) {
  const Routing torus = routing_on("torus:4x4x4");
  const auto id = [](std::size_t x, std::size_t y, std::size_t z) {
    return node_id(x + 4 * y + 16 * z);
  };
  Schedule schedule;
  schedule.unicasts = {{id(0, 0, 0), id(1, 2, 1), 1, 0, MessageKind::unicast, {}},
                       {id(0, 0, 0), id(1, 2, 2), 1, 1, MessageKind::unicast, {1, -2, 2}}};

  const ScheduleReport report = check_schedule(schedule, {torus, 6, {id(0, 0, 0)}, {}});

  EXPECT_EQ(report.stepwise.violations, 1U);
  EXPECT_EQ(report.stepwise.pairs.at(0).channel, (Channel{id(0, 0, 0), port_id(0)}));
}

// Conditions 3 and 4 of Theorem 1 demand the same first channel: if a message goes half a ring, two
// messages of one sender to the same column may leave on different channels.
TEST(Contention, OneSenderIsNoOrderWithoutACommonFirstChannel) {
  const Routing torus = routing_on("torus:4x4");
  Schedule schedule;
  schedule.unicasts = {{node_id(0), node_id(2 + 4), 1, 0, MessageKind::unicast, {}},
                       {node_id(0), node_id(2 + 8), 2, 1, MessageKind::unicast, {-2, 2}}};

  const ScheduleReport report = check_schedule(schedule, {torus, 4, {node_id(0)}, {}});

  EXPECT_TRUE(report.definition4.ok());
  EXPECT_EQ(report.theorem1.violations, 1U);
  EXPECT_EQ(report.theorem1.pairs.at(0).channel, (Channel{node_id(2), port_id(2)}));
}

}  // namespace
}  // namespace allport
