// SPDX-License-Identifier: Apache-2.0
// These tests check the phases and their cycles (docs/timing.md, section 6).
#include "tlm/interface/network_interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/fatal.h"
#include "tests/support/message_bench.h"

namespace allport::test {
namespace {

// ---- Phases and their cycles ----

TEST(NetworkInterface, GoesThroughThePhasesInTheCyclesOfTheTable) {
  constexpr Cycle s = 10, ts = 7, tr = 5, flits = 4, hops = 2, link_delay = 1;
  MessageBench bench("hypercube:3", With().link_delay(1));
  bench.processors[6]->answer = tlm::TLM_ACCEPTED;
  bench.processors[6]->tr = tr;
  auto& message = bench.message(6, flits);
  message_extension(message)->preparation = ts;
  bench.send(s, 0, message);

  bench.run();

  EXPECT_EQ(bench.processors[0]->phases, "END_REQ@" + std::to_string(s + ts + flits - 1));
  const Cycle received = s + ts + hops * (1 + link_delay) + flits;
  EXPECT_EQ(bench.processors[6]->phases, "BEGIN_RESP@" + std::to_string(received));
  EXPECT_EQ(bench.delivered, "0>6#0@" + std::to_string(received));
  EXPECT_EQ(bench.received, "0>6#0@" + std::to_string(received + tr));
}

TEST(NetworkInterface, TakesTheEndOfTheResponseAsTheAnswerToItsBeginning) {
  MessageBench bench("hypercube:1");
  bench.processors[1]->answer = tlm::TLM_UPDATED;
  bench.send(0, 0, bench.message(1, 2));

  bench.run();

  EXPECT_EQ(bench.received, "0>1#0@3");
}

TEST(NetworkInterface, TakesACompletedResponse) {
  MessageBench bench("hypercube:1");
  bench.processors[1]->answer = tlm::TLM_COMPLETED;
  bench.send(0, 0, bench.message(1, 2));

  bench.run();

  EXPECT_EQ(bench.received, "0>1#0@3");
}

TEST(NetworkInterface, AddsPreparationJitterAndAnnotatedDelay) {
  MessageBench bench("hypercube:1");
  HeadTable table(bench.fabric);
  auto& message = bench.message(1, 1);
  message_extension(message)->preparation = 20;
  message_extension(message)->jitter = 3;
  bench.script.at(
      2, [&] { bench.processors[0]->send(message, sc_core::sc_time(100, sc_core::SC_NS)); });

  bench.run();

  EXPECT_EQ(table.heads, "0.0@125");
}

TEST(NetworkInterface, TakesRequestsWhileEarlierOnesAreUnderWay) {
  MessageBench bench("hypercube:2");
  HeadTable table(bench.fabric);
  for (const std::size_t to : {1, 2, 3}) bench.send(0, 0, bench.message(to, 5));

  bench.run();

  // 1 leaves by port 0; 2 and 3 share port 1 and follow each other without a gap.
  EXPECT_EQ(table.heads, "0.0@0 0.1@0 0.1@5");
  EXPECT_EQ(bench.processors[0]->phases, "END_REQ@4 END_REQ@4 END_REQ@9");
}

TEST(NetworkInterface, WaitsForCreditsOnItsInjectionChannel) {
  MessageBench bench("hypercube:1", With().depth(1));
  bench.send(0, 0, bench.message(1, 4));

  bench.run();

  EXPECT_EQ(bench.processors[0]->phases, "END_REQ@6");  // flits in cycles 0, 2, 4, 6
  EXPECT_EQ(bench.processors[1]->phases, "BEGIN_RESP@8");
}

TEST(NetworkInterface, InjectsInTheVeryCycleInWhichItIsAskedTo) {
  MessageBench bench("hypercube:2");
  auto& relayed = bench.message(3, 2);
  bench.processors[1]->on_message = [&](tlm::tlm_generic_payload&) {
    bench.processors[1]->send(relayed);
  };
  HeadTable table(bench.fabric);
  bench.send(0, 0, bench.message(1, 2));

  bench.run();

  EXPECT_EQ(bench.delivered, "0>1#0@3 1>3#0@6");
  EXPECT_EQ(table.heads, "0.0@0 1.1@3");
}

// ---- Ports ----

TEST(NetworkInterface, InjectsOnTheInternalPortOfTheFirstChannelModK) {
  MessageBench bench("hypercube:3", With().ports(2));
  HeadTable table(bench.fabric);
  bench.send(0, 0, bench.message(1, 1));   // channel 0
  bench.send(10, 0, bench.message(3, 1));  // channel 1
  bench.send(20, 0, bench.message(5, 1));  // channel 2

  bench.run();

  EXPECT_EQ(table.heads, "0.0@0 0.1@10 0.0@20");
}

TEST(NetworkInterface, TakesTheDirectionOfATieIntoAccount) {
  MessageBench bench("ring:4");
  HeadTable table(bench.fabric);
  bench.send(0, 0, bench.message(2, 1));
  auto& backward = bench.message(2, 1);
  message_extension(backward)->ties = 1;
  bench.send(10, 0, backward);

  bench.run();

  EXPECT_EQ(table.heads, "0.0@0 0.1@10");
}

TEST(NetworkInterface, InjectsATreeOnPortZeroAndDeliversItEverywhereElse) {
  MessageBench bench("hypercube:2");
  HeadTable table(bench.fabric);
  bench.send(0, 3, bench.message(0, 1, MessageKind::tree));

  bench.run();

  EXPECT_EQ(table.heads, "3.0@0");
  EXPECT_EQ(bench.processors[3]->phases, "END_REQ@0");
  EXPECT_EQ(bench.processors[2]->phases, "BEGIN_RESP@2");
  EXPECT_EQ(bench.processors[1]->phases, "BEGIN_RESP@2");
  EXPECT_EQ(bench.processors[0]->phases, "BEGIN_RESP@3");
}

TEST(NetworkInterface, GivesEachReceiverATransactionOfItsOwnWithTheBytesThatWereSent) {
  MessageBench bench("hypercube:2");
  auto& message = bench.message(3, 3, MessageKind::deposit);
  const auto sent = bytes_of(message);
  std::vector<tlm::tlm_generic_payload*> seen;
  for (const std::size_t node : {2, 3}) {
    bench.processors[node]->on_message = [&](tlm::tlm_generic_payload& received) {
      received.acquire();  // or the second could be the first, used again
      seen.push_back(&received);
      EXPECT_EQ(bytes_of(received), sent);
      EXPECT_EQ(received.get_response_status(), tlm::TLM_OK_RESPONSE);
    };
  }
  bench.send(0, 0, message);

  bench.run();

  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NE(seen[0], seen[1]);
  EXPECT_NE(seen[0], &message);
  EXPECT_EQ(message_extension(*seen[0])->receiver, node_id(2));
  EXPECT_EQ(message_extension(*seen[1])->receiver, node_id(3));
  EXPECT_EQ(message_extension(*seen[1])->internal_port, 0);
}

TEST(NetworkInterface, LogsWhatItSends) {
  MessageBench bench("hypercube:2");
  auto& message = bench.message(3, 3, MessageKind::deposit);
  message_extension(message)->order = 2;
  message_extension(message)->collective = 1;
  const std::uint64_t checksum = payload_checksum(message.get_data_ptr(), 12);
  bench.send(4, 0, message);

  bench.run();

  ASSERT_EQ(bench.log.size(), 1U);
  const MessageRecord& record = bench.log[MessageId{0}];
  EXPECT_EQ(record.source, node_id(0));
  EXPECT_EQ(record.destination, node_id(3));
  EXPECT_EQ(record.order, 2);
  EXPECT_EQ(record.collective, 1);
  EXPECT_EQ(record.kind, MessageKind::deposit);
  EXPECT_EQ(record.flits, 3);
  EXPECT_EQ(record.bytes, 12U);
  EXPECT_EQ(record.checksum, checksum);
}

TEST(NetworkInterface, LogsTheWayOfAMessageWhoeverSendsAndReceivesIt) {
  MessageBench bench("hypercube:2");
  bench.send(4, 0, bench.message(3, 3));
  bench.send(20, 0, bench.message(0, 2, MessageKind::tree));

  bench.run();

  ASSERT_EQ(bench.log.size(), 2U);
  const MessageRecord& unicast = bench.log[MessageId{0}];
  EXPECT_EQ(unicast.injected, 4);
  EXPECT_EQ(unicast.head, 4 + 3);
  EXPECT_EQ(unicast.tail, 4 + 3 + 2);
  const MessageRecord& tree = bench.log[MessageId{1}];  // its last copy is two hops away
  EXPECT_EQ(tree.head, 20 + 3);
  EXPECT_EQ(tree.tail, 20 + 3 + 1);
}

TEST(NetworkInterface, LogsNoReceptionOfWhatIsStillUnderWay) {
  MessageBench bench("hypercube:2");
  bench.send(4, 0, bench.message(3, 3));
  bench.reset();

  sc_core::sc_start(8, sc_core::SC_NS);

  EXPECT_EQ(bench.log[MessageId{0}].injected, 4);
  EXPECT_EQ(bench.log[MessageId{0}].tail, -1);
}

}  // namespace
}  // namespace allport::test
