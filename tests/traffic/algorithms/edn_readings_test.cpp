// SPDX-License-Identifier: Apache-2.0
// The readings of EDN are counted, and held against what [Hou98] says of it.
#include "traffic/algorithms/edn_readings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/theory/timing_model.h"

namespace allport {
namespace {

using Nodes = std::set<std::pair<int, int>>;

Nodes informed(const TorusBlock& block) {
  Nodes nodes;
  for (const BlockMember& one : block) nodes.emplace((one.place.x + 4) % 4, (one.place.y + 4) % 4);
  return nodes;
}

std::size_t informed_sets(const std::vector<TorusBlock>& blocks) {
  std::set<Nodes> sets;
  for (const TorusBlock& one : blocks) sets.insert(informed(one));
  return sets.size();
}

std::string torus_of(int side) {
  return "torus:" + std::to_string(side) + "x" + std::to_string(side);
}

// The block as lists of sends, in the order of their handling.
using Sends = std::vector<std::pair<int, int>>;
std::vector<Sends> sends_of(const TorusBlock& block) {
  std::vector<Sends> list(1);
  for (const BlockMember& member : block) {
    list.front().emplace_back(member.place.x, member.place.y);
    Sends sends;
    for (const Offset one : member.second_step) sends.emplace_back(one.x, one.y);
    list.push_back(sends);
  }
  return list;
}

std::size_t place_of(const TorusBlock& block) {
  const std::vector<TorusBlock>& all = edn_readings();
  const auto found = std::find_if(all.begin(), all.end(), [&](const TorusBlock& one) {
    return sends_of(one) == sends_of(block);
  });
  return static_cast<std::size_t>(found - all.begin());
}

TEST(EdnReadings, AreAllBlocksOfFourHopsInTwoSteps) {
  EXPECT_EQ(edn_blocks(2, 2).size(), 1216U);
  EXPECT_EQ(informed_sets(edn_blocks(2, 2)), 12U);
  EXPECT_EQ(edn_blocks(3, 1).size(), 16U);
  EXPECT_EQ(informed_sets(edn_blocks(3, 1)), 1U);
  EXPECT_EQ(edn_blocks(1, 3).size(), 0U);
  EXPECT_EQ(edn_readings().size(), 1232U);
}

TEST(EdnReadings, AreDifferentAndClosedUnderMirrorImages) {
  std::set<std::vector<std::set<std::pair<int, int>>>> known;
  const auto as_sets = [](const TorusBlock& block, int x, int y) {
    std::vector<std::set<std::pair<int, int>>> sets;
    for (const BlockMember& member : block) {
      std::set<std::pair<int, int>> sends{{100 + x * member.place.x, 100 + y * member.place.y}};
      for (const Offset one : member.second_step) sends.emplace(x * one.x, y * one.y);
      sets.push_back(sends);
    }
    std::sort(sets.begin(), sets.end());
    return sets;
  };
  for (const TorusBlock& one : edn_readings()) {
    EXPECT_TRUE(known.insert(as_sets(one, 1, 1)).second);
  }
  for (const TorusBlock& one : edn_readings()) {
    EXPECT_EQ(known.count(as_sets(one, -1, 1)), 1U);
    EXPECT_EQ(known.count(as_sets(one, 1, -1)), 1U);
  }
}

// [Hou98, section 6.1] for tc = 1.
Cycle printed_time(int d, const TimingParameters& timing) {
  const Cycle k = d / 2;
  const Cycle hops =
      d % 2 == 0 ? 4 * ((Cycle{1} << 2 * k) - 1) / 3 : 2 * ((Cycle{1} << (2 * k + 2)) - 1) / 3;
  return 3 * d * timing.ts + hops + d * (timing.flits + timing.tr);
}

void expect_what_the_text_says(std::size_t reading, const Routing& torus, int d) {
  const Multicast goal = broadcast(torus.topology(), node_id(0));
  const Schedule schedule =
      plan_by_blocks({torus, all_ports(torus), goal}, edn_readings()[reading]);
  const ScheduleReport report = checked(schedule, torus, goal);
  EXPECT_TRUE(report.exactly_once.ok() && report.causality.ok() && report.port_rule.ok() &&
              report.routes_valid.ok() && report.stepwise.ok())
      << "reading " << reading << ", d = " << d;
  EXPECT_EQ(schedule.steps(), d);
  for (const TimingParameters& timing : {TimingParameters{0, 0, 64}, TimingParameters{200, 7, 1}}) {
    const std::vector<Cycle> latencies = predicted_latency(schedule, torus, {node_id(0)}, timing);
    EXPECT_EQ(*std::max_element(latencies.begin(), latencies.end()), printed_time(d, timing))
        << "reading " << reading << ", d = " << d;
  }
}

// The search knows the 4 x 4 torus only; plans and proofs know all of them. On 32 x 32 few are
// tried.
TEST(EdnReadings, DoOnLargerToriWhatTheTextSays) {
  for (int d = 2; d <= 5; ++d) {
    const Routing torus = routing_on(torus_of(1 << d));
    const std::size_t stride = d < 5 ? 1 : 16;
    for (std::size_t i = 0; i < edn_readings().size(); i += stride) {
      expect_what_the_text_says(i, torus, d);
    }
  }
}

TEST(EdnReadings, WithOnePatternAreThirtyTwo) {
  const auto with_one = [](int first, int second) {
    const std::vector<TorusBlock> blocks = edn_blocks(first, second);
    return std::count_if(blocks.begin(), blocks.end(), has_one_pattern);
  };
  EXPECT_EQ(with_one(2, 2), 16);
  EXPECT_EQ(with_one(3, 1), 16);
}

// By the rule of docs/algorithms.md, section 10, of which tests/testbench has the simulations.
TEST(EdnReadings, HaveEdnAmongThoseWithOnePattern) {
  EXPECT_TRUE(has_one_pattern(edn_block()));
  EXPECT_EQ(place_of(edn_block()), 640U);
}

// A schedule with the ways that its messages take.
std::string with_ways(const Schedule& schedule, const Routing& torus) {
  std::string text;
  for (const Unicast& one : schedule.unicasts) {
    text += std::to_string(index(one.u)) + "," + std::to_string(one.step) + ":";
    for (const int by : torus.displacement(one.u, one.v, ties_of(one, torus))) {
      text += " " + std::to_string(by);
    }
    text += ";";
  }
  return text;
}

TEST(EdnReadings, HaveFarThenNearAmongThoseOfThreeHopsAndOne) {
  const Routing torus = routing_on("torus:8x8");
  const Multicast goal = broadcast(torus.topology(), node_id(0));
  const std::string far_then_near = with_ways(planned("far-then-near", torus, goal), torus);
  std::size_t equal = 0;
  for (const TorusBlock& one : edn_blocks(3, 1)) {
    const Schedule schedule = plan_by_blocks({torus, all_ports(torus), goal}, one);
    equal += with_ways(schedule, torus) == far_then_near ? 1 : 0;
  }
  EXPECT_EQ(equal, 1U);
}

TEST(EdnReadings, GoByTheSeed) {
  const Routing torus = routing_on("torus:8x8");
  const Multicast goal = broadcast(torus.topology(), node_id(3));
  const auto by_seed = [&](std::uint64_t seed) {
    PlanRequest request{torus, all_ports(torus), goal};
    request.seed = seed;
    return plan(find_algorithm("edn-reading"), request);
  };
  const Schedule edn = planned("edn", torus, goal);

  EXPECT_EQ(with_ways(by_seed(640), torus), with_ways(edn, torus));
  EXPECT_EQ(with_ways(by_seed(640 + 1232), torus), with_ways(edn, torus));
  EXPECT_NE(with_ways(by_seed(641), torus), with_ways(edn, torus));
}

}  // namespace
}  // namespace allport
