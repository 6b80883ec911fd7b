// SPDX-License-Identifier: Apache-2.0
// These tests check what a fabric counts, and what it tells its observers.
#include "rtl_model/systemc/fabric.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/rtl_model/systemc/fabric_bench.h"

namespace allport::test {
namespace {

class StallCounter final : public StallObserver {
 public:
  void on_stalled(const RouterState&, Cycle first, Cycle cycles) override {
    if (calls++ == 0) begin = first;
    total += cycles;
    end = first + cycles;
  }
  int calls = 0;
  Cycle begin = 0;
  Cycle end = 0;
  Cycle total = 0;
};

TEST(Fabric, CountsHopsOncePerBranchAndEjectedFlits) {
  FabricBench bench("hypercube:3");
  bench.send(0, 0, 0, Worm{'T', 0, 2, MessageKind::tree});
  bench.send(50, 7, 2, Worm{'A', 0, 5});

  bench.run();

  EXPECT_EQ(bench.fabric.flit_hops(), 2U * 7 + 5 * 3);
  EXPECT_EQ(bench.fabric.ejected_flits(), 2U * 7 + 5);
}

TEST(Fabric, DatesTheLastMovementByTheLastFlitThatCrossedARouter) {
  FabricBench bench("hypercube:3");
  bench.send(10, 0, 2, Worm{'A', 6, 4});  // tail on the ejection channel in cycle 16

  bench.run();

  EXPECT_EQ(bench.fabric.last_movement(), 15);
}

TEST(Fabric, IsIdleOnceTheLastTailHasLeft) {
  FabricBench bench("hypercube:3");
  const Worm worm{'A', 4, 2};
  bench.terminals[0]->send(0, 2, worm[0]);
  bench.run();
  EXPECT_FALSE(bench.fabric.is_idle());  // all buffers are empty, but the worm holds its channels

  bench.forget();
  bench.send(0, 0, 2, worm);
  bench.run();
  EXPECT_TRUE(bench.fabric.is_idle());
}

/// Counts the events that it is notified of, and is registered for all of them by one call.
class EarsForAll final : public StallObserver, public FlitObserver, public CycleObserver {
 public:
  void on_stalled(const RouterState&, Cycle, Cycle cycles) override {
    stalled_cycles += static_cast<int>(cycles);
  }
  void on_injected(NodeId, int, const Flit&, Cycle) override { ++injected; }
  void on_sent(NodeId, int, const Flit&, Cycle) override { ++sent; }
  void on_cycle(Cycle) override { ++cycles; }
  int stalled_cycles = 0;
  int injected = 0;
  int sent = 0;
  int cycles = 0;
};

TEST(Fabric, TellsEachObserverAllThatItsTypeHearsOf) {
  FabricBench bench("hypercube:2");
  EarsForAll first;
  EarsForAll second;
  CycleCounter cycles;
  bench.fabric.observe(first);
  bench.fabric.observe(second);
  bench.fabric.observe(cycles);
  bench.send(0, 2, 0, Worm{'X', 1, 3});
  bench.send(0, 0, 0, Worm{'A', 1, 2});

  bench.run();

  for (const EarsForAll& ears : {first, second}) {
    EXPECT_EQ(ears.injected, 5);
    EXPECT_EQ(ears.sent, 5 + 5 + 3);    // X by two links, A by one, all by an ejection channel
    EXPECT_EQ(ears.stalled_cycles, 1);  // X waits for the tail of A at node 0
    EXPECT_EQ(ears.cycles, cycles.calls);
  }
}

TEST(Fabric, TellsADismissedObserverNothingMore) {
  FabricBench bench("hypercube:2");
  EarsForAll dismissed;
  EarsForAll kept;
  bench.fabric.observe(dismissed);
  bench.fabric.observe(kept);
  bench.fabric.dismiss(dismissed);
  bench.send(0, 0, 0, Worm{'A', 1, 2});
  bench.run();
  EXPECT_EQ(dismissed.injected + dismissed.sent + dismissed.cycles, 0);
  EXPECT_EQ(kept.injected, 2);

  bench.fabric.dismiss_observers();
  bench.run();
  EXPECT_EQ(kept.injected, 2);
}

// B, at node 0 from cycle 1 on, waits for X, whose tail leaves node 2 in cycle 1000 or never.
void plan_a_long_wait(FabricBench& bench, bool has_end) {
  const Worm x{'X', 1, 2};
  bench.terminals[2]->send(0, 1, x[0]);
  if (has_end) bench.terminals[2]->send(1000, 1, x[1]);
  bench.send(1, 0, 0, Worm{'B', 1});
}

TEST(Fabric, TellsOfEveryCycleOfAStallThoughTheRouterSleepsThroughIt) {
  FabricBench bench("hypercube:2");
  StallCounter stalls;
  bench.fabric.observe(stalls);
  plan_a_long_wait(bench, true);

  bench.run();

  EXPECT_EQ(bench.external(0, 0), "X0@2 X1@1002 B0@1003");
  EXPECT_EQ(stalls.begin, 1);
  EXPECT_EQ(stalls.end, 1002);  // the tail crosses in cycle 1001
  EXPECT_EQ(stalls.total, 1001);
  EXPECT_LT(stalls.calls, 6);
}

TEST(Fabric, SettlesTheStallsOfSleepingRoutersUpToACycle) {
  FabricBench bench("hypercube:2");
  StallCounter stalls;
  bench.fabric.observe(stalls);
  plan_a_long_wait(bench, false);
  bench.run();

  bench.fabric.settle_stalls(500);
  EXPECT_EQ(stalls.total, 500);

  bench.fabric.settle_stalls(500);
  EXPECT_EQ(stalls.total, 500);
}

}  // namespace
}  // namespace allport::test
