// SPDX-License-Identifier: Apache-2.0
#include "tlm/message/message.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace allport::test {
namespace {

std::uint64_t checksum(const std::vector<unsigned char>& bytes) {
  return payload_checksum(bytes.data(), bytes.size());
}

std::vector<unsigned char> bytes_of(const tlm::tlm_generic_payload& message) {
  return {message.get_data_ptr(), message.get_data_ptr() + message.get_data_length()};
}

TEST(PayloadChecksum, ChangesWithEveryBitOfEveryByte) {
  for (const std::size_t size : {1U, 7U, 8U, 9U, 64U}) {
    std::vector<unsigned char> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(37 * i);
    const std::uint64_t sum = checksum(bytes);
    for (std::size_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= static_cast<unsigned char>(1U << bit % 8);
      EXPECT_NE(checksum(bytes), sum) << "bit " << bit << " of " << size << " bytes";
      bytes[bit / 8] ^= static_cast<unsigned char>(1U << bit % 8);
    }
    EXPECT_EQ(checksum(bytes), sum);
  }
}

TEST(PayloadChecksum, ChangesWhenTwoBytesOrFlitsChangePlaces) {
  std::vector<unsigned char> bytes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  const std::uint64_t sum = checksum(bytes);
  for (std::size_t a = 0; a < bytes.size(); ++a) {
    for (std::size_t b = a + 1; b < bytes.size(); ++b) {
      std::swap(bytes[a], bytes[b]);
      EXPECT_NE(checksum(bytes), sum) << a << " and " << b;
      std::swap(bytes[a], bytes[b]);
    }
  }
}

TEST(PayloadChecksum, ChangesWithTheLength) {
  std::set<std::uint64_t> sums;
  for (std::size_t size = 0; size < 40; ++size)
    sums.insert(checksum(std::vector<unsigned char>(size)));
  EXPECT_EQ(sums.size(), 40U);
}

TEST(FillPayload, DiffersFromSeedToSeedAndPlaceToPlace) {
  MessagePool pool;
  tlm::tlm_generic_payload& a = pool.allocate(64);
  tlm::tlm_generic_payload& b = pool.allocate(64);
  fill_payload(a, 0);
  fill_payload(b, 1);

  std::set<std::uint64_t> words;
  for (const auto* message : {&a, &b}) {
    for (std::size_t at = 0; at < 64; at += 8) {
      words.insert(payload_checksum(message->get_data_ptr() + at, 8));
    }
  }
  EXPECT_EQ(words.size(), 16U);

  fill_payload(b, 0);
  EXPECT_EQ(bytes_of(a), bytes_of(b));
}

TEST(FillPayload, FillsTheOddBytesAtTheEnd) {
  MessagePool pool;
  tlm::tlm_generic_payload& message = pool.allocate(11);
  std::fill_n(message.get_data_ptr(), 11, static_cast<unsigned char>(0));

  fill_payload(message, 3);

  EXPECT_NE(message.get_data_ptr()[8] | message.get_data_ptr()[9] | message.get_data_ptr()[10], 0);
}

TEST(MessagePool, GivesAWriteTransactionWithAnExtensionAndBytesOfItsOwn) {
  MessagePool pool;

  tlm::tlm_generic_payload& message = pool.allocate(20);

  EXPECT_TRUE(message.is_write());
  EXPECT_EQ(message.get_data_length(), 20U);
  EXPECT_NE(message.get_data_ptr(), nullptr);
  EXPECT_NE(message_extension(message), nullptr);
  EXPECT_EQ(message.get_ref_count(), 1);
  EXPECT_NE(message.get_data_ptr(), pool.allocate(20).get_data_ptr());
}

TEST(MessagePool, GivesATransactionAroundBytesOfSomebodyElse) {
  MessagePool pool;
  unsigned char bytes[12] = {};

  tlm::tlm_generic_payload& message = pool.allocate_around(bytes, sizeof bytes);

  EXPECT_TRUE(message.is_write());
  EXPECT_EQ(message.get_data_ptr(), bytes);
  EXPECT_EQ(message.get_data_length(), 12U);
  EXPECT_EQ(message.get_streaming_width(), 12U);
}

TEST(MessagePool, UsesATransactionAgainOnceEverybodyHasReleasedIt) {
  MessagePool pool;
  tlm::tlm_generic_payload& message = pool.allocate(20);
  message.acquire();

  message.release();
  EXPECT_NE(&pool.allocate(20), &message);

  message.release();
  EXPECT_EQ(&pool.allocate(8), &message);
}

TEST(MessagePool, LeavesNothingOfAnEarlierUseInATransaction) {
  MessagePool pool;
  tlm::tlm_generic_payload& message = pool.allocate(20);
  message.set_response_status(tlm::TLM_OK_RESPONSE);
  message_extension(message)->jitter = 5;
  message_extension(message)->kind = MessageKind::tree;
  message.release();

  tlm::tlm_generic_payload& again = pool.allocate(8);

  ASSERT_EQ(&again, &message);
  EXPECT_EQ(again.get_data_length(), 8U);
  EXPECT_EQ(again.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_EQ(message_extension(again)->jitter, 0);
  EXPECT_EQ(message_extension(again)->kind, MessageKind::unicast);
}

TEST(MessageExtension, IsCopiedWhole) {
  MessageExtension extension;
  extension.order = 3;
  extension.kind = MessageKind::deposit;

  const std::unique_ptr<MessageExtension> clone(static_cast<MessageExtension*>(extension.clone()));
  EXPECT_EQ(clone->order, 3);

  MessageExtension copy;
  copy.copy_from(extension);
  EXPECT_EQ(copy.kind, MessageKind::deposit);
}

}  // namespace
}  // namespace allport::test
