// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/ejector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/fatal.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

struct EjectorBench {
  /// A message of `flits` flits of four bytes; its last flit has `spare` unused bytes.
  MessageId add(int flits, int spare = 0) {
    MessageRecord record;
    record.source = node_id(2);
    record.destination = node_id(5);
    record.order = 4;
    record.flits = flits;
    record.bytes = static_cast<std::uint32_t>(4 * flits - spare);
    record.created = 11;
    return log.add(record);
  }
  tlm::tlm_generic_payload* take(MessageId id, int position, bool head, bool tail) {
    Flit flit;
    flit.message = id;
    flit.head = head;
    flit.tail = tail;
    flit.data = 0x03020100U + 0x04040404U * static_cast<unsigned>(position);
    return ejector.take(flit, now++);
  }
  std::string complaint_of(MessageId id, bool head, bool tail) {
    return fatal_report_of([&] { take(id, 0, head, tail); });
  }

  MessageLog log;
  MessagePool pool;
  const Ejector::Interface interface { "interface", log, pool, 4 };
  Ejector ejector{interface, 3};
  Cycle now = 20;
};

TEST(Ejector, PutsAMessageTogetherAndGivesItWithItsTail) {
  EjectorBench bench;
  const MessageId id = bench.add(3, 1);

  EXPECT_EQ(bench.take(id, 0, true, false), nullptr);
  EXPECT_EQ(bench.take(id, 1, false, false), nullptr);
  const auto* message = bench.take(id, 2, false, true);

  ASSERT_NE(message, nullptr);
  ASSERT_EQ(message->get_data_length(), 11U);
  for (unsigned i = 0; i < 11; ++i) EXPECT_EQ(message->get_data_ptr()[i], i);
}

TEST(WidePayloads, AreKeptUntilEachReceiverHasThem) {
  std::vector<unsigned char> bytes(100);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
  WidePayloads kept;
  const auto id = static_cast<MessageId>(7);
  const std::vector<WidePayloads::Name> names = kept.keep(id, bytes.data(), 100, 2, 3);

  ASSERT_EQ(names.size(), 2U);
  std::vector<unsigned char> found(100);
  EXPECT_TRUE(kept.fetch(names[1], 64, found.data() + 64, 36));
  EXPECT_TRUE(kept.fetch(names[0], 64, found.data(), 100));
  EXPECT_EQ(found, bytes);
  EXPECT_FALSE(kept.fetch(names[1] + 1, 64, found.data(), 100));  // no flit of the message
  EXPECT_FALSE(kept.fetch(names[1] ^ std::uint64_t{1} << 40, 64, found.data(), 100));

  for (int receiver = 0; receiver < 3; ++receiver) {
    EXPECT_EQ(kept.size(), 1U);
    kept.release(id);
  }
  EXPECT_EQ(kept.size(), 0U);
  EXPECT_FALSE(kept.fetch(names[0], 64, found.data(), 100));
}

TEST(Ejector, SaysWhoseMessageItIsAndWhenItCame) {
  EjectorBench bench;
  const MessageId id = bench.add(2);
  bench.take(id, 0, true, false);
  auto* message = bench.take(id, 1, false, true);

  ASSERT_NE(message, nullptr);
  const MessageExtension& extension = *message_extension(*message);
  EXPECT_EQ(extension.source, node_id(2));
  EXPECT_EQ(extension.order, 4);
  EXPECT_EQ(extension.created, 11);
  EXPECT_EQ(extension.id, id);
  EXPECT_EQ(extension.head, 20);
  EXPECT_EQ(extension.tail, 21);
  EXPECT_EQ(message->get_address(), 5U);
}

TEST(Ejector, TakesMessageAfterMessage) {
  EjectorBench bench;
  for (int i = 0; i < 3; ++i) {
    auto* message = bench.take(bench.add(1), 0, true, true);
    ASSERT_NE(message, nullptr);
    message->release();
  }
}

TEST(Ejector, ReportsAHeadInTheMiddleOfAMessage) {
  EjectorBench bench;
  const MessageId first = bench.add(3);
  bench.take(first, 0, true, false);

  EXPECT_EQ(
      bench.complaint_of(bench.add(1), true, true),
      "/allport/ejector: interface.ejector_3: cycle 21: a head in the middle of another message (head+tail vc 0 message 1 to 0)");
}

TEST(Ejector, ReportsAFlitOfAnotherMessage) {
  EjectorBench bench;
  bench.take(bench.add(3), 0, true, false);

  EXPECT_THAT(bench.complaint_of(bench.add(3), false, false),
              HasSubstr("cycle 21: a flit of another message within a message"));
}

TEST(Ejector, ReportsAFlitWithoutAHead) {
  EjectorBench bench;
  EXPECT_THAT(bench.complaint_of(bench.add(2), false, true),
              HasSubstr("a flit without a head before it"));
}

TEST(Ejector, ReportsATailTooEarly) {
  EjectorBench bench;
  const MessageId id = bench.add(3);
  bench.take(id, 0, true, false);

  EXPECT_THAT(bench.complaint_of(id, false, true), HasSubstr("a tail too early"));
}

TEST(Ejector, ReportsAMissingTail) {
  EjectorBench bench;
  const MessageId id = bench.add(2);
  bench.take(id, 0, true, false);

  EXPECT_THAT(bench.complaint_of(id, false, false), HasSubstr("a tail missing"));
}

TEST(Ejector, ReportsAnUnknownMessage) {
  EjectorBench bench;
  EXPECT_THAT(bench.complaint_of(MessageId{3}, true, true), HasSubstr("an unknown message"));
  EXPECT_THAT(bench.complaint_of(no_message, true, true), HasSubstr("an unknown message"));
}

TEST(Ejector, DropsAnUnfinishedMessageOnReset) {
  EjectorBench bench;
  bench.take(bench.add(3), 0, true, false);

  bench.ejector.reset();

  EXPECT_NE(bench.take(bench.add(1), 0, true, true), nullptr);
}

}  // namespace
}  // namespace allport::test
