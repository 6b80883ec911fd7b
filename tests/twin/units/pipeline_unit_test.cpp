// SPDX-License-Identifier: Apache-2.0
// The registers of a router with a pipeline, beside the sentences of docs/router.md: a head is
// shown so many cycles after it came to the front, and a flit is on its output so many cycles
// later.
#include <Vpipelines.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

using PipelineRtl = Clocked<Vpipelines>;

// Those of pipelines.sv: a 3-cube of one VC with joins and two internal ports.
constexpr int head_units = 4;
constexpr int external_vcs = 3;
constexpr int head_inputs = 5;
constexpr int header_bits = 3 + 16 + 3 + 3;  // kind, join, ties, address
constexpr std::uint64_t first_join_kind = 6;

/// The front of a buffer.
struct Front {
  bool is_head = false;
  std::uint64_t header = 0;
  Cycle since = 0;

  std::uint64_t kind() const { return header >> (header_bits - 3); }
};

TEST(HeadRegisterUnit, ShowsAHeadItsCyclesAfterItCameToTheFrontUntilItLeaves) {
  Dice dice(1);
  PipelineRtl rtl;
  rtl.reset();
  std::array<std::optional<Front>, head_inputs> fronts;
  int shown = 0;
  for (Cycle now = 0; now < 20000; ++now) {
    SCOPED_TRACE("cycle " + std::to_string(now));
    std::uint64_t leaving = 0;
    for (int iv = 0; iv < head_inputs; ++iv) {
      auto& front = fronts[static_cast<std::size_t>(iv)];
      if (!front && dice.chance(40)) {
        front = Front{dice.chance(60), dice.mask(header_bits, 50), now};
      }
      put(rtl.head_i, iv, 1, front && front->is_head ? 1 : 0);
      put(rtl.header_i, iv, header_bits, front ? front->header : dice.mask(header_bits, 50));
      if (front && dice.chance(15)) leaving |= std::uint64_t{1} << iv;
    }
    put(rtl.left_i, 0, head_inputs, leaving);
    rtl.settle();
    for (int u = 0; u < head_units; ++u) {
      const int stages = u + 1;
      bool is_arriving = false;
      for (int iv = 0; iv < head_inputs; ++iv) {
        SCOPED_TRACE("input VC " + std::to_string(iv) + ", stages " + std::to_string(stages));
        const auto& front = fronts[static_cast<std::size_t>(iv)];
        const bool has_route =
            front && front->is_head && (iv >= external_vcs || front->kind() < first_join_kind);
        const bool is_shown = has_route && now >= front->since + stages;
        is_arriving = is_arriving || (has_route && !is_shown);
        ASSERT_EQ(get(rtl.head_o[u], iv) != 0, is_shown);
        if (!is_shown) continue;
        ++shown;
        ASSERT_EQ(get(rtl.header_o[u], iv, header_bits), front->header);
      }
      ASSERT_EQ(get(rtl.is_arriving_o[u], 0) != 0, is_arriving) << "stages " << stages;
    }
    for (int iv = 0; iv < head_inputs; ++iv) {
      if ((leaving >> iv & 1U) != 0) fronts[static_cast<std::size_t>(iv)].reset();
    }
    rtl.edge();
  }
  EXPECT_GT(shown, 1000);
}

// A 2-cube with two VCs, one internal port and eight data bits.
constexpr int crossbars = 5;
constexpr int ports = 3;
constexpr int inputs = 5;                       // input VCs
constexpr int stored_bits = 2 + 3 + 1 + 2 + 8;  // ends, kind, ties, address, data
constexpr int flit_bits = stored_bits + 1;      // and a VC
constexpr std::array<int, inputs> port_of_input{0, 0, 1, 1, 2};

/// What the outputs show in one cycle: by output the flit, or nothing.
using Outputs = std::array<std::optional<std::uint64_t>, ports>;

/// Drives random flits, choices, grants and VCs, and returns what the outputs are to show.
Outputs drive(PipelineRtl& rtl, Dice& dice, int density) {
  std::array<std::uint64_t, inputs> fronts{};
  std::array<std::optional<int>, ports> chosen;  // by input: the input VC
  for (int iv = 0; iv < inputs; ++iv) {
    fronts[static_cast<std::size_t>(iv)] = dice.mask(stored_bits, 50);
    put(rtl.front_i, iv, stored_bits, fronts[static_cast<std::size_t>(iv)]);
    auto& choice = chosen[static_cast<std::size_t>(port_of_input[static_cast<std::size_t>(iv)])];
    const bool is_chosen = !choice && dice.chance(density);
    if (is_chosen) choice = iv;
    put(rtl.chosen_i, iv, 1, is_chosen ? 1 : 0);
  }
  Outputs outputs;
  for (int p = 0; p < ports; ++p) {
    const auto from = static_cast<std::size_t>(dice.below(ports));
    const std::uint64_t vc = p < 2 ? static_cast<std::uint64_t>(dice.below(2)) : 0;
    const bool is_granted = chosen[from].has_value() && dice.chance(density);
    put(rtl.grant_i, p, ports, is_granted ? std::uint64_t{1} << from : 0);
    put(rtl.vc_i, p, 1, vc);
    if (!is_granted) continue;
    const std::uint64_t stored = fronts[static_cast<std::size_t>(*chosen[from])];
    const std::uint64_t ends = stored >> (stored_bits - 2);
    const std::uint64_t rest = stored & ((std::uint64_t{1} << (stored_bits - 2)) - 1);
    outputs[static_cast<std::size_t>(p)] = ends << (flit_bits - 2) | vc << (stored_bits - 2) | rest;
  }
  return outputs;
}

TEST(CrossbarUnit, ShowsAFlitTheCrossbarDelayLater) {
  Dice dice(2);
  PipelineRtl rtl;
  rtl.reset();
  std::deque<Outputs> passed(crossbars + 1);  // the last cycle first
  int density = 0;
  for (Cycle now = 0; now < 20000; ++now) {
    SCOPED_TRACE("cycle " + std::to_string(now));
    if (now % 50 == 0) density = dice.density();
    if (dice.chance(1)) {
      rtl.reset();
      passed.assign(crossbars + 1, {});
    }
    const Outputs outputs = drive(rtl, dice, density);
    rtl.settle();
    for (int u = 0; u < crossbars; ++u) {
      bool is_crossing = false;
      for (int ago = 0; ago < u; ++ago) {
        for (const auto& flit : passed[static_cast<std::size_t>(ago)]) {
          is_crossing = is_crossing || flit.has_value();
        }
      }
      ASSERT_EQ(get(rtl.is_crossing_o[u], 0) != 0, is_crossing) << "delay " << u;
      for (int p = 0; p < ports; ++p) {
        SCOPED_TRACE("output " + std::to_string(p) + ", delay " + std::to_string(u));
        const auto& flit = passed[static_cast<std::size_t>(u)][static_cast<std::size_t>(p)];
        ASSERT_EQ(get(rtl.valid_o[u], p) != 0, flit.has_value());
        if (flit) {
          ASSERT_EQ(get(rtl.flit_o[u], p, flit_bits), *flit);
        }
      }
    }
    passed.push_front(outputs);
    passed.pop_back();
    rtl.edge();
  }
}

}  // namespace
}  // namespace allport::test
