// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/barrier.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/message_bench.h"

namespace allport::test {
namespace {

struct BarrierBench {
  explicit BarrierBench(Cycle cost, std::vector<std::size_t> receivers)
      : barrier("barrier", fabric, cost), receivers(std::move(receivers)) {}

  void arrive(Cycle cycle, int collective) {
    script.at(cycle, [this, collective] { barrier.arrive(collective); });
  }
  void run() {
    barrier.arm(receivers, [this](int collective) {
      note(started, std::to_string(collective), fabric.cycle());
    });
    sc_core::sc_start();
  }

  Blueprint blueprint{"hypercube:1"};
  Fabric fabric{"fabric", blueprint.config, blueprint.routing, sc_core::sc_time(1, sc_core::SC_NS)};
  Script script{"script"};
  Barrier barrier;
  std::vector<std::size_t> receivers;
  std::string started;  ///< collectives, each with its cycle
};

TEST(Barrier, StartsTheNextCollectiveWhenTheLastReceiverHasTheMessage) {
  BarrierBench bench(0, {3, 1});
  bench.arrive(5, 0);
  bench.arrive(8, 0);
  bench.arrive(21, 0);

  bench.run();

  EXPECT_EQ(bench.started, "1@21");
}

TEST(Barrier, StartsNothingWhileAReceiverIsMissing) {
  BarrierBench bench(0, {3, 1});
  bench.arrive(5, 0);
  bench.arrive(8, 0);

  bench.run();

  EXPECT_EQ(bench.started, "");
}

TEST(Barrier, CostsItsCycles) {
  BarrierBench bench(7, {1, 2, 1});
  bench.arrive(10, 0);
  bench.arrive(20, 1);
  bench.arrive(30, 1);

  bench.run();

  EXPECT_EQ(bench.started, "1@17 2@37");
}

TEST(Barrier, EndsWithTheLastCollective) {
  BarrierBench bench(2, {1, 1});
  bench.arrive(3, 0);
  bench.arrive(9, 1);

  bench.run();

  EXPECT_EQ(bench.started, "1@5");
}

TEST(Barrier, BeginsAgainWhenItIsArmed) {
  BarrierBench bench(50, {1, 1});
  bench.arrive(3, 0);
  bench.script.at(10, [&] {
    bench.barrier.arm({1, 1}, [&](int collective) {
      note(bench.started, "again " + std::to_string(collective), bench.fabric.cycle());
    });
  });
  bench.arrive(20, 0);

  bench.run();

  EXPECT_EQ(bench.started, "again 1@70");
}

}  // namespace
}  // namespace allport::test
