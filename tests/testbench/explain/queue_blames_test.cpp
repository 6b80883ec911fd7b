// SPDX-License-Identifier: Apache-2.0
// A message that waits in a queue names the last one before it, and how many there are
// (docs/explain.md): what is written of a queue grows with its messages.
#include <gtest/gtest.h>

#include <memory>

#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"

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

}  // namespace
}  // namespace allport
