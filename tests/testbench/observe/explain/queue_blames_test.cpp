// SPDX-License-Identifier: Apache-2.0
// A message that waits in a queue names the last one before it, and how many there are
// (docs/explain.md): what is written of a queue grows with its messages.
#include <gtest/gtest.h>

#include <memory>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/testbench/observe/explain/explained.h"

namespace allport {
namespace {

TEST(QueueBlames, NameTheLastMessageBeforeAndTheirNumber) {
  constexpr std::uint32_t messages = 40;
  TaskGraph graph;
  graph.ranks = 2;
  for (std::uint32_t i = 0; i < 2 * messages; ++i) {
    Task task;
    task.kind = i < messages ? TaskKind::send : TaskKind::receive;
    task.rank = i < messages ? 0 : 1;
    task.peer = 1 - task.rank;
    task.tag = 0;
    task.amount = 32;
    graph.tasks.push_back(task);
  }
  RunRequest request;
  request.fabric.topology = parse_topology("hypercube:1");
  request.traffic.graph = std::make_shared<TaskGraph>(graph);
  request.explain.causes = true;
  request.explain.listed = ExplainRequest::all;
  for (const Model model : {Model::systemc, Model::worm}) {
    request.model = model;
    const Results results = simulate(plan(request));
    ASSERT_EQ(results.explanation->messages.size(), messages);
    for (const MessageAccount& one : results.explanation->messages) {
      ASSERT_EQ(one.blames.size(), one.order == 0 ? 0U : 1U);
      if (one.order == 0) continue;
      EXPECT_EQ(one.blames[0].cause, Cause::port);
      EXPECT_EQ(one.blames[0].blamed.order, one.order - 1);
      EXPECT_EQ(one.blames[0].messages, static_cast<std::size_t>(one.order));
      EXPECT_EQ(one.blames[0].cycles, 8 * one.order);
    }
  }
}

// The waits that are written and followed for `messages` messages in one queue.
std::size_t waits_in_a_queue(int messages, Cycle ts, bool as_worms) {
  test::Case one{"hypercube:1", {}, {0}, {}};
  one.experiment.explain.causes = true;
  one.experiment.ts = ts;
  one.experiment.is_transaction_level = as_worms;
  for (int i = 0; i < messages; ++i) one.unicasts.push_back(test::message(0, 1, i, i + 1));
  std::size_t waits = 0;
  const std::string counted = test::forked([&] {
    const Routing routing = routing_on(one.topology);
    PlannedCollective planned;
    planned.sources = {node_id(0)};
    planned.destinations = {node_id(1)};
    planned.schedule.unicasts = one.unicasts;
    planned.schedule.sort();
    const SimulationConfig config = one.experiment;
    Simulation simulation(config, routing);
    const std::vector<std::vector<PlannedCollective>> trials{{planned}};
    simulation.run(trials);
    simulation.show_trial([&](const ShownTrial& shown) {
      for (const Reception& reception : shown.receptions) {
        waits += shown.explained.explain(reception).size();
      }
    });
    return std::to_string(waits);
  });
  return std::stoul(counted);
}

TEST(QueueBlames, AreFoundInStepsThatGrowWithTheMessages) {
  for (const bool as_worms : {false, true}) {
    for (const Cycle ts : {Cycle{0}, Cycle{40}}) {  // they wait at the port, or at the processor
      const std::size_t waits = waits_in_a_queue(100, ts, as_worms);
      EXPECT_GE(waits, 200U);
      EXPECT_LE(waits_in_a_queue(200, ts, as_worms), waits * 22 / 10);
    }
  }
}

}  // namespace
}  // namespace allport
