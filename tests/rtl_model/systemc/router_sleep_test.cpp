// SPDX-License-Identifier: Apache-2.0
// These tests check when a router sleeps, what observers see of it, and how it reports neighbours
// that break the rules.
#include "rtl_model/systemc/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/systemc/router_bench.h"
#include "tests/support/fatal.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

constexpr MessageKind tree_kind = MessageKind::tree;

// ---- Sleep ----

TEST(Router, SleepsWhenNothingIsLeft) {
  RouterBench bench("hypercube:1", 0);
  bench.put(0, bench.internal(0), Worm{'A', 1});

  bench.run(0);

  EXPECT_FALSE(bench.wants_next_cycle());
  EXPECT_TRUE(bench.router.has_moved());
  EXPECT_TRUE(bench.router.is_idle());
}

TEST(Router, StaysAwakeWhileItsFlitsMove) {
  RouterBench bench("hypercube:2", 0, With().ports(1));
  bench.put(0, 0, Worm{'A', 0});
  bench.put(0, 1, Worm{'B', 0});  // waits for A's tail

  bench.run(0);
  EXPECT_TRUE(bench.wants_next_cycle());

  bench.run(1);
  EXPECT_EQ(bench.sent(bench.internal(0)), "A0@1 B0@2");
  EXPECT_FALSE(bench.wants_next_cycle());
}

TEST(Router, SleepsWhileACreditIsMissingAndIsWokenByIt) {
  RouterBench bench("hypercube:1", 0, With().depth(1));
  const Worm worm{'A', 1, 2};
  bench.put(0, bench.internal(0), worm[0]);
  bench.put(1, bench.internal(0), worm[1]);
  bench.credit(8, 0);

  bench.run(7);
  EXPECT_FALSE(bench.wants_next_cycle());
  EXPECT_FALSE(bench.router.has_moved());

  bench.run(8);
  EXPECT_TRUE(bench.woke());
  EXPECT_EQ(bench.sent(0), "A0@1 A1@9");
}

TEST(Router, SleepsOnThroughACreditThatNobodyWaitsFor) {
  RouterBench bench("hypercube:1", 0);
  bench.put(0, bench.internal(0), Worm{'A', 1});
  bench.credit(3, 0);

  bench.run(3);

  EXPECT_FALSE(bench.woke());
}

TEST(Router, StaysAwakeWhileAFlitIsDelayed) {
  RouterBench bench("hypercube:2", 0, With().replication_delay(3));
  bench.put(0, bench.internal(0), Worm{'T', 0, 1, tree_kind});
  for (Cycle cycle = 0; cycle < 3; ++cycle) {
    bench.run(cycle);
    EXPECT_TRUE(bench.wants_next_cycle()) << "cycle " << cycle;
  }

  bench.run(3);
  EXPECT_FALSE(bench.wants_next_cycle());
}

TEST(Router, StaysAwakeInACycleThatOnlyGivesAVirtualChannel) {
  RouterBench bench("hypercube:2", 0, With().depth(1));
  bench.put(0, bench.internal(0), Worm{'A', 1});
  bench.put(4, bench.internal(0), Worm{'B', 1});  // gets output 0 in cycle 4, has no credit

  bench.run(4);
  EXPECT_TRUE(bench.wants_next_cycle());

  bench.run(5);
  EXPECT_FALSE(bench.wants_next_cycle());
}

// ---- What observers see ----

TEST(Router, StandsInTheHierarchyAndNamesItsUnits) {
  RouterBench bench("hypercube:2", 0);

  EXPECT_EQ(sc_core::sc_find_object(bench.router.name()), &bench.router);
  const std::string router = bench.router.name();
  EXPECT_EQ(bench.router.input_buffer.name(), router + ".input_buffer");
  EXPECT_EQ(bench.router.route_computation.name(), router + ".route_computation");
  EXPECT_EQ(bench.router.vc_allocator.name(), router + ".vc_allocator");
  EXPECT_EQ(bench.router.switch_allocator.name(), router + ".switch_allocator");
  EXPECT_EQ(bench.router.crossbar.name(), router + ".crossbar");
  EXPECT_EQ(bench.router.replication_unit.name(), router + ".replication_unit");
  EXPECT_EQ(bench.router.reception_unit.name(), router + ".reception_unit");
  EXPECT_EQ(bench.router.join_unit.name(), router + ".join_unit");
}

TEST(Router, SetsABufferAsideWhenAFlitComes) {
  StateArena arena;
  const Blueprint blueprint("hypercube:2", FabricConfig());
  InputBuffer buffer("input_buffer", blueprint.config, {&arena});
  const void* const before = arena.registers(1, 1);
  Flit flit;
  buffer.accept(0, flit, 0);
  const void* const after = arena.registers(1, 1);
  EXPECT_GT(static_cast<const char*>(after) - static_cast<const char*>(before),
            static_cast<std::ptrdiff_t>(sizeof(Flit)) * blueprint.config.buffer_depth - 1);
  buffer.pop(0, 0);
  buffer.accept(0, flit, 1);
  EXPECT_EQ(static_cast<const char*>(arena.registers(1, 1)) - static_cast<const char*>(after), 1);
}

TEST(Router, TellsWhichBranchesAFlitStillWaitsFor) {
  RouterBench bench("hypercube:2", 0, With().depth(8));
  bench.put(1, 1, Worm{'U', 1, 4});
  bench.put(2, bench.internal(0), Worm{'T', 0, 3, tree_kind});

  std::string seen;
  for (Cycle cycle = 0; cycle <= 12; ++cycle) {
    bench.run(cycle);
    for (const Router::Stalled& stalled : bench.router.stalled()) {
      note(seen, std::to_string(stalled.input) + ":" + std::to_string(stalled.branches), cycle);
    }
  }

  EXPECT_EQ(seen, "2:1@2 2:1@3 2:1@4");
}

TEST(Router, IsNotIdleBetweenTheFlitsOfAWorm) {
  RouterBench bench("hypercube:1", 0);
  const Worm worm{'A', 1, 2};
  bench.put(0, bench.internal(0), worm[0]);
  bench.put(5, bench.internal(0), worm[1]);

  bench.run(3);  // no flit is here, but the channel is held
  EXPECT_FALSE(bench.router.is_idle());

  bench.run(5);
  EXPECT_TRUE(bench.router.is_idle());
}

TEST(Router, StartsAgainFromScratchAfterReset) {
  RouterBench bench("hypercube:2", 0, With().depth(2));
  bench.put(0, 1, Worm{'A', 1, 9}[0]);
  bench.put(1, bench.internal(0), Worm{'T', 0, 2, tree_kind});
  bench.run(4);

  bench.router.reset();
  EXPECT_TRUE(bench.router.is_idle());

  bench.put(5, bench.internal(0), Worm{'B', 1, 2});
  bench.run(9);
  EXPECT_EQ(bench.sent(0), "A0@1 B0@6 B1@7");
}

// ---- Broken neighbours ----

TEST(Router, ReportsAFlitThatCameWithoutACreditAsFatal) {
  RouterBench bench("hypercube:2", 0, With().depth(2));
  bench.put(0, 1, Worm{'X', 1, 9}[0]);               // owns output 0
  bench.put(1, bench.internal(0), Worm{'A', 1, 5});  // the third flit finds a full buffer

  EXPECT_EQ(fatal_report_of([&] { bench.run(2); }), "");
  EXPECT_THAT(fatal_report_of([&] { bench.run(3); }),
              HasSubstr("input_buffer: input 2 vc 0: a flit came without a credit in cycle 3"));
}

TEST(Router, ReportsACreditTooManyAsFatal) {
  RouterBench bench("hypercube:2", 0);
  bench.credit(0, 1);

  EXPECT_THAT(fatal_report_of([&] { bench.run(0); }),
              HasSubstr("switch_allocator: output VC 1 has one credit too many"));
}

}  // namespace
}  // namespace allport::test
