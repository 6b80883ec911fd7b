// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/combine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace allport {
namespace {

std::uint64_t lanes(float low, float high) {
  std::uint64_t word = 0;
  std::memcpy(&word, &low, 4);
  std::memcpy(reinterpret_cast<char*>(&word) + 4, &high, 4);
  return word;
}

std::uint64_t words(JoinOperation operation, std::uint64_t a, std::uint64_t b) {
  return combine({0, operation, LaneType::u32}, a, b);
}

TEST(Combine, WordsStayInTheirLanes) {
  constexpr std::uint64_t a = 0x00000001'ffffffff;
  constexpr std::uint64_t b = 0xfffffffe'00000001;
  EXPECT_EQ(words(JoinOperation::sum, a, b), 0xffffffff'00000000);
  EXPECT_EQ(words(JoinOperation::min, a, b), 0x00000001'00000001);
  EXPECT_EQ(words(JoinOperation::max, a, b), 0xfffffffe'ffffffff);
  EXPECT_EQ(words(JoinOperation::bit_and, a, b), 0x00000000'00000001);
  EXPECT_EQ(words(JoinOperation::bit_or, a, b), 0xffffffff'ffffffff);
  EXPECT_EQ(words(JoinOperation::bit_xor, a, b), 0xffffffff'fffffffe);
}

TEST(Combine, LongLanesCarryAcrossTheWord) {
  const JoinTag sum{0, JoinOperation::sum, LaneType::u64};
  EXPECT_EQ(combine(sum, 0x00000001'ffffffff, 1), 0x00000002'00000000);
  EXPECT_EQ(combine(sum, ~std::uint64_t{0}, 2), 1U);
  const JoinTag least{0, JoinOperation::min, LaneType::u64};
  EXPECT_EQ(combine(least, 0x00000001'00000000, 0xffffffff), 0xffffffffU);
}

TEST(Combine, NumbersRoundInTheOrderInWhichTheyAreAdded) {
  const JoinTag sum{0, JoinOperation::sum, LaneType::float32};
  const std::uint64_t big = lanes(1e8F, -1e8F);
  const std::uint64_t small = lanes(3.0F, 3.0F);
  const std::uint64_t back = lanes(-1e8F, 1e8F);
  EXPECT_EQ(combine(sum, combine(sum, big, small), back), lanes(0.0F, 0.0F));
  EXPECT_EQ(combine(sum, combine(sum, big, back), small), lanes(3.0F, 3.0F));
}

TEST(Combine, OfEqualNumbersTheFirstAndOfNoNumbersTheSecondIsTaken) {
  const JoinTag least{0, JoinOperation::min, LaneType::float32};
  const JoinTag most{0, JoinOperation::max, LaneType::float32};
  EXPECT_EQ(combine(least, lanes(-0.0F, 0.0F), lanes(0.0F, -0.0F)), lanes(-0.0F, 0.0F));
  EXPECT_EQ(combine(most, lanes(-2.0F, 5.0F), lanes(1.0F, -7.0F)), lanes(1.0F, 5.0F));
  const float none = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(combine(least, lanes(none, none), lanes(2.0F, 4.0F)), lanes(2.0F, 4.0F));
}

TEST(JoinTag, KeepsTagOperationAndType) {
  for (const JoinOperation operation : values_of<JoinOperation>()) {
    for (const LaneType type : values_of<LaneType>()) {
      for (const int tag : {0, 1, 1024, JoinTag::max_tag}) {
        const JoinTag join{tag, operation, type};
        EXPECT_EQ(join.tag(), tag);
        EXPECT_EQ(join.operation(), operation);
        EXPECT_EQ(join.type(), type);
      }
    }
  }
}

TEST(JoinTag, LanesMustFitOperationFlitAndMessage) {
  EXPECT_EQ(lane_fault({0, JoinOperation::sum, LaneType::u32}, 4, 12), "");
  EXPECT_EQ(lane_fault({0, JoinOperation::bit_xor, LaneType::u64}, 8, 16), "");
  EXPECT_EQ(lane_fault({0, JoinOperation::bit_or, LaneType::float32}, 4, 4),
            "the operation or is for u32 and u64, and float32 takes sum, min and max");
  EXPECT_EQ(
      lane_fault({0, JoinOperation::sum, LaneType::u64}, 4, 8),
      "a flit of 4 bytes is not a whole number of u64 lanes, which have 8 bytes each; the flit bytes must be 8");
  EXPECT_EQ(lane_fault({0, JoinOperation::sum, LaneType::u64}, 16, 32),
            "--flit-bytes 16: routers combine flits of 4 or 8 bytes");
  EXPECT_EQ(
      lane_fault({0, JoinOperation::sum, LaneType::u32}, 4, 10),
      "a message of 10 bytes is not a whole number of u32 lanes; the bytes must be a multiple of 4");
}

}  // namespace
}  // namespace allport
