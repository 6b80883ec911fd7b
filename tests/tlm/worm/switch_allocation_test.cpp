// SPDX-License-Identifier: Apache-2.0
// These tests check which flit moves if several virtual channels want one channel (docs/router.md,
// switch allocation).
#include "tlm/worm/switch_allocation.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

// Passages through router 0 of a 3-cube with two virtual channels.
class SwitchAllocationBench {
 public:
  SwitchAllocationBench()
      : blueprint_("hypercube:3", With().vcs(2)),
        store(blueprint_.config, blueprint_.routing),
        competition(store) {}

  /// Enters a passage from virtual channel `vc` of port `input` to port `output`.
  WormIndex enter(int input, int vc, int output) {
    const auto id = static_cast<WormIndex>(store.passages.size());
    Passage passage{};
    passage.input = static_cast<std::uint8_t>(input);
    passage.input_vc = static_cast<std::uint16_t>(2 * input + vc);
    passage.output = static_cast<std::uint8_t>(output);
    passage.in_channel = static_cast<std::uint32_t>(10 + input);  // from three neighbours
    passage.out_channel = static_cast<std::uint32_t>(output);
    store.passages.push_back(passage);
    competition.enter(id);
    return id;
  }
  std::vector<WormIndex> winners(const std::vector<WormIndex>& competitors) {
    std::vector<WormIndex> chosen = competition.choose_winners(competitors);
    for (const WormIndex winner : chosen) competition.turn_pointers(store.passages[winner]);
    return chosen;
  }
  bool is_alone(WormIndex id) const { return competition.is_alone(store.passages[id]); }

 private:
  Blueprint blueprint_;

 public:
  WormStore store;
  WormSwitchAllocation competition;
};

using Ids = std::vector<WormIndex>;

TEST(WormSwitchAllocation, KnowsWhoHasItsChannelsToItself) {
  SwitchAllocationBench bench;
  const WormIndex a = bench.enter(0, 0, 1);
  EXPECT_TRUE(bench.is_alone(a));

  const WormIndex same_input = bench.enter(0, 1, 2);
  EXPECT_FALSE(bench.is_alone(a));
  bench.competition.leave(same_input);
  EXPECT_TRUE(bench.is_alone(a));

  const WormIndex same_output = bench.enter(2, 0, 1);
  EXPECT_FALSE(bench.is_alone(a));
  EXPECT_FALSE(bench.is_alone(same_output));
}

TEST(WormSwitchAllocation, ListsThoseOfARouter) {
  SwitchAllocationBench bench;
  const WormIndex a = bench.enter(0, 0, 1);
  const WormIndex b = bench.enter(1, 0, 2);
  const WormIndex c = bench.enter(2, 0, 0);
  bench.competition.leave(b);

  Ids listed;
  for (WormIndex id = bench.competition.first(0); id != 0;
       id = bench.store.passages[id].next_competing) {
    listed.push_back(id);
  }

  EXPECT_EQ(listed, (Ids{c, a}));
  EXPECT_EQ(bench.competition.first(1), 0U);
}

TEST(WormSwitchAllocation, LetsTheVirtualChannelsOfAnInputTakeTurns) {
  SwitchAllocationBench bench;
  const WormIndex zero = bench.enter(0, 0, 1);
  const WormIndex one = bench.enter(0, 1, 2);

  EXPECT_EQ(bench.winners({one, zero}), Ids{zero});
  EXPECT_EQ(bench.winners({one, zero}), Ids{one});
  EXPECT_EQ(bench.winners({one, zero}), Ids{zero});
}

TEST(WormSwitchAllocation, LetsTheInputsOfAnOutputTakeTurns) {
  SwitchAllocationBench bench;
  const WormIndex from_0 = bench.enter(0, 0, 1);
  const WormIndex from_2 = bench.enter(2, 0, 1);

  EXPECT_EQ(bench.winners({from_2, from_0}), Ids{from_0});
  EXPECT_EQ(bench.winners({from_2, from_0}), Ids{from_2});
  EXPECT_EQ(bench.winners({from_2, from_0}), Ids{from_0});
}

// An input's choice that loses its output moves nothing, and is chosen by the input again.
TEST(WormSwitchAllocation, TurnsNoPointerForALoser) {
  SwitchAllocationBench bench;
  const WormIndex winner = bench.enter(0, 0, 1);
  const WormIndex loser = bench.enter(2, 0, 1);
  const WormIndex other = bench.enter(2, 1, 0);

  EXPECT_EQ(bench.winners({winner, loser, other}), Ids{winner});
  EXPECT_EQ(bench.winners({winner, loser, other}), Ids{loser});
  EXPECT_EQ(bench.winners({winner, loser, other}), (Ids{winner, other}));
}

TEST(WormSwitchAllocation, VisitsEachRouterNotedOnce) {
  SwitchAllocationBench bench;
  std::vector<std::uint32_t> visited;
  const auto visit = [&](std::uint32_t node) { visited.push_back(node); };
  bench.competition.note_router(5);
  bench.competition.note_router(2);
  bench.competition.note_router(5);
  std::vector<std::uint32_t> others{7};

  bench.competition.exchange_noted(others);
  bench.competition.visit_noted(visit);
  EXPECT_EQ(visited, std::vector<std::uint32_t>{7});

  bench.competition.exchange_noted(others);
  bench.competition.visit_noted(visit);
  EXPECT_EQ(visited, (std::vector<std::uint32_t>{7, 5, 2}));
}

}  // namespace
}  // namespace allport::test
