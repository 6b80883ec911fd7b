// SPDX-License-Identifier: Apache-2.0
// Processors in one module behave as processors in modules of their own.
#include "tlm/processor/bank.h"

#include <gtest/gtest.h>

#include "tests/support/blueprint.h"
#include "tests/support/fatal.h"
#include "tests/support/forked.h"
#include "tests/tlm/processor/scripted_workload.h"
#include "tlm/processor/node.h"
#include "tlm/worm/fabric.h"

namespace allport::test {
namespace {

// Eight processors on a 3-cube of worms, in one bank or alone.
class BankBench {
 public:
  BankBench(const NodeConfig& config, bool depends_on_receptions, bool are_alone)
      : config_(config),
        fabric_("fabric", blueprint_.config, blueprint_.routing,
                sc_core::sc_time(1, sc_core::SC_NS), log_, pool_, 4,
                are_alone ? all() : std::vector<NodeId>{}),
        workload(pool_, &fabric_, depends_on_receptions) {
    if (!are_alone) {
      hosts_.push_back(std::make_unique<Bank>("bank", config_, fabric_, workload, 8));
      hosts_.back()->socket.bind(fabric_.socket());
      return;
    }
    for (const NodeId node : all()) {
      const std::string name = "node_" + std::to_string(index(node));
      hosts_.push_back(std::make_unique<Node>(name.c_str(), config_, fabric_, workload, node));
      hosts_.back()->socket.bind(fabric_.socket(node));
    }
  }

  void call(NodeId node) { hosts_[hosts_.size() == 1 ? 0 : index(node)]->call(node); }
  void reset() {
    fabric_.reset();
    for (const auto& host : hosts_) host->reset();
  }
  void run() {
    if (sc_core::sc_get_status() != sc_core::SC_PAUSED) sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (const NodeId node : all()) call(node);
    if (sc_core::sc_pending_activity()) sc_core::sc_start();
  }
  /// What each node sent and received, and when.
  std::string told() {
    std::string text;
    for (std::size_t i = 0; i < 8; ++i) {
      text += std::to_string(i) + ": " + workload.begun[i] + "; " + workload.has[i] + "\n";
    }
    return text;
  }

 private:
  static std::vector<NodeId> all() {
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < 8; ++i) nodes.push_back(node_id(i));
    return nodes;
  }

  const Blueprint blueprint_{"hypercube:3"};
  const NodeConfig config_;
  MessageLog log_;
  MessagePool pool_;
  WormFabric fabric_;
  std::vector<std::unique_ptr<ProcessorHost>> hosts_;

 public:
  ScriptedWorkload workload;
};

// Every node sends to every other one at different times; nodes 0 and 5 answer, but not if a tail
// and the choice of the next message have no defined order.
std::string conversation(const NodeConfig& config, bool depends_on_receptions, bool are_alone) {
  BankBench bench(config, depends_on_receptions, are_alone);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t k = 1; k < 8; ++k) {
      bench.workload.add(i, static_cast<Cycle>(k * (i % 3)), (i + k) % 8);
    }
  }
  if (depends_on_receptions || config.tr > 0) {
    bench.workload.answer(0);
    bench.workload.answer(5);
  }
  bench.run();
  return bench.told();
}

TEST(Bank, SendsAndReceivesAsNodesDo) {
  for (const bool depends_on_receptions : {false, true}) {
    for (const auto& [ts, tr] : {std::pair<Cycle, Cycle>{0, 0}, {5, 0}, {0, 7}, {3, 11}}) {
      const NodeConfig config{ts, tr, 4, 8};
      const std::string expected =
          forked([&] { return conversation(config, depends_on_receptions, true); });

      EXPECT_NE(expected.find("0: 1@0"), std::string::npos);
      EXPECT_EQ(forked([&] { return conversation(config, depends_on_receptions, false); }),
                expected)
          << "ts " << ts << " tr " << tr << " heeds " << depends_on_receptions;
    }
  }
}

TEST(Bank, DropsReceptionsAndPreparationOnReset) {
  BankBench bench({10, 50, 4, 8}, false, false);
  bench.workload.add(0, 0, 1);
  bench.workload.add(0, 0, 2);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  bench.call(node_id(0));
  sc_core::sc_start(15, sc_core::SC_NS);  // 1 is on its way, 2 is being prepared
  bench.workload.add(0, 0, 4);

  bench.reset();
  bench.run();

  EXPECT_EQ(bench.workload.begun[0], "1@0 2@10 4@0");
  EXPECT_EQ(bench.workload.has[1] + bench.workload.has[2], "");
  EXPECT_EQ(bench.workload.has[4], "0@63");
}

TEST(Bank, ReportsAProgramThatSendsToItselfAsFatal) {
  BankBench bench({0, 0, 4, 8}, false, false);
  bench.workload.add(3, 0, 3);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);

  EXPECT_EQ(fatal_report_of([&] { bench.call(node_id(3)); }).rfind("/allport/processor: ", 0), 0U);
}

}  // namespace
}  // namespace allport::test
