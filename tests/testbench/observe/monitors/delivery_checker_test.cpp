// SPDX-License-Identifier: Apache-2.0
// The checker is seen to fail: at the wrong node, for a second delivery, other bytes, no delivery.
#include "testbench/observe/monitors/delivery_checker.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/message_bench.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

// Message 3 of node 0 to node 6 of a 3-cube (by 4), or to all.
struct DeliveryCheckerBench {
  explicit DeliveryCheckerBench(MessageKind kind) {
    fill_payload(payload, 1);
    MessageRecord record;
    record.source = node_id(0);
    record.destination = node_id(6);
    record.order = 3;
    record.kind = kind;
    record.checksum = payload_checksum(payload.get_data_ptr(), payload.get_data_length());
    id = log.add(record);
  }
  void deliver(std::size_t receiver, Cycle tail = 9) {
    MessageExtension extension;
    extension.id = id;
    extension.receiver = node_id(receiver);
    extension.tail = tail;
    checker.on_delivered(payload, extension);
  }
  std::string verdict() {
    checker.finish();
    return checker.finding();
  }

  Routing routing = routing_on("hypercube:3");
  MessagePool pool;
  tlm::tlm_generic_payload& payload = pool.allocate(10);
  MessageLog log;
  MessageId id{};
  DeliveryChecker checker{log, routing};
};

TEST(DeliveryChecker, IsContentWhenEveryNodeHasWhatItShallHave) {
  DeliveryCheckerBench unicast(MessageKind::unicast);
  unicast.deliver(6);
  EXPECT_EQ(unicast.verdict(), "");

  DeliveryCheckerBench deposit(MessageKind::deposit);
  deposit.deliver(4);
  deposit.deliver(6);
  EXPECT_EQ(deposit.verdict(), "");

  DeliveryCheckerBench tree(MessageKind::tree);
  for (std::size_t node = 1; node < 8; ++node) tree.deliver(node);
  EXPECT_EQ(tree.verdict(), "");
  EXPECT_EQ(tree.checker.deliveries(), 7U);
}

TEST(DeliveryChecker, FindsAMessageAtTheWrongNode) {
  DeliveryCheckerBench unicast(MessageKind::unicast);
  unicast.deliver(4);
  EXPECT_EQ(unicast.verdict(),
            "cycle 9: message 3 of node 0 to node 6 was delivered to the wrong node (node 4)");

  DeliveryCheckerBench deposit(MessageKind::deposit);
  deposit.deliver(2);
  EXPECT_EQ(deposit.verdict(),
            "cycle 9: message 3 of node 0 to node 6 was delivered to the wrong node (node 2)");

  DeliveryCheckerBench own_deposit(MessageKind::deposit);
  own_deposit.deliver(0);
  EXPECT_NE(own_deposit.verdict(), "");

  DeliveryCheckerBench tree(MessageKind::tree);
  tree.deliver(0);
  EXPECT_EQ(tree.verdict(),
            "cycle 9: message 3 of node 0 was delivered to the wrong node (node 0)");
}

TEST(DeliveryChecker, FindsASecondDelivery) {
  for (const auto kind : {MessageKind::unicast, MessageKind::deposit, MessageKind::tree}) {
    DeliveryCheckerBench bench(kind);
    bench.deliver(6, 9);
    EXPECT_EQ(bench.checker.finding(), "");

    bench.deliver(6, 12);
    EXPECT_NE(bench.checker.finding().find("cycle 12"), std::string::npos);
    EXPECT_NE(bench.checker.finding().find("was delivered twice (node 6)"), std::string::npos);
  }
}

TEST(DeliveryChecker, FindsOneChangedBit) {
  for (std::size_t byte = 0; byte < 10; ++byte) {
    DeliveryCheckerBench bench(MessageKind::unicast);
    bench.payload.get_data_ptr()[byte] ^= 0x10;
    bench.deliver(6);
    EXPECT_EQ(
        bench.verdict(),
        "cycle 9: message 3 of node 0 to node 6 was delivered with other bytes than were sent (node 6)");
  }
}

TEST(DeliveryChecker, FindsWhatIsMissingInTheEnd) {
  EXPECT_EQ(
      DeliveryCheckerBench(MessageKind::unicast).verdict(),
      "message 3 of node 0 to node 6 was received by 0 of 1 nodes although the network is empty");

  DeliveryCheckerBench deposit(MessageKind::deposit);
  deposit.deliver(6);
  EXPECT_EQ(
      deposit.verdict(),
      "message 3 of node 0 to node 6 was received by 1 of 2 nodes although the network is empty");

  DeliveryCheckerBench tree(MessageKind::tree);
  tree.deliver(1);
  EXPECT_EQ(tree.verdict(),
            "message 3 of node 0 was received by 1 of 7 nodes although the network is empty");
}

TEST(DeliveryChecker, KeepsItsFirstFinding) {
  DeliveryCheckerBench bench(MessageKind::unicast);
  bench.deliver(4, 9);
  bench.deliver(5, 11);

  EXPECT_EQ(bench.checker.finding().rfind("cycle 9", 0), 0U);
}

TEST(DeliveryChecker, BeginsAgainAfterReset) {
  DeliveryCheckerBench bench(MessageKind::unicast);
  bench.deliver(4);

  bench.checker.reset();
  bench.deliver(6);

  EXPECT_EQ(bench.verdict(), "");
}

// The whole way: the checker at the receiver finds a flit that was changed on the channel.
TEST(DeliveryChecker, FindsAFlitThatWasDamagedOnTheWay) {
  MessageBench bench("hypercube:1");
  DeliveryChecker checker(bench.log, bench.blueprint.routing);
  bench.processors[1]->on_message = [&](tlm::tlm_generic_payload& message) {
    checker.on_delivered(message, *message_extension(message));
  };
  auto& message = bench.message(1, 2);
  bench.script.at(0, [&] {
    bench.processors[0]->send(message);
    message.get_data_ptr()[5] ^= 1;  // after the network interface has taken its checksum
  });

  bench.run();

  EXPECT_NE(checker.finding().find("with other bytes than were sent"), std::string::npos);
}

TEST(DeliveryChecker, KnowsWhoAWormWithAListAndAPathWormIsFor) {
  MessageRecord record;
  record.source = node_id(0);
  record.destination = node_id(6);
  record.kind = MessageKind::multidestination;
  record.via = ViaList({node_id(1), node_id(5)});
  const Routing routing = routing_on("hypercube:3");
  MessagePool pool;
  auto& payload = pool.allocate(10);
  record.checksum = payload_checksum(payload.get_data_ptr(), 10);
  const auto verdict = [&](const std::vector<std::size_t>& receivers) {
    MessageLog log;
    const MessageId id = log.add(record);
    DeliveryChecker checker(log, routing);
    for (const std::size_t receiver : receivers) {
      MessageExtension extension;
      extension.id = id;
      extension.receiver = node_id(receiver);
      checker.on_delivered(payload, extension);
    }
    checker.finish();
    return checker.finding();
  };

  EXPECT_EQ(verdict({1, 5, 6}), "");
  record.kind = MessageKind::label;
  EXPECT_EQ(verdict({1, 5, 6}), "");
  EXPECT_NE(verdict({1, 6}), "");
  EXPECT_NE(verdict({1, 4, 5, 6}), "");
  record.kind = MessageKind::multidestination;
  EXPECT_NE(verdict({1, 4, 6}), "");
  EXPECT_NE(verdict({1, 5, 5, 6}), "");
  EXPECT_EQ(
      verdict({1, 6}),
      "message 0 of node 0 to node 6 was received by 2 of 3 nodes although the network is empty");
  record.kind = MessageKind::path;
  record.via = ViaList();
  EXPECT_EQ(verdict({1, 2, 3, 4, 5, 6, 7}), "");
  EXPECT_NE(verdict({1, 2, 3, 4, 5, 6}), "");
  EXPECT_NE(verdict({0}), "");
}

}  // namespace
}  // namespace allport::test
