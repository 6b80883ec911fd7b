// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/injector.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace allport::test {
namespace {

constexpr int plenty = 1000;  // credits

struct InjectorBench {
  explicit InjectorBench(int credits = plenty, int flit_bytes = 4,
                         Switching switching = Switching::wormhole, bool carries_length = false)
      : injector(flit_bytes, credits, switching, carries_length) {}

  tlm::tlm_generic_payload& push(Cycle start, int flits, std::size_t bytes) {
    tlm::tlm_generic_payload& message = pool.allocate(bytes);
    fill_payload(message, 7);
    message_extension(message)->id = static_cast<MessageId>(pushed++);
    injector.push(message, start, flits);
    return message;
  }
  void push(Cycle start, int flits) { push(start, flits, static_cast<std::size_t>(flits) * 4); }
  /// Sends whenever it can until cycle `end`: `message@cycle` for each flit, tails with a bar.
  std::string sent_until(Cycle end) {
    std::string text;
    for (; now < end; ++now) {
      if (!injector.can_send(now)) continue;
      const Flit flit = injector.send(now);
      text += std::to_string(static_cast<int>(flit.message)) + "@" + std::to_string(now) +
              (flit.tail ? "| " : " ");
    }
    return text;
  }

  MessagePool pool;
  Injector injector;
  int pushed = 0;
  Cycle now = 0;
};

TEST(Injector, StartsInTheCycleTheMessageIsPrepared) {
  InjectorBench bench;
  bench.push(7, 3);

  EXPECT_EQ(bench.injector.next_start(), 7);
  EXPECT_FALSE(bench.injector.can_send(6));
  EXPECT_TRUE(bench.injector.can_send(7));
  EXPECT_EQ(bench.sent_until(20), "0@7 0@8 0@9| ");
}

TEST(Injector, SendsTheNextMessageBehindTheTailWithoutAGap) {
  InjectorBench bench;
  bench.push(0, 3);
  bench.push(1, 2);

  EXPECT_EQ(bench.sent_until(20), "0@0 0@1 0@2| 1@3 1@4| ");
}

TEST(Injector, LetsALaterMessageWaitForItsPreparation) {
  InjectorBench bench;
  bench.push(0, 1);
  bench.push(5, 1);

  EXPECT_EQ(bench.sent_until(20), "0@0| 1@5| ");
}

TEST(Injector, KeepsTheOrderOfTheProgramWhateverTheJitter) {
  InjectorBench bench;
  bench.push(9, 1);
  bench.push(2, 1);

  EXPECT_EQ(bench.sent_until(20), "0@9| 1@10| ");
}

TEST(Injector, SendsNothingWithoutACredit) {
  InjectorBench bench(2);
  bench.push(0, 4);
  EXPECT_EQ(bench.sent_until(5), "0@0 0@1 ");

  bench.injector.accept_credit();
  EXPECT_EQ(bench.sent_until(9), "0@5 ");

  bench.injector.accept_credit();
  EXPECT_EQ(bench.sent_until(12), "0@9| ");
}

TEST(Injector, PutsTheBytesIntoFlitsOfEverySize) {
  for (int flit_bytes = 1; flit_bytes <= 8; ++flit_bytes) {
    InjectorBench bench(plenty, flit_bytes);
    const std::size_t bytes = 19;
    const int flits = static_cast<int>(bytes - 1) / flit_bytes + 1;
    const tlm::tlm_generic_payload& message = bench.push(0, flits, bytes);
    std::vector<unsigned char> sent;
    for (int i = 0; i < flits; ++i) {
      const Flit flit = bench.injector.send(i);
      unsigned char data[8];
      std::memcpy(data, &flit.data, sizeof data);
      sent.insert(sent.end(), data, data + flit_bytes);
    }

    sent.resize(bytes);  // the rest of the last flit is padding
    EXPECT_EQ(sent,
              std::vector<unsigned char>(message.get_data_ptr(), message.get_data_ptr() + bytes));
  }
}

TEST(Injector, MarksHeadAndTailAndFillsTheHeader) {
  InjectorBench bench;
  tlm::tlm_generic_payload& message = bench.push(0, 3, 12);
  message.set_address(5);
  message_extension(message)->kind = MessageKind::deposit;
  message_extension(message)->ties = 0b10;

  const Flit head = bench.injector.send(0);
  EXPECT_TRUE(head.head && !head.tail);
  EXPECT_EQ(head.address, node_id(5));
  EXPECT_EQ(head.kind, MessageKind::deposit);
  EXPECT_EQ(head.ties, 0b10U);

  const Flit body = bench.injector.send(1);
  EXPECT_TRUE(!body.head && !body.tail);
  EXPECT_EQ(body.address, NodeId{});
  EXPECT_EQ(body.kind, MessageKind::unicast);
  EXPECT_EQ(body.ties, 0U);

  const Flit tail = bench.injector.send(2);
  EXPECT_TRUE(!tail.head && tail.tail);
  EXPECT_EQ(&bench.injector.sent_message(), &message);
}

TEST(Injector, MakesHeadAndTailOneFlitWhereThereIsOnlyOne) {
  InjectorBench bench;
  bench.push(0, 1);

  const Flit flit = bench.injector.send(0);

  EXPECT_TRUE(flit.head && flit.tail);
}

TEST(Injector, AddressesATreeByItsRoot) {
  InjectorBench bench;
  tlm::tlm_generic_payload& message = bench.push(0, 1, 4);
  message.set_address(5);
  message_extension(message)->kind = MessageKind::tree;
  message_extension(message)->source = node_id(3);

  EXPECT_EQ(bench.injector.send(0).address, node_id(3));
}

TEST(Injector, IsEmptyWithAllCreditsAfterReset) {
  InjectorBench bench(1);
  bench.push(0, 3);
  bench.sent_until(1);

  bench.injector.reset();
  EXPECT_TRUE(bench.injector.is_empty());
  EXPECT_TRUE(bench.injector.is_at_head());

  bench.now = 0;
  bench.push(0, 1);
  EXPECT_EQ(bench.sent_until(5), "1@0| ");
}

TEST(Injector, WaitsWithAHeadForRoomForItsMessageInModesThatDemandIt) {
  for (const Switching mode : {Switching::cut_through, Switching::store_and_forward}) {
    InjectorBench bench(4, 4, mode);
    bench.push(0, 3);
    bench.push(0, 3);

    EXPECT_EQ(bench.sent_until(5), "0@0 0@1 0@2| ");
    EXPECT_FALSE(bench.injector.accept_credit() && bench.injector.can_send(5));
    EXPECT_EQ(bench.sent_until(6), "");
    EXPECT_TRUE(bench.injector.accept_credit());
    EXPECT_EQ(bench.sent_until(9), "1@6 1@7 1@8| ");
  }
}

TEST(Injector, SaysTheLengthInTheHeadWhereHeadsCarryIt) {
  for (const bool carries_length : {false, true}) {
    for (const Switching mode : switching_modes) {
      InjectorBench bench(8, 4, mode, carries_length);
      bench.push(0, 3);
      EXPECT_EQ(bench.injector.send(0).length, carries_length ? 3 : 0);
      bench.injector.accept_ack();
      EXPECT_EQ(bench.injector.send(1).length, 0);
    }
  }
}

TEST(Injector, KeepsTheBodyOfACircuitUntilTheAcknowledgement) {
  InjectorBench bench(8, 4, Switching::circuit);
  bench.push(0, 3);
  bench.push(0, 1);
  bench.push(0, 2);

  EXPECT_EQ(bench.sent_until(20), "0@0 ");
  bench.injector.accept_ack();
  EXPECT_EQ(bench.sent_until(30), "0@20 0@21| 1@22| 2@23 ");
  EXPECT_FALSE(bench.injector.accept_credit() && bench.injector.can_send(30));
  bench.injector.accept_ack();
  EXPECT_EQ(bench.sent_until(40), "2@30| ");
}

TEST(Injector, PutsTheListOfAMultidestinationMessageIntoItsHead) {
  InjectorBench bench;
  auto& message = bench.push(0, 2, 8);
  message.set_address(9);
  message_extension(message)->kind = MessageKind::multidestination;
  message_extension(message)->via = ViaList({node_id(4), node_id(5)});

  const Flit head = bench.injector.send(0);
  EXPECT_EQ(head.kind, MessageKind::multidestination);
  EXPECT_EQ(head.address, node_id(4));
  EXPECT_EQ(head.via, ViaList({node_id(5), node_id(9)}));
  EXPECT_EQ(bench.injector.send(1).via, ViaList());
}

}  // namespace
}  // namespace allport::test
