// SPDX-License-Identifier: Apache-2.0
// The transaction-level fabric, worm by worm, with one module for all processors.
#pragma once

#include <algorithm>
#include <memory>

#include "testbench/monitors/contention_monitor.h"
#include "testbench/simulation/machine.h"
#include "tlm/processor/pattern_bank.h"
#include "tlm/processor/schedule_bank.h"
#include "tlm/worm/fabric.h"

namespace allport {

class WormMachine final : public Machine, private WormContentionListener {
 public:
  WormMachine(const MachineParts& parts, CycleObserver& watch);

  const CycleClock& clock() const override { return fabric_; }
  void reset() override;
  void load(const ProgramTable& programs, BlockMemory& memory) override {
    schedule_bank_->load(programs, &memory);
  }
  void start(NodeId node, int collective) override { schedule_bank_->start(node, collective); }
  void start(NodeId source, int collective, tlm::tlm_generic_payload& payload) override {
    schedule_bank_->start(source, collective, payload);
  }
  void start(NodeId node, const MessageSource& messages, std::uint64_t jitter_seed,
             Cycle jitter_max) override {
    pattern_bank_->start(node, messages, jitter_seed, jitter_max);
  }
  std::string halted() const override;
  std::optional<Deadlock> find_deadlock() override { return std::nullopt; }  // unicasts have none
  void report(int trial, std::size_t max_listed, Contention& contention,
              Contention& reception) override;
  std::uint64_t flit_hops() const override { return fabric_.engine().flit_hops(); }
  const std::vector<Channel>* route_of(MessageId) const override { return nullptr; }
  Cycle last_movement() const override { return std::max(fabric_.last_reception() - 1, Cycle{-1}); }

 private:
  void on_contention(NodeId node, int output, MessageId waiting, MessageId holding, Cycle first,
                     Cycle cycles) override;

  WormFabric fabric_;
  ContentionMonitor contention_;
  std::unique_ptr<ScheduleBank> schedule_bank_;  // one of the two
  std::unique_ptr<PatternBank> pattern_bank_;
};

}  // namespace allport
