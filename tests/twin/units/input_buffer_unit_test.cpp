// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first: after <systemc> they would need its global names.
#include <Vfifos.h>
#include <Vinput_buffers.h>

#include "rtl_model/systemc/input_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/blueprint.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

TEST(FifoUnit, FallsThroughAndKeepsTheOrderLikeTheInputBuffer) {
  constexpr std::size_t depths = 5;  // 1 .. 5
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    Clocked<Vfifos> rtl;
    std::array<RouterConfig, depths> configs;
    std::vector<std::unique_ptr<InputBuffer>> model;
    for (std::size_t u = 0; u < depths; ++u) {
      configs[u].external_ports = configs[u].internal_ports = 1;
      configs[u].buffer_depth = static_cast<int>(u) + 1;
      model.push_back(
          std::make_unique<InputBuffer>(sc_core::sc_gen_unique_name("input_buffer"), configs[u]));
    }
    rtl.reset();

    int pushing = 0;
    int popping = 0;
    for (int cycle = 0; cycle < 4000; ++cycle) {
      if (cycle % 50 == 0) {
        pushing = dice.density();
        popping = dice.density();
      }
      if (dice.chance(1)) {
        rtl.reset();
        for (const auto& buffer : model) buffer->reset();
      }
      std::array<bool, depths> pops{};
      for (std::size_t u = 0; u < depths; ++u) {
        Flit flit;
        flit.data = dice.bits();
        const bool pushes = model[u]->count(0) <= static_cast<int>(u) && dice.chance(pushing);
        if (pushes) model[u]->accept(0, flit, cycle);
        pops[u] = model[u]->count(0) > 0 && dice.chance(popping);
        put(rtl.push_i[u], 0, 1, pushes ? 1 : 0);
        put(rtl.flit_i[u], 0, 64, flit.data);
        put(rtl.pop_i[u], 0, 1, pops[u] ? 1 : 0);
      }
      rtl.settle();
      for (std::size_t u = 0; u < depths; ++u) {
        SCOPED_TRACE("depth " + std::to_string(u + 1) + ", cycle " + std::to_string(cycle));
        const bool occupied = model[u]->count(0) > 0;
        ASSERT_EQ(get(rtl.occupied_o[u], 0) != 0, occupied);
        if (occupied) {
          ASSERT_EQ(get(rtl.front_o[u], 0, 64), model[u]->front(0).data);
        }
        if (pops[u]) model[u]->pop(0, 0);
      }
      rtl.edge();
    }
  }
}

// One of the units of input_buffers.sv: its C++ twin, and what this does in a cycle.
class BufferPair {
 public:
  using Rtl = Clocked<Vinput_buffers>;

  BufferPair(std::size_t unit, const char* topology, const FabricConfig& fabric)
      : blueprint_(topology, fabric),
        layout_(blueprint_.config, blueprint_.routing, 8),
        u_(unit),
        buffer_(sc_core::sc_gen_unique_name("input_buffer"), blueprint_.config),
        credits_q_(static_cast<std::size_t>(config().ports()), -1),
        credits_d_(credits_q_) {}

  void reset() {
    buffer_.reset();
    std::fill(credits_q_.begin(), credits_q_.end(), -1);
  }

  void drive(Rtl& rtl, Dice& dice, int arriving, int leaving, Cycle now) {
    clear(rtl.valid_i[u_]);
    clear(rtl.pop_i[u_]);
    pushes_d_ = 0;
    for (int input = 0; input < config().ports(); ++input) {
      const Flit flit = random_flit(dice, config().vcs_of(input));
      layout_.pack(flit, input, rtl.flit_i[u_].m_storage);
      const int channel_vc = config().channel_vc(input, static_cast<int>(index(flit.vc)));
      const bool has_room = buffer_.count(channel_vc) < config().buffer_depth;
      if (!has_room || !dice.chance(arriving)) continue;
      put(rtl.valid_i[u_], input, 1, 1);
      buffer_.accept(input, flit, now);
      pushes_d_ |= std::uint64_t{1} << channel_vc;
    }
    for (int input = 0; input < config().ports(); ++input) {
      const int vc = dice.below(config().vcs_of(input));
      const bool leaves = (buffer_.occupied_vcs(input) >> vc & 1U) != 0 && dice.chance(leaving);
      credits_d_[static_cast<std::size_t>(input)] = leaves ? vc : -1;
      if (leaves) put(rtl.pop_i[u_], config().channel_vc(input, vc), 1, 1);
    }
  }

  void compare(const Rtl& rtl) const {
    ASSERT_EQ(get(rtl.push_o[u_], 0, config().channel_vcs()), pushes_d_);
    for (int input = 0; input < config().ports(); ++input) {
      const int credit = credits_q_[static_cast<std::size_t>(input)];
      ASSERT_EQ(get(rtl.credit_o[u_], input) != 0, credit >= 0) << "input " << input;
      ASSERT_EQ(static_cast<int>(get(rtl.credit_vc_o[u_], input, layout_.vc_width)),
                std::max(credit, 0))
          << "input " << input;
    }
    for (int iv = 0; iv < config().channel_vcs(); ++iv) compare_front(rtl, iv);
  }

  void advance() {
    for (int input = 0; input < config().ports(); ++input) {
      const int vc = credits_d_[static_cast<std::size_t>(input)];
      if (vc >= 0) buffer_.pop(input, vc);
    }
    credits_q_ = credits_d_;
  }

 private:
  const RouterConfig& config() const { return blueprint_.config; }

  Flit random_flit(Dice& dice, int vcs) const {
    const auto nodes = static_cast<int>(blueprint_.routing.topology().node_count());
    Flit flit;
    flit.head = dice.chance(50);
    flit.tail = dice.chance(50);
    flit.vc = vc_id(static_cast<std::size_t>(dice.below(vcs)));
    flit.data = dice.bits() & 0xffU;
    flit.message = static_cast<MessageId>(dice.bits());
    if (!flit.head) return flit;
    flit.address = node_id(static_cast<std::size_t>(dice.below(nodes)));
    flit.ties = static_cast<TieMask>(dice.below(2));
    flit.kind = static_cast<MessageKind>(dice.below(3));
    return flit;
  }

  void compare_front(const Rtl& rtl, int iv) const {
    SCOPED_TRACE("input VC " + std::to_string(iv));
    const bool occupied = buffer_.count(iv) > 0;
    ASSERT_EQ(get(rtl.occupied_o[u_], iv) != 0, occupied);
    const bool in_vcs =
        (buffer_.occupied_vcs(port_of(config(), iv)) >> vc_of(config(), iv) & 1U) != 0;
    ASSERT_EQ(in_vcs, occupied);
    ASSERT_EQ(get(rtl.head_o[u_], iv) != 0, occupied && buffer_.front(iv).head);
    ASSERT_EQ(get(rtl.tail_o[u_], iv) != 0, occupied && buffer_.front(iv).tail);
    bool is_whole = false;  // there is a tail
    for (int i = 0; i < buffer_.count(iv); ++i) is_whole = is_whole || buffer_.flit(iv, i).tail;
    ASSERT_EQ(get(rtl.is_whole_o[u_], iv) != 0, is_whole);
    if (!occupied) return;

    // Of the flit as packed: head and tail, not the VC, then the header and the data.
    std::array<std::uint32_t, 3> words{};
    layout_.pack(buffer_.front(iv), 0, words.data());
    const int header_width = layout_.header_width();
    const int below_vc = header_width + layout_.data_width;
    const std::uint64_t marks =
        get_bits(words.data(), static_cast<std::size_t>(layout_.flit_width - 2), 2);
    const std::uint64_t stored = marks << below_vc | get_bits(words.data(), 0, below_vc);
    ASSERT_EQ(get(rtl.front_o[u_], iv, below_vc + 2), stored);
    ASSERT_EQ(get(rtl.header_o[u_], iv, header_width),
              get_bits(words.data(), static_cast<std::size_t>(layout_.data_width), header_width));
  }

  Blueprint blueprint_;
  PinLayout layout_;
  std::size_t u_;
  InputBuffer buffer_;
  std::uint64_t pushes_d_ = 0;
  std::vector<int> credits_q_;  // by input: the VC whose credit is on the wire, or -1
  std::vector<int> credits_d_;
};

TEST(InputBufferUnit, ShowsTheSameFrontFlitsTailsAndCreditsInEveryCycle) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    BufferPair::Rtl rtl;
    std::array<BufferPair, 5> pairs{
        BufferPair(0, "hypercube:3", With().ports(3).vcs(1).depth(1)),
        BufferPair(1, "ring:5", With().ports(1).vcs(2).depth(2)),
        BufferPair(2, "ring:5", With().ports(2).vcs(4).depth(3)),
        BufferPair(3, "hypercube:1", With().ports(1).vcs(3).depth(5)),
        BufferPair(4, "hypercube:1", With().ports(1).vcs(3).classes(3).depth(2))};
    rtl.reset();

    int arriving = 0;
    int leaving = 0;
    for (Cycle cycle = 0; cycle < 3000; ++cycle) {
      if (cycle % 50 == 0) {
        arriving = dice.density();
        leaving = dice.density();
      }
      if (dice.chance(1)) {
        rtl.reset();
        for (BufferPair& pair : pairs) pair.reset();
      }
      for (BufferPair& pair : pairs) pair.drive(rtl, dice, arriving, leaving, cycle);
      rtl.settle();
      for (std::size_t u = 0; u < pairs.size(); ++u) {
        SCOPED_TRACE("unit " + std::to_string(u) + ", cycle " + std::to_string(cycle));
        pairs[u].compare(rtl);
        if (testing::Test::HasFatalFailure()) return;
        pairs[u].advance();
      }
      rtl.edge();
    }
  }
}

}  // namespace
}  // namespace allport::test
