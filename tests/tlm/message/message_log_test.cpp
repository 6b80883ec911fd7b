// SPDX-License-Identifier: Apache-2.0
#include "tlm/message/message_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace allport::test {
namespace {

// The contribution of `node`, the `order`-th line of its program, to the join of node 2.
MessageRecord contribution(std::size_t node, int order) {
  MessageRecord record;
  record.kind = MessageKind::join;
  record.order = order;
  record.source = node_id(node);
  record.destination = node_id(2);
  record.begun = static_cast<Cycle>(10 * node);
  return record;
}

TEST(MessageLog, NamesAJoinAfterItsRootWheneverThatContributes) {
  std::vector<std::size_t> nodes{0, 1, 2, 3};
  do {
    MessageLog log;
    MessageId id = no_message;
    for (const std::size_t node : nodes) {
      id = log.add_contribution(contribution(node, static_cast<int>(node) + 5));
    }
    EXPECT_EQ(log.size(), 1U);
    EXPECT_EQ(log[id].order, 7);
    EXPECT_EQ(log[id].begun, 20);
    EXPECT_EQ(log[id].source, node_id(2));
  } while (std::next_permutation(nodes.begin(), nodes.end()));
}

TEST(MessageLog, NamesAJoinWithoutItsRootAfterTheLowestNodeInWhateverOrderTheyBegin) {
  std::vector<std::size_t> nodes{0, 1, 3};
  do {
    MessageLog log;
    MessageId id = no_message;
    for (const std::size_t node : nodes) {
      id = log.add_contribution(contribution(node, static_cast<int>(node) + 5));
    }
    EXPECT_EQ(log[id].order, 5);
    EXPECT_EQ(log[id].begun, 0);
    EXPECT_EQ(log[id].source, node_id(2));
  } while (std::next_permutation(nodes.begin(), nodes.end()));
}

TEST(MessageLog, NamesEachOfTwoJoinsOfOneNameByItself) {
  MessageLog log;
  const MessageId first = log.add_contribution(contribution(3, 8));
  const MessageId second = log.add_contribution(contribution(3, 9));
  EXPECT_EQ(log.add_contribution(contribution(1, 4)), first);
  EXPECT_EQ(log.add_contribution(contribution(2, 6)), first);
  EXPECT_EQ(log[first].order, 6);
  EXPECT_EQ(log[second].order, 9);
}

TEST(MessageLog, KeepsWhenTheFirstHeadWasInjected) {
  MessageLog log;
  const MessageId id = log.add_contribution(contribution(3, 8));
  log.on_injected(id, 17);
  log.add_contribution(contribution(2, 6));
  EXPECT_EQ(log[id].injected, 17);
}

}  // namespace
}  // namespace allport::test
