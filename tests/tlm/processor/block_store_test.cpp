// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/block_store.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tlm/processor/block_memory.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {
namespace {

using Bytes = std::vector<unsigned char>;

Unicast carrying(StepIndex step, std::vector<BlockId> blocks, bool adds = false) {
  Unicast unicast;
  unicast.v = node_id(1);
  unicast.step = step;
  unicast.blocks = std::move(blocks);
  unicast.adds = adds;
  return unicast;
}

// A schedule of what nodes send to node 1, and what it sends on, which waits for that.
struct Sums {
  Sums(const Collective& goal, std::vector<Unicast> unicasts)
      : schedule{std::move(unicasts)}, flow(schedule, goal) {}
  const Unicast& operator[](std::size_t i) const { return schedule.unicasts[i]; }

  const Schedule schedule;
  const BlockFlow flow;
};

Unicast sent_on(StepIndex step, std::vector<BlockId> blocks) {
  Unicast unicast = carrying(step, std::move(blocks), true);
  std::swap(unicast.u, unicast.v);
  return unicast;
}

Bytes together(const std::vector<Bytes>& parts) {
  Bytes all;
  for (const Bytes& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Bytes block(std::size_t bytes, std::size_t origin, BlockId number) {
  Bytes data(bytes);
  fill_block(data.data(), bytes, 0, node_id(origin), number);
  return data;
}

TEST(BlockStore, IntegersAreAddedModuloTheirWidth) {
  Bytes sum{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 7};
  const Bytes one{1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 250};

  add_integers(sum.data(), one.data(), sum.size());

  EXPECT_EQ(sum, (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1}));
}

TEST(BlockStore, SendsABlockOnceItHasCome) {
  const Collective goal(Operation::allgather, 3, NodeId{});
  const BlockLengths lengths(goal, 2, 4, 8);
  BlockStore store(goal, lengths, 0, node_id(1));
  const Unicast both = carrying(2, {1, 2});
  EXPECT_FALSE(store.can_send(both));
  EXPECT_EQ(store.fault({}), "node 1: block 0 of the allgather is missing at the end");

  store.receive(carrying(1, {2}), block(8, 0, 2).data(), 0);

  EXPECT_TRUE(store.can_send(both));
  Bytes message(16);
  store.read(both, message.data());
  EXPECT_EQ(Bytes(message.begin(), message.begin() + 8), block(8, 0, 1));
  EXPECT_EQ(Bytes(message.begin() + 8, message.end()), block(8, 0, 2));
}

// One integer stands for 100 flits; the store sees a contribution that is lost, or comes twice.
TEST(BlockStore, ASymbolTellsWhatASumContains) {
  const Collective goal(Operation::allreduce, 3, NodeId{}, 2);
  const BlockLengths lengths(goal, 100, 4, 400);
  const auto symbol = [&](std::size_t node, BlockId number) {
    Bytes bytes(8);
    fill_block(bytes.data(), bytes.size(), 0, node_id(node), number);
    return bytes;
  };
  std::vector<Bytes> totals;
  for (BlockId number = 0; number < 2; ++number) {
    totals.push_back(symbol(0, number));
    add_integers(totals.back().data(), symbol(1, number).data(), 8);
    add_integers(totals.back().data(), symbol(2, number).data(), 8);
  }
  const auto fault_after = [&](const std::vector<std::size_t>& senders) {
    const Sums sums(goal, std::vector<Unicast>(senders.size(), carrying(1, {0, 1}, true)));
    BlockStore store(goal, lengths, 0, node_id(1), BlockBytes::symbol, &sums.flow);
    for (std::size_t i = 0; i < senders.size(); ++i) {
      const Bytes message = together({symbol(senders[i], 0), symbol(senders[i], 1)});
      store.receive(sums[i], message.data(), 0);
    }
    return store.fault(together(totals));
  };

  EXPECT_EQ(fault_after({0, 2}), "");
  EXPECT_EQ(fault_after({0}),
            "node 1: block 0 of the allreduce is not the sum of all contributions");
  EXPECT_NE(fault_after({0, 2, 2}), "");
  EXPECT_NE(fault_after({0, 0}), "");
}

TEST(BlockStore, ACorruptedBlockIsNamed) {
  const Collective goal(Operation::gather, 3, node_id(1));
  const BlockLengths lengths(goal, 2, 4, 8);
  BlockStore store(goal, lengths, 0, node_id(1));
  store.receive(carrying(1, {0}), block(8, 0, 0).data(), 0);
  Bytes wrong = block(8, 0, 2);
  wrong[7] ^= 1;

  store.receive(carrying(1, {2}), wrong.data(), 0);

  EXPECT_EQ(store.fault({}),
            "node 1: block 2 of the gather does not have the bytes with which it began");
}

// A sum of step 2 contains what came in step 1, although a message of step 2 came earlier.
TEST(BlockStore, ASumContainsEarlierStepsAndNothingElse) {
  const Collective goal(Operation::allreduce, 4, NodeId{});
  const BlockLengths lengths(goal, 2, 4, 8);
  const Sums sums(goal, {carrying(1, {0}, true), carrying(2, {0}, true), sent_on(2, {0})});
  BlockStore store(goal, lengths, 0, node_id(1), BlockBytes::all, &sums.flow);
  store.receive(sums[1], block(8, 2, 0).data(), 0);
  EXPECT_FALSE(store.can_send(sums[2]));
  store.receive(sums[0], block(8, 0, 0).data(), 0);
  ASSERT_TRUE(store.can_send(sums[2]));

  Bytes sent(8);
  store.read(sums[2], sent.data());

  Bytes expected = block(8, 1, 0);
  add_integers(expected.data(), block(8, 0, 0).data(), 8);
  EXPECT_EQ(sent, expected);
  add_integers(expected.data(), block(8, 2, 0).data(), 8);
  EXPECT_EQ(store.fault(expected), "");
  EXPECT_EQ(store.fault(sent),
            "node 1: block 0 of the allreduce is not the sum of all contributions");
}

// Blocks 0 and 1 are sums of their own: a message of one does not wait for the other's receptions,
// and contains its own alone.
TEST(BlockStore, TheSumOfABlockWaitsForReceptionsThatNameIt) {
  const Collective goal(Operation::allreduce, 4, NodeId{}, 2);
  const BlockLengths lengths(goal, 3, 4, 12);  // 2 flits and 1
  const Sums sums(goal, {carrying(1, {1}, true), carrying(1, {1, 0}, true), carrying(1, {1}, true),
                         sent_on(2, {0}), sent_on(2, {0, 1})});
  BlockStore store(goal, lengths, 0, node_id(1), BlockBytes::all, &sums.flow);
  const Unicast& first = sums[3];
  const Unicast& both = sums[4];
  const Bytes end = block(4, 2, 1);
  EXPECT_FALSE(store.can_send(first));
  store.receive(sums[0], block(4, 3, 1).data(), 5);
  EXPECT_FALSE(store.can_send(first));
  store.receive(sums[1], together({end, block(8, 2, 0)}).data(), 7);
  EXPECT_FALSE(store.can_send(both));
  ASSERT_TRUE(store.can_send(first));
  store.receive(sums[2], block(4, 0, 1).data(), 9);
  EXPECT_TRUE(store.can_send(first));
  EXPECT_TRUE(store.can_send(both));
  EXPECT_EQ(store.complete_since(first), 7);
  EXPECT_EQ(store.complete_since(both), 9);

  Bytes sent(8);
  store.read(first, sent.data());

  Bytes sum = block(8, 1, 0);
  add_integers(sum.data(), block(8, 2, 0).data(), 8);
  EXPECT_EQ(sent, sum);
  Bytes other = block(4, 1, 1);
  for (const std::size_t origin : {0, 2, 3}) {
    add_integers(other.data(), block(4, origin, 1).data(), 4);
  }
  sent.resize(12);
  store.read(both, sent.data());
  EXPECT_EQ(sent, together({sum, other}));
  EXPECT_EQ(store.fault(together({sum, other})), "");
  EXPECT_EQ(store.fault(together({sum, end})),
            "node 1: block 1 of the allreduce is not the sum of all contributions");
}

TEST(BlockStore, ASumThatIsNotAddedReplacesWhatIsThere) {
  const Collective goal(Operation::allreduce, 2, NodeId{});
  const BlockLengths lengths(goal, 1, 4, 4);
  const Sums sums(goal, {carrying(1, {0})});
  BlockStore store(goal, lengths, 0, node_id(1), BlockBytes::all, &sums.flow);
  const Bytes total = block(4, 7, 0);

  store.receive(sums[0], total.data(), 0);

  EXPECT_EQ(store.fault(total), "");
}

// A vector shorter than its blocks: those without a flit take no place.
TEST(BlockStore, SumsWithoutAFlitTakeNoPlace) {
  const Collective goal(Operation::allreduce, 3, NodeId{}, 3, 2);
  const BlockLengths lengths(goal, 2, 4, 8);  // blocks 0 and 1 have a flit in their first part

  EXPECT_EQ(BlockStore::begin_of(6, lengths, BlockBytes::all), 8U);
  EXPECT_EQ(BlockStore::begin_of(6, lengths, BlockBytes::symbol), 16U);
  EXPECT_EQ(BlockStore::begin_of(2, lengths, BlockBytes::all), 4U);
  EXPECT_EQ(BlockStore::bytes_of(1, lengths, BlockBytes::symbol), 0U);
}

// Each node has the sum of its block, and no others.
TEST(BlockMemory, JudgesTheSumsOfAReduceScatter) {
  const auto goal = std::make_shared<Collective>(Operation::reduce_scatter, 3, NodeId{});
  Schedule schedule;
  for (std::size_t node = 0; node < 3; ++node) {
    for (std::size_t other = 0; other < 3; ++other) {
      if (other == node) continue;
      Unicast& unicast =
          schedule.unicasts.emplace_back(carrying(1, {static_cast<BlockId>(node)}, true));
      unicast.u = node_id(other);
      unicast.v = node_id(node);
    }
  }
  BlockMemory memory;
  memory.reset(3, 1);
  memory.add(0, goal, schedule, BlockLengths(*goal, 2, 4, 8));
  for (std::size_t node = 0; node < 3; ++node) {
    EXPECT_EQ(memory.fault(), "node " + std::to_string(node) + ": block " + std::to_string(node) +
                                  " of the reduce_scatter is not the sum of all contributions");
    const auto own = static_cast<BlockId>(node);
    for (const Unicast& unicast : schedule.unicasts) {
      if (unicast.v != node_id(node)) continue;
      memory.store(node_id(node), 0).receive(unicast, block(8, index(unicast.u), own).data(), 0);
    }
  }

  EXPECT_EQ(memory.fault(), "");
}

TEST(BlockMemory, JudgesAllNodes) {
  const auto goal = std::make_shared<Collective>(Operation::scatter, 4, node_id(2));
  BlockMemory memory;
  memory.reset(4, 2);
  memory.add(1, goal, {}, BlockLengths(*goal, 1, 4, 4));
  EXPECT_FALSE(memory.has_blocks(0));
  EXPECT_TRUE(memory.has_blocks(1));
  EXPECT_EQ(memory.fault(), "node 0: block 0 of the scatter is missing at the end");

  for (const std::size_t node : {0, 1, 3}) {
    Bytes own(4);
    fill_block(own.data(), 4, 1, NodeId{}, static_cast<BlockId>(node));
    memory.store(node_id(node), 1)
        .receive(carrying(1, {static_cast<BlockId>(node)}), own.data(), 0);
  }

  EXPECT_EQ(memory.fault(), "");
}

}  // namespace
}  // namespace allport
