// SPDX-License-Identifier: Apache-2.0
// These tests check what a Simulation accepts, counts and reports on the way.
#include "testbench/simulation/simulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/simulation/simulate.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

using testing::StartsWith;

std::string refusal(const SimulationConfig& config) {
  return complaint_of([&] { validate(config); });
}

TEST(SimulationConfig, TakesEveryValueUpToItsBoundAndNoneBeyond) {
  constexpr Cycle most = 1000000000;
  EXPECT_EQ(refusal(Experiment().times(most, most).with_jitter(most).with_barrier(most)),
            "no complaint");
  EXPECT_EQ(refusal(Experiment().times(-1, 0)), "ts -1: must be 0..1000000000");
  EXPECT_EQ(refusal(Experiment().times(most + 1, 0)), "ts 1000000001: must be 0..1000000000");
  EXPECT_EQ(refusal(Experiment().times(0, -1)), "tr -1: must be 0..1000000000");
  EXPECT_EQ(refusal(Experiment().with_jitter(-1)), "jitter -1: must be 0..1000000000");
  EXPECT_EQ(refusal(Experiment().with_barrier(-1)), "barrier -1: must be 0..1000000000");
  EXPECT_EQ(refusal(Experiment().length(1000000)), "no complaint");
  EXPECT_EQ(
      refusal(Experiment().length(1000001)),
      "--flits 1000001: routers move messages of up to 1000000 flits; --model worm takes up to 1000000000");
  EXPECT_EQ(refusal(Experiment().length(0)), "flits 0: must be 1..1000000000");
}

TEST(SimulationConfig, DemandsAsManyFlitsAsTheBytesMake) {
  Experiment setup;
  setup.bytes = 61;  // 16 flits of 4 bytes, the last not full
  EXPECT_EQ(refusal(setup), "no complaint");
  setup.bytes = 60;
  EXPECT_EQ(refusal(setup), "bytes 60: they do not make 16 flits of 4 bytes");
  setup.bytes = 0;
  EXPECT_EQ(refusal(setup), "bytes 0: they do not make 16 flits of 4 bytes");
  setup.flit_bytes = 65;
  EXPECT_EQ(refusal(setup), "flit bytes 65: must be 1..64");
}

TEST(SimulationConfig, HasWideFlitsOnBothModels) {
  Experiment setup;
  setup.flit_bytes = 9;
  setup.bytes = 16 * 9;
  EXPECT_EQ(refusal(setup), "no complaint");
  setup.is_transaction_level = true;
  EXPECT_EQ(refusal(setup), "no complaint");
}

TEST(Simulation, RefusesAFabricThatCanDeadlockBeforeItElaborates) {
  EXPECT_THAT(complaint_of([] {
                Simulation simulation(Experiment().on(With().vcs(1)), routing_on("ring:4"));
              }),
              StartsWith("vcs 1: ring:4 can deadlock"));
}

// The kernel itself would end the process.
TEST(Simulation, RefusesASecondOneInAProcess) {
  RunRequest request;
  request.fabric.topology = parse_topology("hypercube:2");
  request.traffic.algorithm = &find_algorithm("ucube");
  const RunPlan plan = allport::plan(request);
  const auto sentence =
      StartsWith("this process has simulated already, and SystemC's kernel elaborates once");

  EXPECT_TRUE(simulate(plan).is_complete());
  EXPECT_TRUE(simulate_here(plan).is_complete());
  const auto again = [&plan](auto simulates) {
    try {
      simulates(plan);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(again([](const RunPlan& one) { simulate_here(one); }), sentence);
  EXPECT_THAT(again([](const RunPlan& one) { simulate(one); }),
              StartsWith("the simulation: this process has simulated already"));
}

TEST(SimulationConfig, TakesOneKindOfBarrier) {
  Experiment setup;
  setup.barrier = 3;
  setup.barrier_messages = true;
  EXPECT_EQ(refusal(setup), "a barrier is one of cycles or one of messages, not both");
}

TEST(Simulation, RefusesTrialsThatItCannotRunAsTheyAre) {
  const Routing routing = routing_on("hypercube:3");
  Simulation simulation(Experiment(), routing);
  const auto refusal_of = [&](const std::vector<std::vector<PlannedCollective>>& trials,
                              std::size_t first = 0) {
    return complaint_of([&] { simulation.run(trials, first); });
  };
  const PlannedCollective good = single(0, 7, routing);
  PlannedCollective far = good;
  far.schedule.unicasts.front().v = node_id(8);
  PlannedCollective rootless = good;
  rootless.sources.clear();
  PlannedCollective barrier = good;
  barrier.is_barrier = true;

  EXPECT_EQ(refusal_of({}), "there is no trial to run");
  EXPECT_EQ(refusal_of({{good}, {good}}, 2), "first trial 2: must be 0..1");
  EXPECT_EQ(refusal_of({{}}), "trial 0: no collective");
  EXPECT_EQ(refusal_of({{good}, {good, far}}),
            "trial 1, collective 1: receiver 8: hypercube:3 has nodes 0..7");
  EXPECT_EQ(refusal_of({{rootless}}), "trial 0, collective 0: it has no source");
  EXPECT_EQ(
      refusal_of({{good, barrier}}),
      "trial 0, collective 1: of 2 collectives the last 0 must be barriers of messages, no others");
  EXPECT_EQ(refusal_of({{far}, {good}}, 1), "no complaint");
  EXPECT_EQ(complaint_of([&] { simulation.run(test::uniform(0.1, 10)); }),
            "the simulation was made for collectives: it runs no patterns");
}

TEST(Simulation, WithNodesForPatternsRunsNoCollectives) {
  const Routing routing = routing_on("hypercube:3");
  Simulation simulation(Experiment().of_patterns(), routing);
  EXPECT_EQ(complaint_of([&] { simulation.run({{single(0, 7, routing)}}); }),
            "the simulation was made for patterns: it runs no collectives");
}

TEST(Simulation, OfWormsHasNoRouters) {
  Experiment setup;
  setup.is_transaction_level = true;
  Simulation simulation(setup, routing_on("hypercube:3"));
  EXPECT_THROW(simulation.fabric(), std::logic_error);
}

TEST(Simulation, SumsUpItsTrials) {
  const Routing routing = routing_on("hypercube:3");
  Simulation simulation(Experiment().length(4), routing);

  const Results results =
      simulation.run({{single(0, 1, routing)},
                      {single(0, 7, routing)},
                      {collective("wsort", routing, broadcast_from(0, routing))}});

  ASSERT_EQ(results.trials.size(), 3U);
  EXPECT_EQ(results.trials[0].max, 5);
  EXPECT_EQ(results.trials[1].max, 7);
  EXPECT_EQ(results.latency.max, results.trials[2].max);
  const double sum = results.trials[0].mean + results.trials[1].mean + 7 * results.trials[2].mean;
  EXPECT_DOUBLE_EQ(results.latency.mean, sum / 9);
  EXPECT_EQ(results.cycles, 5 + 7 + results.trials[2].max);
  EXPECT_EQ(results.messages, 1U + 1 + 7);
  EXPECT_EQ(results.steps, 3);
  EXPECT_EQ(results.by_destination.size(), 7U);  // of the last trial
}

TEST(Simulation, CountsHopsAndDeliveriesOfATree) {
  const Routing routing = routing_on("hypercube:4");
  Simulation simulation(Experiment().length(3), routing);

  const Results results =
      simulation.run({{collective("tree", routing, broadcast_from(6, routing))}});

  EXPECT_EQ(results.messages, 1U);
  EXPECT_EQ(results.flit_hops, 15U * 3);
  EXPECT_EQ(results.deliveries.size(), 15U);
}

TEST(Simulation, RunsSeveralCollectivesAtOnceFromCycleZero) {
  const Routing routing = routing_on("hypercube:3");
  Simulation simulation(Experiment().length(4).times(10, 0), routing);

  const Results results = simulation.run({{single(0, 1, routing), single(7, 6, routing)}});

  EXPECT_EQ(results.trials.front().max, 10 + 1 + 4);
  EXPECT_EQ(results.cycles, 10 + 1 + 4);
}

TEST(Simulation, CountsTheCyclesOfMessagesBetweenSources) {
  for (const bool is_transaction_level : {false, true}) {
    EXPECT_EQ(forked([&] {
                const Routing routing = routing_on("hypercube:1");
                SimulationConfig config = Experiment().length(16);
                config.is_transaction_level = is_transaction_level;
                Simulation simulation(config, routing);
                PlannedCollective both = single(0, 1, routing);
                both.schedule.unicasts.push_back(single(1, 0, routing).schedule.unicasts.front());
                both.sources = {node_id(0), node_id(1)};
                both.destinations = {};
                return std::to_string(simulation.run({{both}}).cycles);
              }),
              "17");
  }
}

TEST(Simulation, NamesTheMessagesOfThePresentTrial) {
  const Routing routing = routing_on("hypercube:3");
  Simulation simulation(Experiment(), routing);
  simulation.run(
      {{single(2, 5, routing), collective("tree", routing, broadcast_from(0, routing))}});

  EXPECT_EQ(printed(simulation.message_name(MessageId{0})), "2>5#0");
  EXPECT_EQ(printed(simulation.message_name(MessageId{1})), "0>all#0");
}

TEST(Simulation, TellsOfItsProgressInRisingFractions) {
  const Routing routing = routing_on("hypercube:4");
  Simulation simulation(Experiment().length(2000), routing);
  std::vector<double> fractions;
  simulation.on_progress([&](double fraction, Cycle) { fractions.push_back(fraction); });

  simulation.run({4, {single(0, 15, routing)}});

  ASSERT_GE(fractions.size(), 4U);
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    EXPECT_GE(fractions[i], i == 0 ? 0 : fractions[i - 1]);
    EXPECT_LE(fractions[i], 1);
  }
}

TEST(Simulation, EndsSoonAfterItIsAskedToStop) {
  const Routing routing = routing_on("hypercube:4");
  std::atomic<bool> stop{false};
  Simulation simulation(Experiment().length(1000000), routing, {}, &stop);
  stop = true;

  const Results results = simulation.run({2, {single(0, 15, routing)}});

  EXPECT_TRUE(results.was_interrupted);
  EXPECT_FALSE(results.is_complete());
  EXPECT_EQ(results.trials.size(), 1U);
  EXPECT_LE(simulation.fabric().cycle(), 1);
}

void elaborate_when_stopped(const char* topology, bool is_transaction_level) {
  const std::atomic<bool> stop{true};
  SimulationConfig config = Experiment();
  config.is_transaction_level = is_transaction_level;
  const Routing routing = routing_on(topology);
  const auto peak = [] {  // of the process, of which ctest gives each test one
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;  // KiB
  };
  const auto before = peak();
  EXPECT_THROW(Simulation(config, routing, {}, &stop), Stopped);
  EXPECT_LT(peak() - before, 80 * 1024) << "KiB";
}

TEST(Simulation, GivesUpTheElaborationOfRoutersOnceItIsAskedToStop) {
  elaborate_when_stopped("hypercube:17", false);
}

TEST(Simulation, GivesUpTheElaborationOfWormsOnceItIsAskedToStop) {
  elaborate_when_stopped("hypercube:17", true);
}

}  // namespace
}  // namespace allport::test
