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

// Eight flits in three blocks of two parts: 3 = 2 + 1, 3 = 2 + 1, 2 = 1 + 1.
TEST(Collective, APartIsABlockOfItsOwn) {
  const Collective goal(Operation::allreduce, 4, node_id(0), 3, 2);
  const BlockLengths lengths(goal, 8, 4, 32);
  std::vector<int> flits;
  for (BlockId block = 0; block < 6; ++block) flits.push_back(lengths.flits(block));

  EXPECT_EQ(goal.block_count(), 6U);
  EXPECT_EQ(goal.part_count(), 2U);
  EXPECT_THAT(flits, testing::ElementsAre(2, 1, 2, 1, 1, 1));
  const Collective scatter(Operation::scatter, 3, node_id(1), 1, 2);
  EXPECT_THAT(scatter.blocks_after(node_id(2)), testing::ElementsAre(4, 5));
  EXPECT_EQ(scatter.receivers(), nodes({0, 2}));
  const Collective exchange(Operation::alltoall, 3, node_id(0), 1, 2);
  EXPECT_THAT(exchange.blocks_before(node_id(1)), testing::ElementsAre(6, 7, 8, 9, 10, 11));
  EXPECT_THAT(exchange.blocks_after(node_id(1)), testing::ElementsAre(2, 3, 8, 9, 14, 15));
}

// Four flits in three blocks of two parts: 2 = 1 + 1, 1 = 1 + 0, 1 = 1 + 0.
TEST(Collective, NobodyHasToHoldABlockWithoutAFlit) {
  const Collective goal(Operation::allreduce, 4, node_id(0), 3, 2);
  const Collective four = goal.of_length(4);
  Schedule schedule;
  schedule.unicasts.resize(3);
  schedule.unicasts[0].blocks = {0, 1, 3};
  schedule.unicasts[1].blocks = {3, 5};
  schedule.unicasts[2].blocks = {9, 5};
  leave_out_empty_blocks(schedule, four);

  EXPECT_TRUE(four.has_empty_blocks());
  EXPECT_THAT(four.blocks_after(node_id(3)), testing::ElementsAre(0, 1, 2, 4));
  EXPECT_FALSE(four.must_hold(node_id(3), 5));
  ASSERT_EQ(schedule.unicasts.size(), 2U);
  EXPECT_THAT(schedule.unicasts[0].blocks, testing::ElementsAre(0, 1));
  EXPECT_THAT(schedule.unicasts[1].blocks, testing::ElementsAre(9)) << "a fault that must be found";
  EXPECT_FALSE(goal.of_length(6).has_empty_blocks());
  EXPECT_TRUE(Collective(Operation::gather, 4, node_id(0), 1, 3).of_length(2).has_empty_blocks());
}

TEST(Collective, MessagesThatShareTheirBlocksShareWhatIsLeftOfThem) {
  const Collective four = Collective(Operation::allreduce, 4, node_id(0), 3, 2).of_length(4);
  Schedule schedule;
  schedule.unicasts.resize(3);
  schedule.unicasts[0].blocks = {0, 1, 2, 3};
  schedule.unicasts[2].blocks = schedule.unicasts[1].blocks = schedule.unicasts[0].blocks;
  leave_out_empty_blocks(schedule, four);

  for (const Unicast& unicast : schedule.unicasts) {
    EXPECT_THAT(unicast.blocks, testing::ElementsAre(0, 1, 2));
    EXPECT_EQ(unicast.blocks.begin(), schedule.unicasts[0].blocks.begin());
  }
}

TEST(Collective, OfSomeBlocksAllOthersAreEmpty) {
  const Collective four = Collective(Operation::allreduce, 4, node_id(0), 4, 2).of_length(6);
  EXPECT_EQ(four.full_block_count(), 6U);
  const Collective some = four.of_blocks({1, 4, 7});
  EXPECT_EQ(some.full_block_count(), 2U) << "block 7 has no flit";
  EXPECT_THAT(some.blocks_after(node_id(2)), testing::ElementsAre(1, 4));
}

TEST(Collective, NodesAreAlikeWhereNoneIsTheRootAndAllTakePart) {
  EXPECT_TRUE(Collective(Operation::allgather, 4, node_id(0)).has_alike_nodes());
  EXPECT_TRUE(Collective(Operation::alltoall, 4, node_id(0)).has_alike_nodes());
  EXPECT_TRUE(Collective(Operation::allreduce, 4, node_id(0), 4).has_alike_nodes());
  EXPECT_TRUE(Collective(Operation::reduce_scatter, 4, node_id(0)).has_alike_nodes());
  EXPECT_FALSE(Collective(Operation::allreduce, 4, node_id(0), 3).has_alike_nodes());
  EXPECT_FALSE(Collective(Operation::reduce, 4, node_id(0), 4).has_alike_nodes());
  EXPECT_FALSE(Collective(Operation::gather, 4, node_id(0)).has_alike_nodes());
  EXPECT_FALSE(
      Collective(Operation::allgather, 4, node_id(0), 1, 1, nodes({0, 1})).has_alike_nodes());
  const BlockEnds ends =
      Collective(Operation::alltoall, 4, node_id(0), 1, 2).ends_of((2 * 4 + 3) * 2 + 1);
  EXPECT_EQ(ends.from, node_id(2));
  EXPECT_EQ(ends.to, node_id(3));
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
