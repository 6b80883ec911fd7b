// SPDX-License-Identifier: Apache-2.0
// These tests check which head gets a virtual channel, and which head waits for which message
// (docs/router.md, VC allocation).
#include "tlm/worm/vc_allocation.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

// Heads at a router of a 3-cube that request the VCs of one output.
class VcAllocationBench : private WormContentionListener {
 public:
  explicit VcAllocationBench(int vcs)
      : blueprint_("hypercube:3", With().vcs(vcs)),
        store(blueprint_.config, blueprint_.routing),
        allocation(store) {
    store.contention.push_back(this);
  }

  /// A head on the router's input VC `input_vc` that requests the output from cycle `now` on.
  WormIndex ask(int input_vc) {
    const auto id = static_cast<WormIndex>(store.passages.size());
    Passage passage{};
    passage.message = static_cast<MessageId>(id);
    passage.input_vc = static_cast<std::uint16_t>(input_vc);
    passage.in = output + 10 + static_cast<WormIndex>(input_vc);
    passage.out = output;
    passage.candidates = static_cast<std::uint16_t>((1U << blueprint_.config.vcs) - 1);
    store.passages.push_back(passage);
    store.passages.push_back(Passage{});  // at the next router
    allocation.ask(id);
    return id;
  }
  void free(WormIndex id) {
    store.channels[store.passages[id].out].owner = 0;
    allocation.note_output(output);
  }
  /// The VC that `id` has been given; -1 if it has none.
  int vc_of(WormIndex id) const {
    const Passage& passage = store.passages[id];
    return passage.has_channel ? static_cast<int>(passage.out - output) : -1;
  }

  static constexpr WormIndex output = 1;

 private:
  void on_contention(const WormContention& wait) override {
    told += std::to_string(static_cast<std::uint32_t>(wait.waiting)) + " by " +
            std::to_string(static_cast<std::uint32_t>(wait.holding)) + " from " +
            std::to_string(wait.first) + " for " + std::to_string(wait.cycles) + "; ";
  }

  Blueprint blueprint_;

 public:
  WormStore store;
  WormVcAllocation allocation;
  std::string told;
};

TEST(WormVcAllocation, GivesAFreeChannelToAHeadThatAsks) {
  VcAllocationBench bench(1);
  const WormIndex head = bench.ask(2);

  bench.allocation.hear_all(7);

  EXPECT_EQ(bench.vc_of(head), 0);
  EXPECT_EQ(bench.store.channels[VcAllocationBench::output].owner, head);
  EXPECT_EQ(bench.store.channels[VcAllocationBench::output].waiting, 0U);
  EXPECT_EQ(bench.store.passages[head + 1].in, VcAllocationBench::output);
  EXPECT_EQ(bench.store.noted, std::vector<WormIndex>{head});
}

TEST(WormVcAllocation, HearsAnOutputOnlyWhenItIsNoted) {
  VcAllocationBench bench(1);
  const WormIndex first = bench.ask(0);
  const WormIndex second = bench.ask(1);
  bench.allocation.hear_all(3);
  bench.store.channels[VcAllocationBench::output].owner = 0;

  bench.allocation.hear_all(4);
  EXPECT_EQ(bench.vc_of(second), -1);

  bench.allocation.note_output(VcAllocationBench::output);
  bench.allocation.hear_all(5);
  EXPECT_EQ(bench.vc_of(first), 0);
  EXPECT_EQ(bench.vc_of(second), 0);
}

TEST(WormVcAllocation, ServesInputsInTurn) {
  VcAllocationBench bench(1);
  const WormIndex third = bench.ask(3);
  const WormIndex first = bench.ask(1);
  bench.allocation.hear_all(0);
  EXPECT_EQ(bench.vc_of(first), 0);

  const WormIndex zeroth = bench.ask(0);  // its turn has passed
  bench.free(first);
  bench.allocation.hear_all(5);
  EXPECT_EQ(bench.vc_of(third), 0);

  bench.free(third);
  bench.allocation.hear_all(9);
  EXPECT_EQ(bench.vc_of(zeroth), 0);
}

TEST(WormVcAllocation, TellsForHowLongAHeadWasKeptOffAndByWhom) {
  VcAllocationBench bench(1);
  const WormIndex first = bench.ask(0);
  const WormIndex second = bench.ask(1);
  bench.allocation.hear_all(3);
  EXPECT_EQ(bench.told, "");

  bench.free(first);
  bench.allocation.hear_all(10);

  EXPECT_EQ(bench.vc_of(second), 0);
  EXPECT_EQ(bench.told,
            std::to_string(second) + " by " + std::to_string(first) + " from 3 for 7; ");
}

TEST(WormVcAllocation, LetsAHeadThatLostAFreeChannelAskAgainACycleLater) {
  VcAllocationBench bench(2);
  const WormIndex first = bench.ask(0);
  const WormIndex second = bench.ask(1);
  bench.allocation.hear_all(4);
  EXPECT_EQ(bench.vc_of(first), 0);
  EXPECT_EQ(bench.vc_of(second), -1);
  ASSERT_EQ(bench.store.calendar->next_moment(), WormCalendar::moment(5, WormPhase::switching));
  const WormEvent event =
      bench.store.calendar->turn_to(bench.store.calendar->next_moment()).front();
  EXPECT_EQ(event.what, WormEvent::What::allocation);

  bench.allocation.note_output(event.target);
  bench.allocation.hear_all(5);

  EXPECT_EQ(bench.vc_of(second), 1);
}

}  // namespace
}  // namespace allport::test
