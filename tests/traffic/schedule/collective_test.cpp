// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/schedule/block_lengths.h"

namespace allport {
namespace {

std::string complaint_about(std::size_t source, const std::vector<std::size_t>& destinations) {
  return complaint_of(
      [&] { multicast(*parse_topology("hypercube:3"), node_id(source), nodes(destinations)); });
}

TEST(Collective, ABroadcastGoesToEveryOtherNode) {
  const auto cube = parse_topology("hypercube:3");

  EXPECT_EQ(broadcast(*cube, node_id(2)).source, node_id(2));
  EXPECT_EQ(broadcast(*cube, node_id(2)).destinations, nodes({0, 1, 3, 4, 5, 6, 7}));
}

TEST(Collective, AMulticastIsSorted) {
  const auto cube = parse_topology("hypercube:3");

  EXPECT_EQ(multicast(*cube, node_id(2), nodes({7, 0, 3})).destinations, nodes({0, 3, 7}));
}

TEST(Collective, AReduceScatterLeavesEachNodeTheSumOfItsBlock) {
  const Collective goal(Operation::reduce_scatter, 4, node_id(2));

  EXPECT_TRUE(goal.is_reduction());
  EXPECT_FALSE(goal.is_cut());
  EXPECT_EQ(goal.block_count(), 4U);
  EXPECT_THAT(goal.blocks_before(node_id(1)), testing::ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(goal.blocks_after(node_id(1)), testing::ElementsAre(1));
  EXPECT_EQ(goal.receivers(), nodes({0, 1, 2, 3}));
}

TEST(Collective, AVectorIsCutIntoBlocksAsEvenAsItsFlitsAllow) {
  const Collective goal(Operation::reduce, 4, node_id(2), 3);
  const BlockLengths lengths(goal, 8, 4, 30);

  EXPECT_TRUE(goal.is_cut());
  EXPECT_EQ(goal.blocks_after(node_id(2)).size(), 3U);
  EXPECT_EQ(goal.receivers(), nodes({2}));
  EXPECT_EQ(lengths.flits(0), 3);
  EXPECT_EQ(lengths.flits(1), 3);
  EXPECT_EQ(lengths.flits(2), 2);
  EXPECT_EQ(lengths.bytes(2), 8U) << "the last flit is full";
}

TEST(Collective, DestinationsAreNamedOnceInsideTheFabricAndWithoutTheSource) {
  EXPECT_EQ(complaint_about(0, {1, 3, 1}),
            "destination 1 is named twice; every destination must be named once");
  EXPECT_EQ(complaint_about(3, {1, 3}),
            "destination 3 is the source, which has the message already");
  EXPECT_EQ(complaint_about(0, {1, 8}),
            "destination 8 is not a node of hypercube:3, which has the nodes 0..7");
  EXPECT_EQ(complaint_about(8, {1}),
            "source 8 is not a node of hypercube:3, which has the nodes 0..7");
  EXPECT_EQ(complaint_about(0, {}),
            "a multicast needs at least one destination, 1..7 of hypercube:3");
  EXPECT_EQ(complaint_of([] { broadcast(*parse_topology("ring:5"), node_id(5)); }),
            "source 5 is not a node of ring:5, which has the nodes 0..4");
}

}  // namespace
}  // namespace allport
