// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/step_assignment.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/graphs/node_ports.h"
#include "traffic/schedule/aware_steps.h"

namespace allport {

void require_internal_ports(int internal_ports, const Topology& topology) {
  if (internal_ports >= 1 &&
      static_cast<std::size_t>(internal_ports) <= topology.node_port_count()) {
    return;
  }
  throw std::invalid_argument(
      std::to_string(internal_ports) + " internal ports: the number must be 1.." +
      std::to_string(topology.node_port_count()) + " on " + topology.name());
}

StepAssignment::StepAssignment(const Routing& routing, int internal_ports, StepRule rule)
    : routing_(routing),
      internal_ports_(internal_ports),
      rule_(rule),
      last_step_(static_cast<std::size_t>(internal_ports)) {
  if (rule == StepRule::aware) chain_index_.resize(routing.topology().node_count());
}

void StepAssignment::begin(NodeId sender, StepIndex received, std::size_t chain_index) {
  if (!source_) source_ = sender;
  if (rule_ == StepRule::aware) chain_index_[index(sender)] = chain_index;
  sender_ = sender;
  order_ = 0;
  last_step_.assign(last_step_.size(), received);
}

StepIndex StepAssignment::send(NodeId destination) {
  heed_stop();
  const TieMask ties = routing_.default_ties(sender_, destination, order_);
  const PortId first_channel = routing_.route(sender_, destination, ties)->port;
  const int port = internal_port_of(routing_.topology(), sender_, first_channel, internal_ports_);
  StepIndex& step = last_step_[static_cast<std::size_t>(port)];
  Unicast unicast;
  unicast.u = sender_;
  unicast.v = destination;
  unicast.step = ++step;
  unicast.order = order_++;
  if (ties != 0) set_ties(unicast, ties, routing_);
  schedule_.unicasts.push_back(std::move(unicast));
  return step;
}

Schedule StepAssignment::take() {
  if (rule_ == StepRule::aware && source_) {
    assign_aware_steps(schedule_, routing_, internal_ports_, *source_, chain_index_);
  }
  schedule_.sort();
  return std::move(schedule_);
}

}  // namespace allport
