// SPDX-License-Identifier: Apache-2.0
// Both ends of channels with retry, beside the sentences of docs/router.md: what is decided in
// cycle k is at the far end in cycle k + s + d + x; what is discarded there comes again D cycles
// later; the output is busy in the decisions of the cycles c + 1 + d .. c + 2D - 1 - s - x - d.
#include <Vretry_channels.h>
#include <gtest/gtest.h>

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/verilated/retry_pins.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

using RetryRtl = Clocked<Vretry_channels>;

constexpr int width = 24;
constexpr int word_bits = width + RetryPins::checksum_bits;
constexpr std::uint64_t word_mask = (std::uint64_t{1} << word_bits) - 1;

struct Shape {
  int s, d, x;
  Cycle window() const { return 2 * s + 2 * d + x; }
};
constexpr std::array<Shape, 7> shapes{
    {{1, 0, 0}, {1, 1, 0}, {1, 0, 1}, {2, 0, 0}, {3, 2, 4}, {1, 5, 2}, {4, 0, 1}}};

std::uint64_t with_checksum(std::uint64_t flit) {
  const auto word = static_cast<std::uint32_t>(flit);
  return std::uint64_t{flit_checksum(&word, 0, width)} << width | flit;
}

/// One of the channels of retry_channels.sv, by the contract.
class ContractChannel {
 public:
  ContractChannel(std::size_t unit, const Shape& shape) : u_(unit), shape_(shape) {}

  /// Flits are sent wherever they may be with a chance of `sending` percent, and err with one of
  /// `erring`; where that means nothing, there are errors, too.
  void drive(RetryRtl& rtl, Dice& dice, Cycle now, int sending, int erring) {
    const auto leaving = leaving_.find(now);
    put(rtl.valid_i[u_], 0, 1, leaving != leaving_.end() ? 1 : 0);
    put(rtl.flit_i[u_], 0, width,
        leaving != leaving_.end() ? leaving->second : dice.mask(width, 50));
    there_.reset();
    const auto found = wire_.find(now);
    if (found != wire_.end()) there_ = found->second;
    is_discarded_ = now < discards_until_;
    std::uint64_t flipped = 0;
    is_hit_ = there_ && !is_discarded_ && dice.chance(erring);
    if (is_hit_ || is_discarded_ || !there_) flipped = some_bits(dice);
    put(rtl.error_i[u_], 0, word_bits, flipped);
    flipped_ = flipped;
    if (is_hit_) {
      ++hits;
      discards_until_ = now + shape_.window();
      busy_from_ = now + 1 + shape_.d;
      next_busy_until_ = now + 2 * shape_.window() - shape_.s - shape_.x - shape_.d;
      is_discarded_ = true;
    }
    if (now == busy_from_) busy_until_ = next_busy_until_;
    if (there_ && is_discarded_) wire_[now + shape_.window()] = *there_;
    if (now >= busy_until_ && now >= free_from_ && dice.chance(sending)) {
      const std::uint64_t flit = dice.mask(width, 50);
      leaving_[now + 1 + shape_.x] = flit;
      const bool is_new = wire_.emplace(now + shape_.s + shape_.d + shape_.x, flit).second;
      ASSERT_TRUE(is_new) << "a flit meets one that comes again";
      free_from_ = now + shape_.s;
      sent_.push_back(flit);
    }
  }

  void compare(const RetryRtl& rtl, Cycle now) {
    ASSERT_EQ(get(rtl.there_o[u_], word_bits) != 0, there_.has_value());
    if (there_) {
      ASSERT_EQ(get(rtl.there_o[u_], 0, word_bits), with_checksum(*there_) ^ flipped_);
    }
    ASSERT_EQ(get(rtl.valid_o[u_], 0) != 0, there_ && !is_discarded_);
    if (there_ && !is_discarded_) {
      ASSERT_LT(received_, sent_.size());
      ASSERT_EQ(*there_, sent_[received_++]) << "out of order";
    }
    ASSERT_EQ(get(rtl.nack_o[u_], 0) != 0, was_hit_);
    ASSERT_EQ(get(rtl.is_busy_o[u_], 0) != 0, now < busy_until_);
    // The clock must not stop while there is anything in the line.
    const Cycle far = shape_.s - 1 + shape_.d;
    const auto sent = wire_.lower_bound(now - shape_.window() + far);
    if (sent != wire_.end() && sent->first < now + far) {
      ASSERT_NE(get(rtl.is_active_o[u_], 0), 0U);
    }
    ASSERT_EQ(get(rtl.is_active_o[u_], 1) != 0, now < discards_until_ && !is_hit_);
    was_hit_ = is_hit_;
    wire_.erase(wire_.begin(), wire_.lower_bound(now - 2 * shape_.window()));
    leaving_.erase(now);
  }

  int hits = 0;

 private:
  // One, two or three of a word.
  static std::uint64_t some_bits(Dice& dice) {
    const int count = 1 + dice.below(3);
    std::uint64_t flipped = 0;
    while (static_cast<int>(std::bitset<64>(flipped).count()) < count) {
      flipped |= std::uint64_t{1} << dice.below(word_bits);
    }
    return flipped & word_mask;
  }

  std::size_t u_;
  Shape shape_;
  std::map<Cycle, std::uint64_t> leaving_;  // by the cycle in the register of the output
  std::map<Cycle, std::uint64_t> wire_;     // by the cycle at the far end
  std::vector<std::uint64_t> sent_;
  std::size_t received_ = 0;
  std::optional<std::uint64_t> there_;
  bool is_hit_ = false;
  bool was_hit_ = false;
  bool is_discarded_ = false;
  std::uint64_t flipped_ = 0;
  Cycle discards_until_ = 0;
  Cycle busy_from_ = -1;
  Cycle busy_until_ = -1;
  Cycle next_busy_until_ = -1;
  Cycle free_from_ = 0;
};

TEST(RetryUnit, RepeatsWhatCameInErrorInTheCyclesOfTheContract) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Dice dice(seed);
    RetryRtl rtl;
    rtl.reset();
    std::vector<ContractChannel> channels;
    for (std::size_t u = 0; u < shapes.size(); ++u) channels.emplace_back(u, shapes[u]);
    int sending = 0;
    int erring = 0;
    std::vector<int> hits(shapes.size());
    for (Cycle now = 0; now < 20000; ++now) {
      if (now % 200 == 0) {
        sending = dice.density();
        erring = dice.chance(30) ? 0 : dice.density();
      }
      for (std::size_t u = 0; u < shapes.size(); ++u) {
        SCOPED_TRACE("cycle " + std::to_string(now) + ", unit " + std::to_string(u));
        channels[u].drive(rtl, dice, now, sending, erring);
        if (testing::Test::HasFatalFailure()) return;
      }
      rtl.settle();
      for (std::size_t u = 0; u < shapes.size(); ++u) {
        SCOPED_TRACE("cycle " + std::to_string(now) + ", unit " + std::to_string(u));
        channels[u].compare(rtl, now);
        if (testing::Test::HasFatalFailure()) return;
      }
      rtl.edge();
    }
    for (const ContractChannel& channel : channels) EXPECT_GT(channel.hits, 100);
  }
}

}  // namespace
}  // namespace allport::test
