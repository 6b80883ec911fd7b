// SPDX-License-Identifier: Apache-2.0
// Cycles in which nothing happens cost nothing, measured in work, not in seconds.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

class CycleCounter final : public CycleObserver {
 public:
  explicit CycleCounter(Fabric& fabric) { fabric.observe(*this); }
  void on_cycle(Cycle) override { ++cycles; }
  int cycles = 0;
};

TEST(IdleFabric, OfATenCubePassesAMillionCyclesWithoutDecidingOne) {
  const Routing routing = routing_on("hypercube:10");
  Simulation simulation(Experiment().times(1000000, 1000000), routing);
  CycleCounter counter(simulation.fabric());

  const Results results = simulation.run({{single(0, 1023, routing)}});

  EXPECT_EQ(results.latency.max, 1000000 + 10 + 16 + 1000000);
  EXPECT_LE(counter.cycles, 10 + 16 + 2);  // those in which flits or credits are on their way
}

int cycles_decided(Cycle ts) {
  return std::stoi(forked([&] {
    const Routing routing = routing_on("hypercube:4");
    Simulation simulation(Experiment().times(ts, 0), routing);
    CycleCounter counter(simulation.fabric());
    simulation.run({{collective("sbt", routing, broadcast_from(0, routing))}});
    return std::to_string(counter.cycles);
  }));
}

TEST(IdleFabric, DecidesTheSameNumberOfCyclesHoweverLongTheProcessorsCount) {
  EXPECT_EQ(cycles_decided(1000000), cycles_decided(1000));
}

}  // namespace
}  // namespace allport::test
