// SPDX-License-Identifier: Apache-2.0
// The fabric of routers, flit by flit, with a network interface and a processor module per node.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rtl_model/systemc/fabric.h"
#include "testbench/monitors/contention_monitor.h"
#include "testbench/monitors/route_log.h"
#include "testbench/simulation/machine.h"
#include "tlm/interface/network_interface.h"
#include "tlm/processor/node.h"

namespace allport {

/// Puts other models in the places of routers, before the simulation begins.
using Equip = std::function<void(Fabric&)>;

class FlitMachine final : public Machine {
 public:
  FlitMachine(const MachineParts& parts, CycleObserver& watch, const Equip& equip);

  const CycleClock& clock() const override { return fabric_; }
  void reset() override;
  void call(NodeId node) override { nodes_[index(node)]->call(node); }
  std::string halted() const override { return fabric_.halted(); }
  std::optional<Deadlock> find_deadlock() override;
  void report(int trial, std::size_t max_listed, Contention& contention,
              Contention& reception) override;
  std::uint64_t flit_hops() const override { return fabric_.flit_hops(); }
  const std::vector<Channel>* route_of(MessageId message) const override {
    return is_adaptive_ ? &routes_.of(message) : nullptr;
  }
  Cycle last_movement() const override { return fabric_.last_movement(); }

  Fabric& fabric() { return fabric_; }
  const ContentionRule& contention_rule() const { return contention_.rule(); }

 private:
  const MessageLog& log_;
  Fabric fabric_;
  const bool is_adaptive_;
  RouteLog routes_;  // if it is
  ContentionMonitor contention_;
  std::vector<std::unique_ptr<NetworkInterface>> interfaces_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace allport
