// SPDX-License-Identifier: Apache-2.0
// These tests check what is looked at on the pins of a router in RTL with retry, without any RTL.
#include "rtl_model/verilated/retry_pins.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

using Words = std::vector<std::uint32_t>;

// The check value that catalogues of checksums give for the nine characters.
TEST(FlitChecksum, IsThatOfCatalogues) {
  Words words(5);
  const std::string text = "123456789";
  for (std::size_t i = 0; i < text.size(); ++i) {
    put_bits(words.data(), 40 + 8 * (text.size() - 1 - i), 8, static_cast<unsigned char>(text[i]));
  }
  EXPECT_EQ(flit_checksum(words.data(), 40, 72), 0xFEE8);
  EXPECT_EQ(flit_checksum(words.data(), 0, 40), 0);
}

// What an error does to the sum depends on its bits alone. No two bits do the same, no third what
// two others do, and none changes an even number of them.
TEST(FlitChecksum, FindsUpToThreeFlippedBits) {
  constexpr std::size_t width = 300;
  Words words((width + 31) / 32);
  std::set<unsigned> one;
  for (std::size_t bit = 0; bit < width + RetryPins::checksum_bits; ++bit) {
    unsigned syndrome = 1U << (bit % 16);
    if (bit >= RetryPins::checksum_bits) {
      put_bit(words.data(), bit - RetryPins::checksum_bits);
      syndrome = flit_checksum(words.data(), 0, width);
      words.assign(words.size(), 0);
    }
    EXPECT_EQ(__builtin_popcount(syndrome) % 2, 1) << bit;
    EXPECT_TRUE(one.insert(syndrome).second) << bit;
  }
  for (const unsigned a : one) {
    for (const unsigned b : one) EXPECT_EQ(one.count(a ^ b), 0U);
  }
}

/// The pins of a router, by hand: what it sends, and its nacks.
class Pins final : public PinModel {
 public:
  explicit Pins(const PinLayout& layout)
      : layout_(layout), flit_i_(64), checksum_i_(4), nack_i_(1), flit_o_(64), checksum_o_(4) {
    inputs_.flit_i = flit_i_.data();
    inputs_.checksum_i = checksum_i_.data();
    inputs_.nack_i = nack_i_.data();
    outputs_.valid_o = &valid_o_;
    outputs_.flit_o = flit_o_.data();
    outputs_.checksum_o = checksum_o_.data();
    outputs_.nack_o = &nack_o_;
  }

  void reset(std::uint32_t) override {}
  void set_table(const std::uint32_t*, std::size_t) override {}
  void clock() override {}
  void settle() override {}
  bool is_active() const override { return true; }
  bool has_active_pin() const override { return false; }
  void sample() override {}

  /// In the next cycle flit `number` is on `output`; none: 0.
  void send(int output, std::uint64_t number) {
    valid_o_ = number == 0 ? 0 : 1U << output;
    Flit flit;
    flit.data = number;
    layout_.pack(flit, output, flit_o_.data());
    put_bits(checksum_o_.data(), static_cast<std::size_t>(output) * 16, 16,
             flit_checksum(flit_o_.data(), slot(output), width()));
  }
  void ask(std::uint32_t inputs) { nack_o_ = inputs; }
  void spoil_checksum() { checksum_o_[0] ^= 1U; }

  bool is_sound(int input) const {
    return get_bits(checksum_i_.data(), static_cast<std::size_t>(input) * 16, 16) ==
           flit_checksum(flit_i_.data(), slot(input), width());
  }
  bool has_nack() const { return nack_i_[0] != 0; }

 private:
  std::size_t width() const { return static_cast<std::size_t>(layout_.flit_width); }
  std::size_t slot(int port) const { return static_cast<std::size_t>(port) * width(); }

  const PinLayout& layout_;
  Words flit_i_;
  Words checksum_i_;
  Words nack_i_;
  std::uint32_t valid_o_ = 0;
  Words flit_o_;
  Words checksum_o_;
  std::uint32_t nack_o_ = 0;
};

// A 2-cube with D = 2.
struct RetryPinsBench {
  static With with_retry() {
    With fabric;
    fabric.retry = true;
    return fabric;
  }

  Blueprint blueprint{"hypercube:2", with_retry()};
  PinLayout layout{blueprint.config, blueprint.routing, 32};
  Pins pins{layout};
  RetryPins retry{pins, layout, blueprint.config, node_id(0)};

  /// What output 0 sends, 0 or the number of a flit, from cycle `first` on.
  void send(Cycle first, const std::vector<std::uint64_t>& numbers) {
    for (const std::uint64_t number : numbers) {
      pins.send(0, number);
      retry.look(first++ - 1);
    }
  }
  std::string fault(Cycle first, const std::vector<std::uint64_t>& numbers) {
    try {
      send(first, numbers);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
};

TEST(RetryPins, FlipsABitOfWhatIsInError) {
  RetryPinsBench bench;
  for (Cycle now = 0; now < 1000; ++now) {
    Flit flit;
    flit.data = static_cast<std::uint64_t>(now);
    bench.layout.pack(flit, 1, bench.pins.inputs().flit_i);
    bench.retry.put_flit(1, RetryPins::Damage::none, now);
    EXPECT_TRUE(bench.pins.is_sound(1)) << now;
    bench.retry.put_flit(1, RetryPins::Damage::found, now);
    EXPECT_FALSE(bench.pins.is_sound(1)) << now;
  }
}

TEST(RetryPins, DemandsANackForWhatIsInErrorAndForNothingElse) {
  RetryPinsBench bench;
  bench.retry.put_flit(1, RetryPins::Damage::found, 7);
  bench.pins.ask(2);
  EXPECT_EQ(bench.fault(8, {0}), "");
  bench.pins.ask(0);
  EXPECT_EQ(bench.fault(8, {0}),
            "the RTL does not ask for a flit that was in error: input 1 in cycle 8");
  bench.retry.clear_inputs();
  bench.retry.put_flit(1, RetryPins::Damage::hidden, 8);
  EXPECT_FALSE(bench.pins.is_sound(1));
  EXPECT_EQ(bench.fault(9, {0}), "");
  bench.pins.ask(1);
  EXPECT_EQ(bench.fault(10, {0}),
            "the RTL asks for a flit that was not in error: input 0 in cycle 10");
}

// A nack in cycle 5, whose replay begins in the next one: busy in 5 and 6.
TEST(RetryPins, DemandsWhatTheChannelCarriedOnceMore) {
  const auto after_nack = [](const std::vector<std::uint64_t>& numbers) {
    RetryPinsBench bench;
    bench.send(4, {1, 2});
    bench.retry.put_nack(0, 7);
    EXPECT_TRUE(bench.pins.has_nack());
    bench.retry.clear_inputs();
    EXPECT_FALSE(bench.pins.has_nack());
    return bench.fault(6, numbers);
  };
  const std::string other = "the RTL does not repeat what its channel carried: output 0 in cycle ";
  EXPECT_EQ(after_nack({1, 2, 3}), "");
  EXPECT_EQ(after_nack({2, 1}), other + "6");
  EXPECT_EQ(after_nack({1, 0}), other + "7");
  EXPECT_EQ(after_nack({1, 3}), other + "7");
}

TEST(RetryPins, DemandsARepeatThatItsRouterSleepsOver) {
  RetryPinsBench bench;
  bench.send(4, {1, 0});
  bench.retry.put_nack(0, 7);
  EXPECT_EQ(bench.fault(9, {0}), "the RTL has not repeated a flit: output 0 in cycle 6");
}

// The second replay begins where the first one ends.
TEST(RetryPins, KnowsRepeatsFromOtherFlits) {
  RetryPinsBench bench;
  const auto is_repeat = [&](Cycle cycle, std::uint64_t number) {
    bench.send(cycle, {number});
    return bench.retry.is_repeat(0);
  };
  EXPECT_FALSE(is_repeat(4, 1));
  EXPECT_FALSE(is_repeat(5, 2));
  bench.retry.put_nack(0, 7);
  EXPECT_TRUE(is_repeat(6, 1));
  EXPECT_TRUE(is_repeat(7, 2));
  bench.retry.put_nack(0, 9);
  EXPECT_TRUE(is_repeat(8, 1));
  EXPECT_TRUE(is_repeat(9, 2));
  EXPECT_FALSE(is_repeat(10, 3));
  EXPECT_FALSE(bench.retry.is_repeat(2)) << "a channel of a node";
}

TEST(RetryPins, DemandsARightChecksum) {
  RetryPinsBench bench;
  bench.pins.send(0, 5);
  bench.pins.spoil_checksum();
  EXPECT_THROW(bench.retry.look(3), std::runtime_error);
}

}  // namespace
}  // namespace allport::test
