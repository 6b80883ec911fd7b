// SPDX-License-Identifier: Apache-2.0
// Worms that move in step sleep, and no result shows it.
#include "tlm/worm/convoy.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/blueprint.h"
#include "tlm/worm/engine.h"

namespace allport::test {
namespace {

constexpr std::uint64_t every_second = 0x5555555555555555U;
constexpr std::uint64_t every_third = 0x9249249249249249U;

TEST(CommonPeriod, IsTheLeastInWhichAllRepeatThemselves) {
  EXPECT_EQ(common_period({every_second, ~every_second}, 63, 4), 2);
  EXPECT_EQ(common_period({every_third}, 63, 4), 3);
  EXPECT_EQ(common_period({every_second, every_third}, 63, 4), 6);
  EXPECT_EQ(common_period({~std::uint64_t{0}, 0}, 63, 4), 1);
}

TEST(CommonPeriod, IsSeenTwiceAndForLongerThanAnythingIsUnderWay) {
  EXPECT_EQ(common_period({every_third}, 2 * 3 + 4, 4), 3);
  EXPECT_EQ(common_period({every_third}, 2 * 3 + 3, 4), 0);
}

TEST(CommonPeriod, IsNoneWhereOneMovedOtherwise) {
  EXPECT_EQ(common_period({every_second, every_second ^ 1U << 5}, 63, 4), 0);
}

class Listener final : public WormListener, public WormContentionListener {
 public:
  void on_sent(NodeId, MessageId, Cycle) override {}
  void on_received(const WormReception& reception) override { received.push_back(reception); }
  void on_contention(const WormContention& wait) override { lost += wait.cycles; }

  std::vector<WormReception> received;
  Cycle lost = 0;  ///< cycles, of all messages together
};

// Two worms of `flits` flits share the link from node 24 to 28; so do `visitors` worms of a flit,
// one every hundred cycles. A flit takes `phits` cycles over a link.
struct ConvoyBench {
  explicit ConvoyBench(int flits, int visitors = 0, int phits = 1)
      : blueprint("hypercube:5", With().vcs(4).phits(std::vector<int>(5, phits))),
        engine(blueprint.config, blueprint.routing, heard) {
    engine.observe(heard);
    engine.send({MessageId{0}, NodeId{24}, NodeId{29}, 0, flits, 0});
    engine.send({MessageId{1}, NodeId{8}, NodeId{30}, 0, flits, 0});
    for (int i = 1; i <= visitors; ++i) {
      engine.send({static_cast<MessageId>(1 + i), NodeId{16}, NodeId{28}, 0, 1, Cycle{100} * i});
    }
    for (Cycle moment = engine.next_moment(); moment != WormCalendar::never;
         moment = engine.next_moment()) {
      engine.pass(moment);
    }
  }

  const Blueprint blueprint;
  Listener heard;
  WormEngine engine;
};

// Worms that have fewer than 48 flits to send never sleep: the losses of long ones follow from
// their losses per flit.
TEST(WormConvoys, LoseInTheirSleepWhatTheyLoseAwake) {
  const Cycle awake = ConvoyBench(44).heard.lost - ConvoyBench(24).heard.lost;
  ASSERT_GT(awake, 0);
  const ConvoyBench bench(10024);

  EXPECT_LT(bench.engine.decisions(), 3000U);  // for 20,000 flits over the link
  EXPECT_EQ(bench.heard.lost - ConvoyBench(24).heard.lost, 10000 / 20 * awake);
  ASSERT_EQ(bench.heard.received.size(), 2U);
  EXPECT_NEAR(static_cast<double>(bench.heard.received.back().tail), 2 * 10024, 20);
}

// On narrow channels, too, where they also wait for the phits of one another.
TEST(WormConvoys, LoseInTheirSleepWhatTheyLoseAwakeOnNarrowChannels) {
  constexpr int phits = 3;
  const Cycle awake = ConvoyBench(44, 0, phits).heard.lost - ConvoyBench(24, 0, phits).heard.lost;
  ASSERT_GE(awake, 2 * 20 * phits - phits);  // each waits while the other one has the link
  const ConvoyBench bench(10024, 0, phits);

  EXPECT_LT(bench.engine.decisions(), 10000U);  // for 20,000 flits over the link
  EXPECT_EQ(bench.heard.lost - ConvoyBench(24, 0, phits).heard.lost, 10000 / 20 * awake);
  ASSERT_EQ(bench.heard.received.size(), 2U);
  EXPECT_NEAR(static_cast<double>(bench.heard.received.back().tail), 2 * phits * 10024, 20 * phits);
}

TEST(WormConvoys, WakeUpWhenSomebodyComesToTheirChannels) {
  const ConvoyBench undisturbed(10000);
  const ConvoyBench bench(10000, 100);

  ASSERT_EQ(bench.heard.received.size(), 102U);
  for (const WormReception& reception : bench.heard.received) {
    if (reception.message <= MessageId{1}) continue;
    const Cycle start = 100 * (static_cast<Cycle>(reception.message) - 1);
    EXPECT_GE(reception.tail, start + 3) << "message " << static_cast<Cycle>(reception.message);
    EXPECT_LE(reception.tail, start + 6);  // two others at most before it on the link
  }
  const Cycle last = undisturbed.heard.received.back().tail;  // and each takes a cycle of the link
  EXPECT_EQ(bench.heard.received.back().tail, last + 100);
  EXPECT_GT(bench.engine.decisions(), 2 * undisturbed.engine.decisions());
}

}  // namespace
}  // namespace allport::test
