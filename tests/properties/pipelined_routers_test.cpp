// SPDX-License-Identifier: Apache-2.0
// Routers with a pipeline (docs/router.md, pipelined routers): the contract's worked cases, its
// formulas, and cases worked out by hand, on the reference model and on the models under test.
// Random cases with pipelines are among those of all other properties.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/properties/reference/drawn_case.h"
#include "tests/properties/reference/explained_case.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_case.h"

namespace allport::test {
namespace {

using reference::Kind;
using reference::Mode;

struct Pipeline {
  int a = 0, v = 0, x = 0;
  int sum() const { return a + v + x; }
};

/// All of 0 or 1, and some that are deeper.
std::vector<Pipeline> pipelines() {
  std::vector<Pipeline> list{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}, {2, 4, 3}};
  for (int stages = 0; stages < 8; ++stages) {
    list.push_back({stages & 1, stages >> 1 & 1, stages >> 2});
  }
  return list;
}

DrawnCase piped_case(const std::string& topology, Pipeline pipeline, int flits,
                     int buffer_depth = 4) {
  DrawnCase drawn;
  drawn.config.topology = topology;
  drawn.config.route_delay = pipeline.a;
  drawn.config.vc_delay = pipeline.v;
  drawn.config.crossbar_delay = pipeline.x;
  drawn.config.flits = flits;
  drawn.config.buffer_depth = buffer_depth;
  return drawn;
}

/// A fabric with one message.
DrawnCase lone_message(const std::string& topology, Pipeline pipeline, int u, int v, int flits,
                       int buffer_depth = 4) {
  DrawnCase drawn = piped_case(topology, pipeline, flits, buffer_depth);
  drawn.collectives = {{{u}, {{u, v}}}};
  return drawn;
}

std::string piped_in_words(const DrawnCase& drawn) {
  const reference::Config& c = drawn.config;
  return c.topology + " a " + std::to_string(c.route_delay) + " v " + std::to_string(c.vc_delay) +
         " x " + std::to_string(c.crossbar_delay) + " d " + std::to_string(c.link_delay) + " s " +
         std::to_string(c.phits.empty() ? 1 : c.phits.front()) + " r " +
         std::to_string(c.replication_delay) + " c " + std::to_string(c.combine_delay) + " B " +
         std::to_string(c.buffer_depth) + " L " + std::to_string(c.flits) + " mode " +
         std::to_string(static_cast<int>(c.mode));
}

/// `0>6 3..6`: a copy, and the cycles of its head and tail on the ejection channel.
std::string copy_in_words(int u, int v, reference::Cycle head, reference::Cycle tail) {
  return std::to_string(u) + ">" + std::to_string(v) + " " + std::to_string(head) + ".." +
         std::to_string(tail);
}

/// Deliveries, contention events and, of a deadlock, its date in the place of these.
std::vector<std::string> seen_in_words(const reference::Results& results) {
  std::vector<std::string> lines;
  for (const reference::Delivery& one : results.deliveries) {
    lines.push_back(copy_in_words(one.source, one.destination, one.head, one.tail));
  }
  if (results.is_deadlocked) {
    lines.push_back("deadlock in cycle " + std::to_string(results.deadlock_cycle));
    return lines;
  }
  for (const reference::ContentionEvent& one : results.contention) {
    lines.push_back("cycle " + std::to_string(one.cycle) + " for " + std::to_string(one.cycles) +
                    " at " + std::to_string(one.node) + "." + std::to_string(one.port));
  }
  return lines;
}

/// Demands this of the reference model, and of all others what that says. Worms are for wormhole
/// switching.
void expect_everywhere(const DrawnCase& drawn, const std::vector<std::string>& expected,
                       Traffic traffic = Traffic::schedule) {
  EXPECT_EQ(seen_in_words(simulate(drawn.config, drawn.collectives)), expected)
      << piped_in_words(drawn);
  EXPECT_EQ(compare_case(drawn, traffic), "") << piped_in_words(drawn);
  if (drawn.config.mode != Mode::wormhole) return;
  EXPECT_EQ(compare_worm_case(drawn, traffic), "") << piped_in_words(drawn) << ", worms";
}

// ---- One message ----

TEST(PipelinedRouters, TakeTheCyclesOfTheWorkedCases) {
  struct Row {
    Pipeline pipeline;
    int buffer_depth, head, tail;
  };
  for (const Row& row : std::vector<Row>{{{0, 0, 0}, 4, 3, 6},
                                         {{1, 0, 0}, 4, 6, 9},
                                         {{0, 1, 0}, 4, 6, 9},
                                         {{0, 0, 1}, 4, 6, 9},
                                         {{1, 1, 1}, 4, 12, 15},
                                         {{0, 0, 1}, 3, 6, 9},
                                         {{0, 0, 1}, 2, 6, 10},
                                         {{0, 0, 1}, 1, 6, 15}}) {
    expect_everywhere(lone_message("hypercube:3", row.pipeline, 0, 6, 4, row.buffer_depth),
                      {copy_in_words(0, 6, row.head, row.tail)});
  }
}

// Behind a narrow channel the other flits come nearer while the last router holds the head.
TEST(PipelinedRouters, TakeTheCyclesOfTheFormula) {
  constexpr int flits = 3;
  for (const Pipeline& pipeline : pipelines()) {
    for (const auto& [h, d, s] : std::vector<std::tuple<int, int, int>>{
             {1, 0, 1}, {3, 0, 1}, {2, 2, 1}, {1, 0, 3}, {3, 1, 2}}) {
      DrawnCase drawn = lone_message("mesh:4", pipeline, 0, h, flits, 16);
      drawn.config.link_delay = d;
      if (s > 1) drawn.config.phits = {s};
      const int head = (h + 1) * (1 + pipeline.sum()) + h * (d + s - 1);
      const int behind = std::max(flits - 1, (flits - 1) * s - pipeline.a - pipeline.v);
      expect_everywhere(drawn, {copy_in_words(0, h, head, head + behind)});
    }
  }
}

// Behind the last flit for which there is a place at once, the next one is late.
TEST(PipelinedRouters, RunAtFullRateFromTheDepthOfTheContractOn) {
  for (const Pipeline& pipeline : pipelines()) {
    for (const auto& [d, s] : std::vector<std::tuple<int, int>>{{0, 1}, {2, 1}, {1, 3}}) {
      const int depth = (s + 1 + 2 * d + pipeline.x + s - 1) / s;
      for (const int less : {0, 1}) {
        DrawnCase drawn = lone_message("mesh:3", pipeline, 0, 2, 24, depth - less);
        drawn.config.link_delay = d;
        if (s > 1) drawn.config.phits = {s};
        const auto results = simulate(drawn.config, drawn.collectives);
        const reference::Delivery& copy = results.deliveries.front();
        const int at_full_rate = static_cast<int>(copy.head) + 23 * s;
        EXPECT_EQ(copy.tail > at_full_rate, less == 1) << piped_in_words(drawn);
        EXPECT_EQ(compare_case(drawn, Traffic::schedule), "") << piped_in_words(drawn);
      }
    }
  }
}

// A head that waits for its tail is routed, and has its VC, meanwhile. In a circuit heads alone
// wait for a and v, and acknowledgements for nothing.
TEST(PipelinedRouters, TakeTheTimesOfSwitchingModes) {
  constexpr int flits = 4;
  constexpr int h = 2;
  for (const Pipeline& pipeline : pipelines()) {
    DrawnCase drawn = lone_message("hypercube:3", pipeline, 0, 6, flits, 8);
    const int head = (h + 1) * (1 + pipeline.sum());
    drawn.config.mode = Mode::cut_through;
    expect_everywhere(drawn, {copy_in_words(0, 6, head, head + flits - 1)}, Traffic::modes);
    const int held = std::max(pipeline.a + pipeline.v, flits - 1);
    const int stored = (h + 1) * (1 + pipeline.x + held);
    drawn.config.mode = Mode::store_and_forward;
    expect_everywhere(drawn, {copy_in_words(0, 6, stored, stored + flits - 1)}, Traffic::modes);
    const int second = head + h + 3 + (h + 1) * (1 + pipeline.x);
    drawn.config.mode = Mode::circuit;
    expect_everywhere(drawn, {copy_in_words(0, 6, head, second + flits - 2)}, Traffic::modes);
  }
}

// ---- Several messages ----

// 7>1 goes by 3, and 3>1 has the channel from there before. At node 1 the head of 7>1 may arrive
// beside the last flit of 3>1, whose place it takes in the next cycle. No cycle in which it waits
// for its route or VC is contention.
TEST(PipelinedRouters, HoldAHeadFromTheCycleInWhichItIsFirst) {
  const auto expect = [](Pipeline pipeline, const std::vector<std::string>& expected) {
    DrawnCase drawn = piped_case("hypercube:3", pipeline, 3);
    drawn.collectives = {{{7}, {{7, 1}}}, {{3}, {{3, 1}}}};
    expect_everywhere(drawn, expected);
  };
  expect({0, 0, 0}, {"3>1 2..4", "7>1 5..7", "cycle 1 for 2 at 3.1"});
  expect({1, 0, 0}, {"3>1 4..6", "7>1 8..10", "cycle 3 for 1 at 3.1"});
  expect({0, 1, 0}, {"3>1 4..6", "7>1 8..10", "cycle 2 for 2 at 3.1"});
  expect({0, 0, 1}, {"3>1 4..6", "7>1 7..9", "cycle 2 for 1 at 3.1"});
}

// On a 2-cube node 1 is a leaf, and node 2 serves node 3.
TEST(PipelinedRouters, HoldATreeForTheLaterOfTwoDelays) {
  for (const Pipeline& pipeline : pipelines()) {
    for (const int r : {0, 1, 3}) {
      DrawnCase drawn = piped_case("hypercube:2", pipeline, 3, 10);
      drawn.config.replication_delay = r;
      drawn.collectives = {{{0}, {{0, 0, 0, Kind::tree}}}};
      const int branching = std::max(pipeline.a, r) + pipeline.v + 1 + pipeline.x;
      const int leaf = pipeline.sum() + 1;
      std::vector<std::string> expected;
      for (const auto& [node, head] : std::map<int, int>{
               {1, branching + leaf}, {2, 2 * branching}, {3, 2 * branching + leaf}}) {
        expected.push_back(copy_in_words(0, node, head, head + 2));
      }
      expect_everywhere(drawn, expected, Traffic::kinds);
    }
  }
}

// Contributions come to node 0 over two channels, one after another.
TEST(PipelinedRouters, HoldEachContributionToAJoin) {
  for (const Pipeline& pipeline : pipelines()) {
    for (const int c : {0, 1, 3}) {
      DrawnCase drawn = piped_case("hypercube:2", pipeline, 3, 10);
      drawn.config.combine_delay = c;
      reference::Collective join;
      for (int node = 0; node < 4; ++node) {
        join.sources.push_back(node);
        join.lines.push_back({node, 0, 0, Kind::join});
      }
      drawn.collectives = {join};
      const int meeting = std::max(pipeline.a, c) + pipeline.v + 1 + pipeline.x;
      const int head = 1 + pipeline.sum() + 2 * meeting;
      expect_everywhere(drawn, {copy_in_words(0, 0, head, head + 2)}, Traffic::groups);
    }
  }
}

// Two trees of three flits on a 2-cube, with buffers of one flit and roots 0 and 2. Each owns both
// channels of its root and wants one of the other's. The last flits that move are the second ones
// at the leaves 1 and 3: without delays in cycle 3, and with each delay of the first flit and each
// x of the second one later.
TEST(PipelinedRouters, DateADeadlockByTheirDelaysToo) {
  for (const Pipeline& pipeline : pipelines()) {
    DrawnCase drawn = piped_case("hypercube:2", pipeline, 3, 1);
    drawn.collectives = {{{0}, {{0, 0, 0, Kind::tree}}}, {{2}, {{2, 0, 0, Kind::tree}}}};
    const int last_movement = 3 + 2 * (pipeline.a + pipeline.v) + 2 * pipeline.x;
    expect_everywhere(drawn,
                      {"deadlock in cycle " + std::to_string(last_movement + 2 + pipeline.sum())},
                      Traffic::kinds);
  }
}

// ---- Causes ----

using CyclesByCause = std::map<std::string, reference::Cycle>;

CyclesByCause causes_of_first(DrawnCase drawn) {
  drawn.config.explains = true;
  return simulate(drawn.config, drawn.collectives).accounts.front().by_cause;
}

// On a narrow channel the tail comes later anyway than the last router has held the head.
TEST(PipelinedRouters, AreACauseOfTheirOwn) {
  DrawnCase drawn = lone_message("hypercube:3", {1, 2, 3}, 0, 6, 4, 8);
  EXPECT_EQ(causes_of_first(drawn), (CyclesByCause{{"hop", 3}, {"length", 3}, {"pipeline", 18}}));
  drawn.config.phits = {1, 2, 1};
  drawn.config.link_delay = 1;
  EXPECT_EQ(causes_of_first(drawn),
            (CyclesByCause{{"hop", 5}, {"length", 3}, {"width", 4}, {"pipeline", 18 - 3}}));
  drawn = lone_message("hypercube:3", {1, 2, 3}, 0, 6, 3, 8);
  drawn.config.mode = Mode::circuit;
  EXPECT_EQ(causes_of_first(drawn),
            (CyclesByCause{{"hop", 6}, {"length", 1}, {"ack", 5}, {"pipeline", 18 + 9}}));
  drawn.config.mode = Mode::store_and_forward;
  EXPECT_EQ(causes_of_first(drawn),
            (CyclesByCause{{"hop", 3}, {"length", 8}, {"pipeline", 3 * (3 + 1)}}));
}

// The case from above with a = 1: 7>1 is held in cycles 0, 2 and 6, 3>1 has its channel in cycle 3
// and its last flit is first in cycle 5.
TEST(PipelinedRouters, AreNoCauseOfAHeadThatIsNotFirst) {
  DrawnCase drawn = piped_case("hypercube:3", {1, 0, 0}, 3);
  drawn.collectives = {{{7}, {{7, 1}}}, {{3}, {{3, 1}}}};
  drawn.config.explains = true;
  const reference::Account account = simulate(drawn.config, drawn.collectives).accounts.back();
  EXPECT_EQ(account.source, 7);
  EXPECT_EQ(
      account.by_cause,
      (CyclesByCause{{"hop", 3}, {"length", 2}, {"pipeline", 3}, {"channel", 1}, {"behind", 1}}));
  EXPECT_EQ(account.contended, 2);
}

// Two messages of node 0 to node 1, a = 2, buffers of two flits. The first one is a head alone,
// first in its buffer until cycle 2, which keeps the second flit of the other one at the processor.
// The head of that is first in node 0 from cycle 3 to 5 and in node 1 from cycle 6 to 8, and keeps
// its own third flit first at the processor, then in node 0.
TEST(PipelinedRouters, HoldUpThoseThatLackACreditBecauseOfAHead) {
  DrawnCase drawn = piped_case("hypercube:1", {2, 0, 0}, 4, 2);
  reference::Line first{0, 1, 0};
  first.flits = 1;
  drawn.collectives = {{{0}, {first, {0, 1, 1}}}};
  drawn.config.explains = true;
  const reference::Account account = simulate(drawn.config, drawn.collectives).accounts.back();
  EXPECT_EQ(account.message, 1);
  EXPECT_EQ(
      account.by_cause,
      (CyclesByCause{{"hop", 2}, {"length", 3}, {"pipeline", 4}, {"credit", 2}, {"port", 1}}));
  using Roots = std::map<std::pair<std::string, std::string>, reference::Cycle>;
  EXPECT_EQ(account.by_root, (Roots{{{"pipeline", "0:out0.0"}, 2}, {{"port", "0:inj0"}, 1}}));
}

TEST(PipelinedRouters, HaveTheCausesOfASecondWalk) {
  for (const Pipeline& pipeline : pipelines()) {
    for (const Mode mode :
         {Mode::wormhole, Mode::cut_through, Mode::store_and_forward, Mode::circuit}) {
      DrawnCase drawn = piped_case("hypercube:3", pipeline, 3);
      drawn.config.mode = mode;
      drawn.collectives = {{{7}, {{7, 1}}}, {{3}, {{3, 1}}}, {{6}, {{6, 5, 0}, {6, 1, 1}}}};
      EXPECT_EQ(compare_with_reference(drawn, Traffic::modes), "") << piped_in_words(drawn);
      EXPECT_EQ(check_explanation(drawn, Traffic::modes), "") << piped_in_words(drawn);
    }
  }
}

// ---- The test itself ----

TEST(PipelinedRouters, AreSeenToDisagreeWhereADelayIsTakenForAnother) {
  int cases = 0;
  int seen = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const reference::Config config = draw_case(Traffic::uniform, seed).config;
    const bool is_one =
        config.route_delay == config.vc_delay && config.vc_delay == config.crossbar_delay;
    if (is_one) continue;
    ++cases;
    seen += compare_misread_pipeline(Traffic::uniform, seed).empty() ? 0 : 1;
  }
  EXPECT_GT(cases, 5);
  EXPECT_GE(2 * seen, cases) << "in half of the cases at least";
}

}  // namespace
}  // namespace allport::test
