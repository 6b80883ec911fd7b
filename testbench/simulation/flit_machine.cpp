// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/flit_machine.h"

#include <string>

#include "testbench/observe/explain/flit_movement.h"

namespace allport {

namespace {

std::unique_ptr<NetworkInterface> interface_of(const MachineParts& parts, Fabric& fabric,
                                               NodeId node) {
  const std::string name = "network_interface_" + std::to_string(index(node));
  const int flit_bytes = parts.node.flit_bytes;
  if (parts.limits.has_any() || parts.router.classes > 1) {
    return std::make_unique<LimitedInterface>(name.c_str(), fabric, node, parts.log, parts.pool,
                                              flit_bytes, parts.limits);
  }
  return std::make_unique<NetworkInterface>(name.c_str(), fabric, node, parts.log, parts.pool,
                                            flit_bytes);
}

}  // namespace

FlitMachine::FlitMachine(const MachineParts& parts, CycleObserver& watch,
                         const RouterReplacement& replace_routers)
    : fabric_("fabric", parts.router, parts.routing, CycleClock::finest_period(), parts.stop),
      log_(parts.log),
      verdicts_(fabric_, parts.log, interfaces_) {
  const std::size_t nodes = parts.routing.topology().node_count();
  if (parts.keeper != nullptr) {
    timed_ = std::make_unique<TimedProcessors>("processors", fabric_, *parts.keeper, nodes, nodes);
  }
  for (std::size_t i = 0; i < nodes && !is_set(parts.stop); ++i) {
    const NodeId node = node_id(i);
    const std::string number = std::to_string(i);
    interfaces_.push_back(interface_of(parts, fabric_, node));
    interfaces_.back()->observe(parts.observer);
    if (timed_) {
      timed_->socket(node).bind(interfaces_.back()->socket);
      continue;
    }
    nodes_.push_back(std::make_unique<Node>(("node_" + number).c_str(), parts.node, fabric_,
                                            *parts.workload, node));
    nodes_.back()->socket.bind(interfaces_.back()->socket);
  }
  if (replace_routers && !is_set(parts.stop)) replace_routers(fabric_);
  fabric_.observe(watch);
  if (parts.reception_limit > 0) fabric_.limit_reception(parts.reception_limit);
}

FlitMachine::~FlitMachine() = default;

void FlitMachine::record(Movement& movement) {
  movement_ = std::make_unique<FlitMovement>(fabric_, log_, movement);
  fabric_.observe(*movement_);
}

void FlitMachine::count(CrossingCounter& counter) {
  crossings_.emplace(counter, fabric_.config().crossbar_delay);
  fabric_.observe(*crossings_);
}

void FlitMachine::end_count() {
  fabric_.dismiss(*crossings_);
  crossings_.reset();
}

void FlitMachine::reset() {
  fabric_.reset();
  verdicts_.reset();
  if (movement_) movement_->reset();
  for (const auto& interface : interfaces_) interface->reset();
  for (const auto& node : nodes_) node->reset();
  if (timed_) timed_->reset();
}

}  // namespace allport
