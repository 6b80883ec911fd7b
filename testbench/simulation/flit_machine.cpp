// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/flit_machine.h"

#include <string>

#include "testbench/monitors/deadlock_finder.h"

namespace allport {

FlitMachine::FlitMachine(const MachineParts& parts, CycleObserver& watch, const Equip& equip)
    : log_(parts.log),
      fabric_("fabric", parts.router, parts.routing, sc_core::sc_time(1, sc_core::SC_NS)),
      is_adaptive_(parts.routing.is_adaptive()),
      routes_(fabric_.config()),
      contention_({parts.log, parts.routing, is_adaptive_ ? &routes_ : nullptr}) {
  const std::size_t nodes = parts.routing.topology().node_count();
  for (std::size_t i = 0; i < nodes; ++i) {
    const NodeId node = node_id(i);
    const std::string number = std::to_string(i);
    interfaces_.push_back(
        std::make_unique<NetworkInterface>(("network_interface_" + number).c_str(), fabric_, node,
                                           parts.log, parts.pool, parts.node.flit_bytes));
    nodes_.push_back(std::make_unique<Node>(("node_" + number).c_str(), parts.node, fabric_,
                                            parts.program, node));
    nodes_.back()->socket.bind(interfaces_.back()->socket);
    interfaces_.back()->observe(&parts.observer);
  }
  if (equip) equip(fabric_);
  fabric_.observe(contention_);
  if (is_adaptive_) fabric_.observe(routes_);
  fabric_.observe(watch);
}

void FlitMachine::reset() {
  fabric_.reset();
  contention_.reset();
  routes_.reset();
  for (const auto& interface : interfaces_) interface->reset();
  for (const auto& node : nodes_) node->reset();
}

std::optional<Deadlock> FlitMachine::find_deadlock() {
  if (fabric_.is_idle()) return std::nullopt;
  Standstill standstill;
  fabric_.observe(standstill);
  fabric_.settle_stalls(deadlock_cycle(fabric_));
  fabric_.dismiss(standstill);
  return allport::find_deadlock(fabric_, interfaces_, log_, contention_, standstill);
}

void FlitMachine::report(int trial, std::size_t max_listed, Contention& contention,
                         Contention& reception) {
  contention_.report(trial, max_listed, contention, reception);
}

}  // namespace allport
