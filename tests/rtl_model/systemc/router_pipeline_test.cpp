// SPDX-License-Identifier: Apache-2.0
// These tests check one router with a pipeline, cycle by cycle (docs/router.md, pipelined routers).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/rtl_model/systemc/router_bench.h"

namespace allport::test {
namespace {

// Node 3 of the 3-cube: A comes in on port 2 and leaves by port 1.
TEST(RouterPipeline, HoldsTheHeadAndSendsTheBodyBehindIt) {
  struct Case {
    int route, vc, crossbar;
    const char* sent;
    const char* credits;
  };
  for (const Case one : {Case{0, 0, 0, "A0@1 A1@2 A2@3", "0@1 0@2 0@3"},
                         Case{1, 0, 0, "A0@2 A1@3 A2@4", "0@2 0@3 0@4"},
                         Case{0, 1, 0, "A0@2 A1@3 A2@4", "0@2 0@3 0@4"},
                         Case{0, 0, 1, "A0@2 A1@3 A2@4", "0@1 0@2 0@3"},
                         Case{2, 1, 3, "A0@7 A1@8 A2@9", "0@4 0@5 0@6"},
                         Case{4, 4, 4, "A0@13 A1@14 A2@15", "0@9 0@10 0@11"}}) {
    SCOPED_TRACE(one.sent);
    RouterBench bench("hypercube:3", 3, With().depth(8).pipeline(one.route, one.vc, one.crossbar));
    bench.put(0, 2, Worm{'A', 1, 3});

    bench.run(20);

    EXPECT_EQ(bench.sent(1), one.sent);
    EXPECT_EQ(bench.credits(2), one.credits);
  }
}

// B is routed when it is first in the buffer, in the cycle after A's tail has left.
TEST(RouterPipeline, CountsFromTheFrontOfTheBuffer) {
  RouterBench bench("hypercube:3", 3, With().depth(8).pipeline(2, 1, 0));
  bench.put(0, 2, Worm{'A', 1, 2});
  bench.put(2, 2, Worm{'B', 1, 2});

  bench.run(20);

  EXPECT_EQ(bench.sent(1), "A0@4 A1@5 B0@9 B1@10");
}

// A waits for its route; meanwhile B, which came later, wins the channel.
TEST(RouterPipeline, AsksForNothingWhileAHeadIsHeld) {
  RouterBench bench("hypercube:3", 3, With().depth(8).pipeline(3, 0, 0));
  bench.put(0, 2, Worm{'A', 1, 1});
  bench.run(2);

  EXPECT_EQ(bench.router.outputs(bench.blueprint.config.channel_vc(2, 0)), 0U);
  EXPECT_TRUE(bench.router.stalled().empty());
  EXPECT_TRUE(bench.wants_next_cycle());

  bench.run(4);
  EXPECT_EQ(bench.sent(1), "A0@4");
  EXPECT_FALSE(bench.wants_next_cycle());
}

// With v the VC is owned from its win on, and nobody is in the way of a head that waits for v.
TEST(RouterPipeline, OwnsAChannelWhileItWaitsForTheSwitch) {
  RouterBench bench("hypercube:3", 3, With().depth(8).pipeline(0, 2, 0));
  bench.put(0, 2, Worm{'A', 1, 1});
  bench.run(0);

  const int output_vc = bench.blueprint.config.channel_vc(1, 0);
  EXPECT_EQ(bench.router.owner(output_vc), bench.blueprint.config.channel_vc(2, 0));
  EXPECT_TRUE(bench.router.stalled().empty());

  bench.run(5);
  EXPECT_EQ(bench.sent(1), "A0@3");
  EXPECT_EQ(bench.router.owner(output_vc), -1) << "freed by the tail when it wins";
}

// The place and the channel are free when the switch decides; only the flit is late.
TEST(RouterPipeline, KeepsFlitsInTheCrossbar) {
  RouterBench bench("hypercube:3", 3, With().depth(8).pipeline(0, 0, 4));
  bench.put(0, 2, Worm{'A', 1, 1});
  bench.run(0);

  EXPECT_FALSE(bench.router.has_flits());
  EXPECT_EQ(bench.credits(2), "0@1");
  EXPECT_TRUE(bench.wants_next_cycle()) << "the flit is in the crossbar";
  EXPECT_EQ(bench.router.credits(bench.blueprint.config.channel_vc(1, 0)), 7);

  bench.run(3);
  EXPECT_EQ(bench.sent(1), "");
  bench.run(4);
  EXPECT_EQ(bench.sent(1), "A0@5");
  EXPECT_FALSE(bench.wants_next_cycle());
}

TEST(RouterPipeline, IsEmptyAfterReset) {
  RouterBench bench("hypercube:3", 3, With().depth(8).pipeline(1, 0, 4));
  bench.put(0, 2, Worm{'A', 1, 1});
  bench.put(2, 0, Worm{'B', 1, 1});
  bench.run(2);

  bench.router.reset();
  bench.run(20);

  EXPECT_EQ(bench.sent(1), "");
}

// The tree asks for its branches r cycles after it came, or a cycles if that is later.
TEST(RouterPipeline, HoldsATreeForTheLongerOfItsDelays) {
  for (const auto& [route, replication] : {std::pair{3, 1}, std::pair{1, 3}}) {
    RouterBench bench("hypercube:3", 0,
                      With().depth(16).pipeline(route, 0, 0).replication_delay(replication));
    bench.put(0, bench.internal(0), Worm{'T', 0, 2, MessageKind::tree});

    bench.run(20);

    for (const int output : {0, 1, 2}) EXPECT_EQ(bench.sent(output), "T0@4 T1@5") << output;
  }
}

}  // namespace
}  // namespace allport::test
