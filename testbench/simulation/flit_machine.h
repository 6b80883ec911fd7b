// SPDX-License-Identifier: Apache-2.0
// A FlitMachine is the fabric of routers, flit by flit, with a network interface and a processor
// module per node, or one module of processors that keep their own time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/observe/monitors/crossing_counter.h"
#include "testbench/observe/monitors/fabric_verdicts.h"
#include "testbench/simulation/machine.h"
#include "testbench/simulation/watch.h"
#include "tlm/interface/network_interface.h"
#include "tlm/processor/node.h"
#include "tlm/processor/timed_processors.h"

namespace allport {

/// A function that replaces routers by other models, before the simulation begins.
using RouterReplacement = std::function<void(Fabric&)>;

class FlitMovement;

class FlitMachine final : public Machine {
 public:
  FlitMachine(const MachineParts& parts, Watch& watch, const RouterReplacement& replace_routers);
  ~FlitMachine() override;

  const CycleClock& clock() const override { return fabric_; }
  void begin_run() override;
  void reset(std::uint64_t trial) override;
  void call(NodeId node) override { timed_ ? timed_->call(node) : nodes_[index(node)]->call(node); }
  void take(const Received& one) override {
    fabric_.take(one.node, one.port, one.message_class, one.flits);
  }
  void record(Movement& movement) override;
  void count(CrossingCounter& counter) override;
  void end_count() override;
  std::string halted() const override { return fabric_.halted(); }
  std::optional<Deadlock> find_deadlock() override;
  void report(int trial, std::size_t max_listed, Contention& contention,
              Contention& reception) override {
    verdicts_.report(trial, max_listed, contention, reception);
  }
  std::uint64_t flit_hops() const override { return fabric_.flit_hops(); }
  void add_link_errors(int trial, LinkErrorResults& results) override;
  ThreadUse thread_use() const override;
  Cycle last_movement() const override {
    const Cycle decided = fabric_.last_movement();
    return decided < 0 ? decided : decided + fabric_.config().exit_delay();
  }

  Fabric& fabric() { return fabric_; }
  const ContentionRule& contention_rule() const { return verdicts_.rule(); }

 private:
  Fabric fabric_;
  NetworkInterfaces interfaces_;
  const MessageLog& log_;
  FabricVerdicts verdicts_;
  std::unique_ptr<FlitMovement> movement_;  // null: nobody asked for it
  std::vector<bool> met_errors_;  // which of the listed errors have hit something in the run
  std::vector<bool> met_losses_;  // the same of credits
  std::optional<FlitCrossings> crossings_;  // none: they are not counted
  std::unique_ptr<TimedProcessors> timed_;  // null: there are nodes
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace allport
