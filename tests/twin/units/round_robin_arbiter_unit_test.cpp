// SPDX-License-Identifier: Apache-2.0
// Verilator's headers come first: after <systemc> they would need its global names.
#include <Vround_robin_arbiters.h>

#include "rtl_model/systemc/round_robin_arbiter.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/twin/units/unit_bench.h"

namespace allport::test {
namespace {

constexpr std::array<int, 5> sizes{1, 2, 5, 12, 33};

TEST(RoundRobinArbiterUnit, ChoosesTheSameRequesterInEveryCycle) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    Clocked<Vround_robin_arbiters> rtl;
    std::array<RoundRobinArbiter, sizes.size()> model;
    rtl.reset();

    int density = 0;
    for (int cycle = 0; cycle < 4000; ++cycle) {
      if (cycle % 50 == 0) density = dice.density();
      if (dice.chance(1)) {
        rtl.reset();
        for (RoundRobinArbiter& arbiter : model) arbiter.reset();
      }
      std::array<std::uint64_t, sizes.size()> requests{};
      std::array<bool, sizes.size()> won{};
      for (std::size_t u = 0; u < sizes.size(); ++u) {
        requests[u] = dice.mask(sizes[u], density);
        won[u] = requests[u] != 0 && dice.chance(70);
        put(rtl.request_i[u], 0, 64, requests[u]);
        put(rtl.won_i[u], 0, 64, won[u] ? 1 : 0);
      }
      rtl.settle();
      for (std::size_t u = 0; u < sizes.size(); ++u) {
        const int chosen = requests[u] != 0 ? model[u].choose(requests[u]) : -1;
        const std::uint64_t grant = chosen < 0 ? 0 : std::uint64_t{1} << chosen;
        ASSERT_EQ(get(rtl.grant_o[u], 0, 64), grant) << sizes[u] << " requesters, cycle " << cycle;
        if (won[u]) model[u].won(chosen, sizes[u]);
      }
      rtl.edge();
    }
  }
}

}  // namespace
}  // namespace allport::test
