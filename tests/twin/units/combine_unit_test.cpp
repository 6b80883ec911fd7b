// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first: after <systemc> they would need its global names.
#include <Vcombines.h>

#include "rtl_model/router/combine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

class Combines {
 public:
  void expect_equal(LaneType type, JoinOperation operation, std::uint64_t first,
                    std::uint64_t second) {
    rtl_.operation_i = static_cast<std::uint8_t>(operation);
    rtl_.type_i = static_cast<std::uint8_t>(type);
    rtl_.first_i = first;
    rtl_.second_i = second;
    rtl_.eval();
    const std::uint64_t expected = combine(JoinTag(0, operation, type), first, second);
    const auto say = [&](const char* what) {
      return testing::Message() << what << ": " << to_string(operation) << " of " << to_string(type)
                                << std::hex << " of " << first << " and " << second;
    };
    ASSERT_EQ(rtl_.wide_o, expected) << say("64 bits");
    if (type != LaneType::u64) {
      ASSERT_EQ(rtl_.narrow_o, static_cast<std::uint32_t>(expected)) << say("32 bits");
    }
    if (type != LaneType::float32) {
      ASSERT_EQ(rtl_.integers_o, expected) << say("integers");
    }
  }

  // Both words in both orders, in both lanes.
  void expect_equal_floats(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t first = std::uint64_t{a} << 32 | b;
    const std::uint64_t second = std::uint64_t{b} << 32 | a;
    for (int i = 0; i < 3; ++i) {
      expect_equal(LaneType::float32, values_of<JoinOperation>()[static_cast<std::size_t>(i)],
                   first, second);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  Vcombines rtl_;
};

TEST(CombineUnit, ComputesTheSameOfRandomIntegers) {
  Combines units;
  Dice dice(1);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t first = dice.bits();
    const std::uint64_t second = dice.chance(20) ? first ^ dice.mask(64, 5) : dice.bits();
    for (const JoinOperation operation : values_of<JoinOperation>()) {
      for (const LaneType type : {LaneType::u32, LaneType::u64}) {
        units.expect_equal(type, operation, first, second);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// Zeros, the smallest and largest of each kind, one, infinities and what is no number, with a few
// of their neighbours.
std::vector<std::uint32_t> special_floats() {
  std::vector<std::uint32_t> words;
  for (const std::uint32_t sign : {0U, 0x80000000U}) {
    for (const std::uint32_t edge :
         {0x00000000U, 0x00000001U, 0x00400000U, 0x007fffffU, 0x00800000U, 0x00ffffffU,
          0x01000000U, 0x0c000000U, 0x3f7fffffU, 0x3f800000U, 0x3f800001U, 0x4b000000U,
          0x4b7fffffU, 0x4b800000U, 0x7effffffU, 0x7f000000U, 0x7f7fffffU, 0x7f800000U,
          0x7f800001U, 0x7fc00000U, 0x7fffffffU}) {
      words.push_back(sign | edge);
    }
  }
  return words;
}

TEST(CombineUnit, ComputesTheSameOfAllPairsOfSpecialFloats) {
  Combines units;
  for (const std::uint32_t a : special_floats()) {
    for (const std::uint32_t b : special_floats()) {
      units.expect_equal_floats(a, b);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// Random numbers; most have exponents that are near to each other, so that sums are rounded and
// leading digits cancel, or are near to the ends of the range.
TEST(CombineUnit, ComputesTheSameOfRandomFloats) {
  Combines units;
  Dice dice(2);
  for (int i = 0; i < 400000; ++i) {
    const auto bits = dice.bits();
    auto a = static_cast<std::uint32_t>(bits);
    auto b = static_cast<std::uint32_t>(bits >> 32);
    const int exponent = dice.chance(60) ? dice.below(256) : dice.chance(50) ? 0 : 250;
    if (dice.chance(90)) {
      const auto at = [&](int distance) {
        return static_cast<std::uint32_t>(std::clamp(exponent + distance, 0, 255)) << 23;
      };
      a = (a & 0x807fffffU) | at(0);
      b = (b & 0x807fffffU) | at(dice.below(58) - 29);
    }
    if (dice.chance(20)) b = (b & 0xff800000U) | ((a ^ dice.mask(23, 10)) & 0x7fffffU);
    if (dice.chance(20)) b &= 0xfff00000U << dice.below(4);
    units.expect_equal_floats(a, static_cast<std::uint32_t>(b));
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace allport::test
