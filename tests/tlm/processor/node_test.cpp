// SPDX-License-Identifier: Apache-2.0
// A processor keeps its rule in simulated time: ts is serial, tr a delay (docs/timing.md, section
// 4).
#include "tlm/processor/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/fatal.h"
#include "tests/support/forked.h"
#include "tests/support/message_bench.h"
#include "tests/tlm/processor/scripted_workload.h"

namespace allport::test {
namespace {

// Nodes of a 3-cube whose messages are of two flits.
class NodeBench : public ProcessorBench<Node> {
 public:
  NodeBench(Cycle ts, Cycle tr, bool depends_on_receptions = false)
      : ProcessorBench("hypercube:3", {}, 4,
                       [this](const char* name, auto& bench, NodeId node) {
                         return std::make_unique<Node>(name, config_, bench.fabric, workload, node);
                       }),
        workload(pool, &fabric, depends_on_receptions),
        config_{ts, tr, 4, 8} {}

  void run() {
    reset();
    for (std::size_t i = 0; i < processors.size(); ++i) processors[i]->call(node_id(i));
    ProcessorBench::run();
  }

  ScriptedWorkload workload;

 private:
  NodeConfig config_;  // read by the nodes when they act
};

TEST(Node, PreparesItsMessagesOneAfterAnotherWhateverTheirPorts) {
  NodeBench bench(10, 0);
  HeadTable table(bench.fabric);
  for (const std::size_t to : {1, 2, 4}) bench.workload.add(0, 0, to);

  bench.run();

  EXPECT_EQ(bench.workload.begun[0], "1@0 2@10 4@20");
  EXPECT_EQ(table.heads, "0.0@10 0.1@20 0.2@30");
}

TEST(Node, StartsOnSeveralPortsAtOnceWhenPreparationTakesNoTime) {
  NodeBench bench(0, 0);
  HeadTable table(bench.fabric);
  for (const std::size_t to : {1, 2, 4, 5}) bench.workload.add(0, 0, to);

  bench.run();

  EXPECT_EQ(bench.workload.begun[0], "1@0 2@0 4@0 5@0");
  EXPECT_EQ(table.heads, "0.0@0 0.1@0 0.2@0 0.2@2");
}

TEST(Node, PreparesAMessageWhenItIsReadyAndTheProcessorIsFree) {
  NodeBench bench(10, 0);
  bench.workload.add(0, 3, 1);
  bench.workload.add(0, 5, 2);
  bench.workload.add(0, 100, 4);

  bench.run();

  EXPECT_EQ(bench.workload.begun[0], "1@3 2@13 4@100");
}

TEST(Node, HasAMessageTrCyclesAfterItsTail) {
  NodeBench bench(0, 50);
  bench.workload.add(0, 0, 7);

  bench.run();

  EXPECT_EQ(bench.delivered, "0>7#0@5");
  EXPECT_EQ(bench.received, "0>7#0@55");
  EXPECT_EQ(bench.workload.has[7], "0@55");
}

TEST(Node, HasAMessageWithItsTailWhenTrIsZero) {
  NodeBench bench(0, 0);
  bench.workload.add(0, 0, 7);

  bench.run();

  EXPECT_EQ(bench.workload.has[7], "0@5");
}

TEST(Node, ReceivesSeveralMessagesAtOnceWithoutDelayingOne) {
  NodeBench bench(0, 50);
  for (const std::size_t from : {1, 2, 4}) bench.workload.add(from, 0, 0);
  bench.workload.add(1, 7, 0);

  bench.run();

  EXPECT_EQ(bench.workload.has[0].size(), std::string("1@53 2@53 4@53 1@60").size());
  EXPECT_THAT(bench.workload.has[0], testing::HasSubstr("1@53"));
  EXPECT_THAT(bench.workload.has[0], testing::HasSubstr("2@53"));
  EXPECT_THAT(bench.workload.has[0], testing::HasSubstr("4@53"));
  EXPECT_THAT(bench.workload.has[0], testing::HasSubstr("1@60"));
}

TEST(Node, SendsOnWhileItReceives) {
  NodeBench bench(10, 20);
  bench.workload.add(1, 0, 0);
  for (const std::size_t to : {1, 2, 4}) bench.workload.add(0, 0, to);

  bench.run();

  EXPECT_EQ(bench.workload.begun[0], "1@0 2@10 4@20");
  EXPECT_EQ(bench.workload.has[0], "1@33");
}

TEST(Node, DropsReceptionsAndPreparationOnReset) {
  NodeBench bench(10, 50);
  bench.workload.add(0, 0, 1);
  bench.workload.add(0, 0, 2);
  bench.reset();
  bench.processors[0]->call(node_id(0));
  sc_core::sc_start(15, sc_core::SC_NS);  // 1 is on its way, 2 is being prepared

  bench.workload.add(0, 0, 4);
  for (const auto& node : bench.processors) node->reset();
  bench.run();

  EXPECT_EQ(bench.workload.begun[0], "1@0 2@10 4@0");
  EXPECT_EQ(bench.received, "0>4#0@63");
}

// The messages of nodes 1 and 2 come in the same cycle, one of them last: a node that heeds what it
// receives answers that one first, and a node that does not answers the other one first.
TEST(Node, ChoosesWhenAllReceptionsOfTheCycleAreOver) {
  const auto conversation = [](Cycle tr, bool depends_on_receptions) {
    NodeBench bench(3, tr, depends_on_receptions);
    bench.workload.add(1, 0, 0);
    bench.workload.add(2, 0, 0);
    bench.workload.answer(0);
    bench.run();
    return bench.workload.has[0] + "; " + bench.workload.begun[0];
  };

  EXPECT_EQ(forked([&] { return conversation(0, true); }), "1@6 2@6; 2@6 1@9");
  EXPECT_EQ(forked([&] { return conversation(0, false); }), "1@6 2@6; 1@6 2@9");
  EXPECT_EQ(forked([&] { return conversation(5, true); }), "1@11 2@11; 2@11 1@14");
}

TEST(Node, ReportsAProgramThatSendsToItselfAsFatal) {
  NodeBench bench(0, 0);
  bench.workload.add(3, 0, 3);

  EXPECT_THAT(fatal_report_of([&] { bench.processors[3]->call(node_id(3)); }),
              testing::StartsWith("/allport/processor: the fabric refused a message"));
}

}  // namespace
}  // namespace allport::test
