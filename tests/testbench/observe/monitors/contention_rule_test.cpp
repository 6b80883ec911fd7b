// SPDX-License-Identifier: Apache-2.0
// These tests check the part of the way that two messages of one sender share (docs/router.md,
// section 9).
#include "testbench/observe/monitors/contention_rule.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/traffic/algorithms/planning.h"

namespace allport::test {
namespace {

MessageRecord message(std::size_t from, std::size_t to, MessageKind kind = MessageKind::unicast) {
  MessageRecord record;
  record.source = node_id(from);
  record.destination = node_id(to);
  record.kind = kind;
  return record;
}

MessageRecord listed_record(std::size_t from, const std::vector<std::size_t>& via, std::size_t to) {
  MessageRecord record = message(from, to, MessageKind::multidestination);
  record.via = ViaList(nodes(via));
  return record;
}

MessageRecord tied(std::size_t from, std::size_t to, TieMask ties) {
  MessageRecord record = message(from, to);
  record.ties = ties;
  return record;
}

bool share(const char* topology, const MessageRecord& a, const MessageRecord& b, std::size_t node,
           int output) {
  const Routing routing = routing_on(topology);
  const bool result = share_way(a, b, node_id(node), output, routing);
  EXPECT_EQ(result, share_way(b, a, node_id(node), output, routing));
  return result;
}

TEST(ContentionRule, UnicastsDepositsAndTreesOfOneSenderHaveOneWay) {
  const auto unicast = message(0, 7);
  EXPECT_TRUE(share("hypercube:3", unicast, message(0, 6), 4, 1));
  EXPECT_TRUE(share("hypercube:3", unicast, message(0, 7, MessageKind::deposit), 6, 0));
  EXPECT_TRUE(share("hypercube:3", unicast, message(0, 0, MessageKind::tree), 6, 0));
  EXPECT_TRUE(share("hypercube:3", unicast, message(0, 7), 7, 3));  // ejected there
}

// Both ways around the first ring of 4, to 2; then the second dimension, to 6.
TEST(ContentionRule, TiesTakenInBothDirectionsPart) {
  EXPECT_FALSE(share("torus:4x4", tied(0, 10, 0), tied(0, 10, 1), 2, 2));
  EXPECT_FALSE(share("torus:4x4", tied(0, 10, 0), tied(0, 10, 1), 10, 4));
  EXPECT_TRUE(share("torus:4x4", tied(0, 10, 0), tied(0, 10, 2), 1, 0));  // part later
  EXPECT_TRUE(share("torus:4x4", tied(0, 6, 0), tied(0, 6, 2), 2, 2));    // no tie there
}

TEST(ContentionRule, AListHasTheWayOfAUnicastUpToWhereItLeavesIt) {
  const auto unicast = message(0, 7);               // 0 4 6 7
  const auto along = listed_record(0, {4}, 6);      // 0 4 6
  const auto around = listed_record(0, {2, 6}, 7);  // 0 2 6 7
  EXPECT_TRUE(share("hypercube:3", unicast, along, 4, 1));
  EXPECT_FALSE(share("hypercube:3", unicast, around, 6, 0));
  EXPECT_FALSE(share("hypercube:3", unicast, around, 7, 3));
  EXPECT_TRUE(share("hypercube:3", around, listed_record(0, {2}, 6), 2, 2));
}

// Both go up the labels from 6, over 5 and over 10, and meet at 14.
TEST(ContentionRule, LabelWormsThatLeaveByDifferentHopsPart) {
  auto over_5 = message(6, 14, MessageKind::label);
  over_5.ties = 1;
  auto over_10 = message(6, 14, MessageKind::label);
  EXPECT_FALSE(share("mesh:4x4", over_5, over_10, 14, 4 + 3));
  auto to_13 = message(6, 13, MessageKind::label);  // 6 10 14 13
  EXPECT_TRUE(share("mesh:4x4", over_10, to_13, 10, 2));
}

TEST(ContentionRule, AListIsAtAChannelByItsFirstWay) {
  const auto back = listed_record(0, {4, 8}, 5);  // 0 4 12 8 0 4 5
  EXPECT_TRUE(share("hypercube:4", message(0, 4), back, 0, 2));
  EXPECT_FALSE(share("hypercube:4", message(0, 5), back, 4, 0));
}

// A deposit passes 4; a list is copied at 4 when its leg ends there.
TEST(ContentionRule, ACopyHasTheWayToItsNode) {
  const auto deposit = message(0, 7, MessageKind::deposit);
  EXPECT_TRUE(share("hypercube:3", deposit, message(0, 4), 4, 3));
  EXPECT_TRUE(share("hypercube:3", listed_record(0, {4}, 7), deposit, 4, 3));
  EXPECT_FALSE(
      share("hypercube:3", listed_record(0, {6}, 4), deposit, 4, 3));  // passes it on its way
}

TEST(ContentionRule, APathWormHasAWayOfItsOwn) {
  const auto worm = message(0, 0, MessageKind::path);  // 0 1 3 2 6 7 5 4
  EXPECT_TRUE(share("hypercube:3", worm, message(0, 1), 0, 0));
  EXPECT_TRUE(share("hypercube:3", worm, message(0, 1), 1, 3));
  EXPECT_FALSE(share("hypercube:3", worm, message(0, 7), 6, 0));
  EXPECT_FALSE(share("hypercube:3", worm, message(0, 2), 2, 4));
}

TEST(ContentionRule, TakenChannelsAreComparedUpToTheRouter) {
  const auto by = [](const std::vector<std::size_t>& ids) {
    std::vector<Channel> channels;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      std::size_t port = 0;
      while ((ids[i] ^ ids[i + 1]) != std::size_t{1} << port) ++port;
      channels.push_back({node_id(ids[i]), port_id(port)});
    }
    return channels;
  };
  EXPECT_TRUE(share_way(by({0, 4, 6}), by({0, 4, 5}), node_id(4)));
  EXPECT_TRUE(share_way(by({0, 4}), by({0, 4, 5}), node_id(4)));  // one of them ends there
  EXPECT_TRUE(share_way({}, by({0, 4}), node_id(0)));
  EXPECT_FALSE(share_way(by({0, 4, 6}), by({0, 2, 6, 7}), node_id(6)));
}

}  // namespace
}  // namespace allport::test
