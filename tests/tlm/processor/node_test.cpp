// SPDX-License-Identifier: Apache-2.0
// The processor's time: ts is serial, tr a delay (docs/timing.md, section 4).
#include "tlm/processor/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/fatal.h"
#include "tests/support/message_bench.h"

namespace allport::test {
namespace {

/// Sends what it is given, in order, and writes down what it gets.
class ScriptedNode final : public Node {
 public:
  using Node::Node;

  void add(Cycle ready, std::size_t destination) { program_.push({ready, destination}); }
  void start() { call(); }

  std::string begun;  ///< destinations, each with the cycle of its BEGIN_REQ
  std::string has;    ///< sources, each with the cycle in which the node has the message

 protected:
  std::optional<Cycle> next_ready() const override {
    if (program_.empty()) return std::nullopt;
    return program_.front().first;
  }
  tlm::tlm_generic_payload& take_next() override {
    tlm::tlm_generic_payload& message = pool().allocate(config().bytes);
    message.set_address(program_.front().second);
    note(begun, std::to_string(program_.front().second), now());
    program_.pop();
    return message;
  }
  void on_message(tlm::tlm_generic_payload& message) override {
    note(has, std::to_string(index(message_extension(message)->source)), now());
  }

 private:
  RingQueue<std::pair<Cycle, std::size_t>> program_;
};

// Nodes of a 3-cube whose messages are of two flits.
class Bench : public ProcessorBench<ScriptedNode> {
 public:
  Bench(Cycle ts, Cycle tr)
      : ProcessorBench("hypercube:3", {}, 4,
                       [this](const char* name, auto& bench, NodeId node) {
                         return std::make_unique<ScriptedNode>(name, config_, bench.fabric,
                                                               bench.pool, node);
                       }),
        config_{ts, tr, 4, 8} {}

  ScriptedNode& node(std::size_t id) { return *processors[id]; }
  void run() {
    reset();
    for (const auto& processor : processors) processor->start();
    ProcessorBench::run();
  }

 private:
  NodeConfig config_;  // read by the nodes when they act
};

TEST(Node, PreparesItsMessagesOneAfterAnotherWhateverTheirPorts) {
  Bench bench(10, 0);
  HeadTable table(bench.fabric);
  for (const std::size_t to : {1, 2, 4}) bench.node(0).add(0, to);

  bench.run();

  EXPECT_EQ(bench.node(0).begun, "1@0 2@10 4@20");
  EXPECT_EQ(table.heads, "0.0@10 0.1@20 0.2@30");
}

TEST(Node, StartsOnSeveralPortsAtOnceWhenPreparationTakesNoTime) {
  Bench bench(0, 0);
  HeadTable table(bench.fabric);
  for (const std::size_t to : {1, 2, 4, 5}) bench.node(0).add(0, to);

  bench.run();

  EXPECT_EQ(bench.node(0).begun, "1@0 2@0 4@0 5@0");
  EXPECT_EQ(table.heads, "0.0@0 0.1@0 0.2@0 0.2@2");
}

TEST(Node, PreparesAMessageWhenItIsReadyAndTheProcessorIsFree) {
  Bench bench(10, 0);
  bench.node(0).add(3, 1);
  bench.node(0).add(5, 2);
  bench.node(0).add(100, 4);

  bench.run();

  EXPECT_EQ(bench.node(0).begun, "1@3 2@13 4@100");
}

TEST(Node, HasAMessageTrCyclesAfterItsTail) {
  Bench bench(0, 50);
  bench.node(0).add(0, 7);

  bench.run();

  EXPECT_EQ(bench.delivered, "0>7#0@5");
  EXPECT_EQ(bench.received, "0>7#0@55");
  EXPECT_EQ(bench.node(7).has, "0@55");
}

TEST(Node, HasAMessageWithItsTailWhenTrIsZero) {
  Bench bench(0, 0);
  bench.node(0).add(0, 7);

  bench.run();

  EXPECT_EQ(bench.node(7).has, "0@5");
}

TEST(Node, ReceivesSeveralMessagesAtOnceWithoutDelayingOne) {
  Bench bench(0, 50);
  for (const std::size_t from : {1, 2, 4}) bench.node(from).add(0, 0);
  bench.node(1).add(7, 0);

  bench.run();

  EXPECT_EQ(bench.node(0).has.size(), std::string("1@53 2@53 4@53 1@60").size());
  EXPECT_THAT(bench.node(0).has, testing::HasSubstr("1@53"));
  EXPECT_THAT(bench.node(0).has, testing::HasSubstr("2@53"));
  EXPECT_THAT(bench.node(0).has, testing::HasSubstr("4@53"));
  EXPECT_THAT(bench.node(0).has, testing::HasSubstr("1@60"));
}

TEST(Node, SendsOnWhileItReceives) {
  Bench bench(10, 20);
  bench.node(1).add(0, 0);
  for (const std::size_t to : {1, 2, 4}) bench.node(0).add(0, to);

  bench.run();

  EXPECT_EQ(bench.node(0).begun, "1@0 2@10 4@20");
  EXPECT_EQ(bench.node(0).has, "1@33");
}

TEST(Node, DropsReceptionsAndPreparationOnReset) {
  Bench bench(10, 50);
  bench.node(0).add(0, 1);
  bench.node(0).add(0, 2);
  bench.reset();
  bench.node(0).start();
  sc_core::sc_start(15, sc_core::SC_NS);  // 1 is on its way, 2 is being prepared

  bench.node(0).add(0, 4);
  for (const auto& node : bench.processors) node->reset();
  bench.run();

  EXPECT_EQ(bench.node(0).begun, "1@0 2@10 4@0");
  EXPECT_EQ(bench.received, "0>4#0@63");
}

TEST(Node, ReportsAProgramThatSendsToItselfAsFatal) {
  Bench bench(0, 0);
  bench.node(3).add(0, 3);

  EXPECT_THAT(fatal_report_of([&] { bench.node(3).start(); }),
              testing::StartsWith("/allport/node: the network interface refused a message"));
}

}  // namespace
}  // namespace allport::test
