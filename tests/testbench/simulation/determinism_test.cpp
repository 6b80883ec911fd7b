// SPDX-License-Identifier: Apache-2.0
// A run is the same to the cycle, whether or not it is watched, and whether it is first or last.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

class CountingObserver final : public FlitObserver, public CycleObserver {
 public:
  void on_injected(NodeId, int, const Flit&, Cycle) override { ++calls; }
  void on_sent(NodeId, int, const Flit&, Cycle) override { ++calls; }
  void on_cycle(Cycle) override { ++calls; }
  int calls = 0;
};

enum class Observers { none, monitors, all };

// Everything that a run found, except the time that it took.
std::string everything(const Results& results) {
  std::ostringstream text;
  text << fault_of(results) << contention_of(results) << results.digest << " " << results.cycles
       << " " << results.flit_hops << " " << results.messages << " " << results.latency.mean;
  for (const Delivery& d : results.deliveries) {
    text << "\n"
         << index(d.source) << " " << index(d.destination) << " " << d.head << " " << d.tail;
  }
  return text.str();
}

std::string digest(Observers observers, bool is_uniform) {
  return forked([&] {
    const Routing routing = routing_on("torus:5x4");
    Simulation simulation(
        Experiment().times(3, 2).length(8).with_jitter(20).of_patterns(is_uniform), routing);
    CountingObserver counter;
    if (observers == Observers::none) simulation.fabric().dismiss_observers();
    if (observers == Observers::all) simulation.fabric().observe(counter);
    const auto separate = collective("separate", routing, broadcast_from(3, routing));
    const Results results =
        is_uniform ? simulation.run(test::uniform(0.3, 500)) : simulation.run({3, {separate}});
    if (observers == Observers::all && counter.calls == 0) return std::string("nobody watched");
    return results.digest;
  });
}

TEST(Determinism, DoesNotDependOnWhoWatches) {
  for (const bool is_uniform : {false, true}) {
    const std::string alone = digest(Observers::none, is_uniform);
    EXPECT_EQ(alone.size(), 16U);
    EXPECT_EQ(digest(Observers::monitors, is_uniform), alone);
    EXPECT_EQ(digest(Observers::all, is_uniform), alone);
  }
}

std::string results_with_seed(std::uint64_t seed) {
  return forked([&] {
    const Routing routing = routing_on("hypercube:4");
    Simulation simulation(Experiment().with_jitter(50).with_seed(seed), routing);
    const auto planned = collective("ucube", routing, broadcast_from(0, routing));
    return everything(simulation.run({5, {planned}}));
  });
}

TEST(Determinism, GivesTheSameResultsForTheSameSeedAndOthersForAnother) {
  EXPECT_EQ(results_with_seed(7), results_with_seed(7));
  EXPECT_NE(results_with_seed(7), results_with_seed(8));
}

TEST(Determinism, LeavesNoTraceOfEarlierTrials) {
  const Routing routing = routing_on("hypercube:4");
  const auto wsort = collective("wsort", routing, broadcast_from(5, routing));
  const auto tree = collective("tree", routing, broadcast_from(9, routing));
  const auto separate = collective("separate", routing, broadcast_from(0, routing));
  Simulation simulation(Experiment().times(4, 3), routing);

  const std::string alone = everything(simulation.run({{wsort}}));
  const auto last = simulation.run({{tree}, {separate, wsort}, {separate}, {wsort}});

  ASSERT_EQ(last.trials.size(), 4U);
  EXPECT_EQ(last.trials.back().max, simulation.run({{wsort}}).latency.max);
  EXPECT_EQ(everything(simulation.run({{wsort}})), alone);
}

TEST(Determinism, LeavesNoTraceOfAnEarlierUniformRun) {
  const Routing routing = routing_on("torus:4x4");
  Simulation simulation(Experiment().length(8).of_patterns(), routing);

  const std::string first = everything(simulation.run(test::uniform(0.2, 300)));
  simulation.run(test::uniform(0.9, 100));

  EXPECT_EQ(everything(simulation.run(test::uniform(0.2, 300))), first);
}

}  // namespace
}  // namespace allport::test
