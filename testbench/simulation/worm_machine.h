// SPDX-License-Identifier: Apache-2.0
// A WormMachine is the transaction-level fabric, worm by worm, with one module for all processors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "testbench/observe/explain/worm_movement.h"
#include "testbench/observe/monitors/contention_monitor.h"
#include "testbench/observe/monitors/crossing_counter.h"
#include "testbench/simulation/machine.h"
#include "tlm/processor/bank.h"
#include "tlm/processor/timed_processors.h"
#include "tlm/worm/fabric.h"

namespace allport {

class WormMachine final : public Machine, private WormContentionListener {
 public:
  WormMachine(const MachineParts& parts, CycleObserver& watch);

  const CycleClock& clock() const override { return fabric_; }
  void begin_run() override { fabric_.begin_run(); }
  void reset(std::uint64_t trial) override;
  void call(NodeId node) override { timed_ ? timed_->call(node) : bank_->call(node); }
  void take(const Received& one) override {
    fabric_.take(one.node, one.port, one.message_class, one.flits);
  }
  void record(Movement& movement) override;
  void count(CrossingCounter& counter) override;
  void end_count() override;
  void settle_movement() override { movement_->settle(fabric_.cycle()); }
  std::string halted() const override { return {}; }
  std::optional<Deadlock> find_deadlock() override;
  void report(int trial, std::size_t max_listed, Contention& contention,
              Contention& reception) override;
  std::uint64_t flit_hops() const override { return fabric_.engine().flit_hops(); }
  ThreadUse thread_use() const override { return {}; }  // worms are moved in order
  Cycle last_movement() const override { return std::max(fabric_.last_reception() - 1, Cycle{-1}); }

 private:
  void on_contention(const WormContention& wait) override;

  WormFabric fabric_;
  const MessageLog& log_;
  ContentionMonitor contention_;
  std::unique_ptr<Bank> bank_;              // null: the processors keep their own time
  std::unique_ptr<TimedProcessors> timed_;  // null: there is a bank
  std::optional<WormMovement> movement_;
  std::optional<WormCrossings> crossings_;  // none: they are not counted
};

}  // namespace allport
