// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/golden.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/theory/timing_model.h"

namespace allport {
namespace {

std::string square(int side) {
  return "torus:" + std::to_string(side) + "x" + std::to_string(side);
}

int logarithm(int side) { return side == 1 ? 0 : 1 + logarithm(side / 2); }

std::string coordinates(NodeId node, std::size_t side) {
  return "(" + std::to_string(index(node) % side) + "," + std::to_string(index(node) / side) + ")";
}

// A line for each sender, as in the golden file.
std::string programs(const Schedule& schedule, const std::vector<NodeId>& senders) {
  std::ostringstream text;
  for (std::size_t i = 0; i < senders.size(); ++i) {
    text << "SABCD"[i] << ' ' << coordinates(senders[i], 4) << ':';
    StepIndex step = 0;
    for (const Unicast& unicast : schedule.unicasts) {
      if (unicast.u != senders[i]) continue;
      if (unicast.step != step) {
        text << (step == 0 ? "" : ";") << " step " << unicast.step;
        step = unicast.step;
      }
      text << ' ' << coordinates(unicast.v, 4);
    }
    text << '\n';
  }
  return text.str();
}

Cycle last(const std::vector<Cycle>& latencies) {
  return *std::max_element(latencies.begin(), latencies.end());
}

TEST(Dcf, PlansThePrintedBlock) {
  const Routing torus = routing_on("torus:4x4");

  const Schedule schedule = planned("dcf", torus, broadcast(torus.topology(), node_id(0)));

  EXPECT_EQ(programs(schedule, nodes({0, 6, 8, 15, 12})), golden("hou_block.txt"));
}

TEST(Dcf, ReachesEverybodyOnceInDStepsWithoutDepthContention) {
  for (int side = 2; side <= 64; side *= 2) {
    const Routing torus = routing_on(square(side));
    const Multicast goal = broadcast(torus.topology(), node_id(0));

    const Schedule schedule = planned("dcf", torus, goal);

    EXPECT_EQ(schedule.steps(), logarithm(side));
    EXPECT_EQ(schedule.unicasts.size(), goal.destinations.size());
    EXPECT_TRUE(checked(schedule, torus, goal).ok()) << square(side);
  }
}

TEST(Dcf, IsTheSameFromAnySource) {
  for (const int side : {4, 8}) {
    const Routing torus = routing_on(square(side));
    for (std::size_t source = 0; source < torus.topology().node_count(); ++source) {
      const Multicast goal = broadcast(torus.topology(), node_id(source));
      const Schedule schedule = planned("dcf", torus, goal);
      EXPECT_EQ(schedule.steps(), logarithm(side));
      EXPECT_TRUE(checked(schedule, torus, goal).ok()) << square(side) << " from " << source;
    }
  }
}

// [Hou98, definition 1]: in the first step only the source sends.
TEST(Dcf, OnlyTheSourceSendsInTheFirstStep) {
  const Routing torus = routing_on("torus:16x16");
  for (const Unicast& unicast :
       planned("dcf", torus, broadcast(torus.topology(), node_id(77))).unicasts) {
    if (unicast.step == 1) {
      EXPECT_EQ(unicast.u, node_id(77));
    }
  }
}

TEST(Dcf, OnSideTwoTheDiagonalMessageLeavesTheOtherWay) {
  const Routing torus = routing_on("torus:2x2");
  const Schedule schedule = planned("dcf", torus, broadcast(torus.topology(), node_id(0)));

  ASSERT_EQ(printed(schedule), "(0,1,1) (0,2,1) (0,3,1)");
  EXPECT_TRUE(schedule.unicasts[0].displacement.empty());
  EXPECT_TRUE(schedule.unicasts[1].displacement.empty());
  EXPECT_THAT(schedule.unicasts[2].displacement, testing::ElementsAre(-1, 1));
}

TEST(Dcf, NoTieGoesTheOtherWayBeyondSideTwo) {
  for (int side = 4; side <= 64; side *= 2) {
    const Routing torus = routing_on(square(side));
    for (const Unicast& unicast :
         planned("dcf", torus, broadcast(torus.topology(), node_id(0))).unicasts) {
      ASSERT_TRUE(unicast.displacement.empty());
    }
  }
}

TEST(Dcf, HasTheLatencyOfThePaper) {
  std::ostringstream text;
  for (int side = 2; side <= 64; side *= 2) {
    const Routing torus = routing_on(square(side));
    const Multicast goal = broadcast(torus.topology(), node_id(5 % (side * side)));
    const Schedule schedule = planned("dcf", torus, goal);
    const TimingParameters with_overhead{200, 200, 64};
    const TimingParameters bare{0, 0, 64};
    text << side << ' ' << schedule.steps() << ' '
         << last(predicted_latency(schedule, torus, {goal.source}, with_overhead)) << ' '
         << last(predicted_latency(schedule, torus, {goal.source}, bare)) << '\n';
  }

  EXPECT_EQ(text.str(), golden("hou_latency.txt"));
}

// N = 4^k: 5k ts + (4/3)(4^k-1) + 2k(L + tr); N = 2*4^k: (5k+3) ts + (2/3)(4^(k+1)-1) + (2k+1)(L +
// tr).
TEST(Dcf, HasTheLatencyOfTheFormulasForAllParameters) {
  for (int d = 1; d <= 6; ++d) {
    const Routing torus = routing_on(square(1 << d));
    const Multicast goal = broadcast(torus.topology(), node_id(0));
    const Schedule schedule = planned("dcf", torus, goal);
    const Cycle k = d / 2;
    const Cycle sends = d % 2 == 0 ? 5 * k : 5 * k + 3;
    const Cycle hops =
        d % 2 == 0 ? 4 * ((Cycle{1} << 2 * k) - 1) / 3 : 2 * ((Cycle{1} << (2 * k + 2)) - 1) / 3;
    for (const Cycle ts : {0, 1, 50, 1000}) {
      for (const Cycle tr : {0, 7}) {
        for (const int flits : {1, 64, 4096}) {
          const TimingParameters timing{ts, tr, flits};
          const Cycle expected = sends * ts + hops + d * (flits + tr);
          const Cycle latency = last(predicted_latency(schedule, torus, {goal.source}, timing));
          EXPECT_EQ(latency, expected) << square(1 << d) << " ts " << ts << " L " << flits;
        }
      }
    }
  }
}

TEST(Dcf, IsForSquareToriOfAPowerOfTwoOnly) {
  for (const char* shape :
       {"torus:6x6", "torus:4x8", "torus:4x4x4", "mesh:4x4", "ring:4", "hypercube:4"}) {
    const Routing routing = routing_on(shape);
    EXPECT_THAT(
        complaint_of([&] { planned("dcf", routing, broadcast(routing.topology(), node_id(0))); }),
        testing::StartsWith("algorithm dcf is for 2^d x 2^d tori; " + std::string(shape) +
                            " is not one, for which there are "));
  }
}

}  // namespace
}  // namespace allport
