// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/program_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rtl_model/base/split_mix.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

using testing::ElementsAre;

Unicast send(std::size_t u, std::size_t v, int order, MessageKind kind = MessageKind::unicast) {
  Unicast unicast;
  unicast.u = node_id(u);
  unicast.v = node_id(v);
  unicast.order = order;
  unicast.kind = kind;
  return unicast;
}

PlannedCollective planned(const std::vector<Unicast>& unicasts) {
  return {{node_id(0)}, {}, {unicasts}};
}

TEST(Programs, PutTheSendsOfANodeInTheOrderOfItsProgram) {
  const Routing routing = routing_on("hypercube:2");

  const ProgramTable programs =
      make_programs({planned({send(0, 3, 1), send(1, 2, 0), send(0, 1, 0)})}, routing, 0, 1, 0);

  const auto& sends = programs.sends(node_id(0), 0);
  ASSERT_EQ(sends.size(), 2U);
  EXPECT_EQ(sends[0].destination, node_id(1));
  EXPECT_EQ(sends[1].destination, node_id(3));
  EXPECT_EQ(programs.sends(node_id(1), 0).size(), 1U);
  EXPECT_TRUE(programs.sends(node_id(2), 0).empty());
}

TEST(Programs, SendATreeWormOnceThoughItsScheduleListsTheEdges) {
  const Routing routing = routing_on("hypercube:3");

  const ProgramTable programs =
      make_programs({collective("tree", routing, broadcast_from(5, routing))}, routing, 0, 1, 0);

  for (std::size_t node = 0; node < 8; ++node) {
    EXPECT_EQ(programs.sends(node_id(node), 0).size(), node == 5 ? 1U : 0U);
  }
  EXPECT_EQ(programs.sends(node_id(5), 0).front().kind, MessageKind::tree);
}

TEST(Programs, CarryTheDestinationsBeforeTheLast) {
  const Routing routing = routing_on("hypercube:3");

  const ProgramTable programs = make_programs({listed(0, {3, 1, 6})}, routing, 0, 1, 0);

  const PlannedSend& sent = programs.sends(node_id(0), 0).front();
  EXPECT_EQ(sent.kind, MessageKind::multidestination);
  EXPECT_EQ(sent.destination, node_id(6));
  EXPECT_EQ(sent.via, ViaList({node_id(3), node_id(1)}));
}

TEST(Programs, DrawJitterFromTheNodesOwnGeneratorCollectiveAfterCollective) {
  const Routing routing = routing_on("hypercube:2");
  const auto one = planned({send(0, 1, 0), send(0, 2, 1)});
  const auto other = planned({send(0, 3, 0)});

  const ProgramTable programs = make_programs({one, other}, routing, 99, 7, 3);

  SplitMix64 generator(node_seed(7, 3, 0));
  const std::vector<PlannedSend> sends{programs.sends(node_id(0), 0)[0],
                                       programs.sends(node_id(0), 0)[1],
                                       programs.sends(node_id(0), 1)[0]};
  for (const PlannedSend& sent : sends) {
    EXPECT_EQ(sent.jitter, static_cast<Cycle>(generator.next() % 100));
  }
}

TEST(Programs, DrawAStartForEachNodeFromAGeneratorOfItsOwn) {
  const std::vector<Cycle> starts = draw_starts(4, 99, 7, 3);

  ASSERT_EQ(starts.size(), 4U);
  for (std::size_t node = 0; node < 4; ++node) {
    SplitMix64 generator(node_seed(7, (1U << 20) + 1 + 3, node));
    EXPECT_EQ(starts[node], static_cast<Cycle>(generator.next() % 100)) << "node " << node;
  }
  EXPECT_TRUE(draw_starts(4, 0, 7, 3).empty());
}

TEST(Programs, StartsAreUniformFromZeroToTheLargest) {
  std::vector<int> count(5, 0);
  for (const Cycle start : draw_starts(50000, 4, 1, 0)) ++count.at(static_cast<std::size_t>(start));
  for (const int number : count) EXPECT_NEAR(number, 10000, 400);
}

TEST(Programs, TheLastStartIsThatOfANodeThatSends) {
  const Routing routing = routing_on("hypercube:2");
  ProgramTable programs =
      make_programs({planned({send(0, 3, 0)}), planned({send(1, 2, 0)})}, routing, 0, 1, 0);
  EXPECT_EQ(programs.last_start(), 0);
  EXPECT_EQ(programs.start_of(node_id(3)), 0);

  programs.start_at({4, 7, 90, 80});
  EXPECT_EQ(programs.last_start(), 7);
  EXPECT_EQ(programs.start_of(node_id(3)), 80);
}

TEST(Programs, CarryTheDirectionOfATie) {
  const Routing routing = routing_on("ring:4");
  Unicast backward = send(0, 2, 0);
  backward.displacement = {-2};

  const ProgramTable programs = make_programs({planned({backward})}, routing, 0, 1, 0);

  EXPECT_EQ(programs.sends(node_id(0), 0).front().ties, 1U);
}

TEST(Programs, CountTheReceiversOfEveryKind) {
  const Routing routing = routing_on("hypercube:3");

  EXPECT_THAT(receivers({planned({send(0, 1, 0), send(1, 3, 0)}),
                         planned({send(0, 7, 0, MessageKind::deposit), send(0, 4, 1)}),
                         planned({send(0, 0, 0, MessageKind::tree), send(0, 4, 1)}),
                         planned({send(0, 0, 0, MessageKind::path)}), listed(0, {3, 1, 6})},
                        routing),
              ElementsAre(2U, 3U, 7U, 7U, 3U));
}

}  // namespace
}  // namespace allport::test
