// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/node.h"

#include <algorithm>

namespace allport {

Node::Node(const sc_core::sc_module_name& name, const NodeConfig& config, const CycleClock& clock,
           Workload& workload, NodeId node)
    : ProcessorHost(name, config, clock, workload), node_(node) {}

void Node::reset() {
  ProcessorHost::reset();
  sender_ = Sender{};
}

void Node::call(NodeId) {
  if (depends_on_receptions()) {
    timer().notify(sc_core::SC_ZERO_TIME);
  } else {
    act();
  }
}

void Node::act() {
  while (tlm::tlm_generic_payload* const message = receptions().take(now())) receive(*message);
  begin_messages(sender_, node_);
  set_timer();
}

void Node::set_timer() {
  const Cycle next = std::min(receptions().next(), sender_.next(workload(), node_));
  if (next != never) ring_in(next);
}

}  // namespace allport
