// SPDX-License-Identifier: Apache-2.0
// The acknowledgement unit in RTL is tested against the sentence of the contract that it stands
// for.
#include <Vacknowledgement_units.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/twin/units/router_shapes.h"
#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

TEST(AcknowledgementUnit, PassesEachOnToTheOwnerACycleLater) {
  using Rtl = Clocked<Vacknowledgement_units>;
  constexpr std::size_t units = 4;
  const auto all = router_shapes();
  const std::array<RouterConfig, units> shapes{all[0], all[1], all[2], all[message_class_shape]};
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Dice dice(seed);
    Rtl rtl;
    rtl.reset();
    std::vector<std::vector<bool>> expected(units);
    for (std::size_t u = 0; u < units; ++u) {
      expected[u].resize(static_cast<std::size_t>(shapes[u].ports() * shapes[u].vcs));
    }
    for (int cycle = 0; cycle < 3000; ++cycle) {
      const int density = dice.density();
      for (std::size_t u = 0; u < units; ++u) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", unit " + std::to_string(u) + ", cycle " +
                     std::to_string(cycle));
        const RouterConfig& config = shapes[u];
        const auto line = [&](int channel_vc) {
          return static_cast<std::size_t>(port_of(config, channel_vc) * config.vcs +
                                          vc_of(config, channel_vc));
        };
        for (std::size_t i = 0; i < expected[u].size(); ++i) {
          ASSERT_EQ(get(rtl.ack_o[u], static_cast<int>(i)) != 0, expected[u][i]) << "line " << i;
        }
        // Each output VC belongs to another input VC, or to none.
        const int ivs = config.channel_vcs();
        std::vector<int> owners(static_cast<std::size_t>(ivs));
        std::iota(owners.begin(), owners.end(), 0);
        for (std::size_t i = owners.size(); i > 1; --i) {
          std::swap(owners[i - 1],
                    owners[static_cast<std::size_t>(dice.below(static_cast<int>(i)))]);
        }
        std::fill(expected[u].begin(), expected[u].end(), false);
        clear(rtl.ack_i[u]);
        bool passes = false;
        for (int ov = 0; ov < ivs; ++ov) {
          const int owner = owners[static_cast<std::size_t>(ov)];
          const bool is_owned = dice.chance(60);
          put(rtl.owner_i[u], ov, ivs, is_owned ? std::uint64_t{1} << owner : 0);
          if (!is_owned || !dice.chance(density)) continue;
          put(rtl.ack_i[u], static_cast<int>(line(ov)), 1, 1);
          expected[u][line(owner)] = passes = true;
        }
        rtl.settle();
        ASSERT_EQ(get(rtl.is_passing_o[u], 0) != 0, passes);
      }
      rtl.edge();
    }
  }
}

}  // namespace
}  // namespace allport::test
