// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/worm_machine.h"

namespace allport {

WormMachine::WormMachine(const MachineParts& parts, CycleObserver& watch)
    : fabric_("fabric", parts.router, parts.routing, sc_core::sc_time(1, sc_core::SC_NS), parts.log,
              parts.pool, parts.node.flit_bytes),
      contention_({parts.log, parts.routing}) {
  const std::size_t nodes = parts.routing.topology().node_count();
  if (parts.has_pattern_nodes) {
    pattern_bank_ =
        std::make_unique<PatternBank>("processors", parts.node, fabric_, parts.pool, nodes);
    pattern_bank_->socket.bind(fabric_.socket());
  } else {
    schedule_bank_ =
        std::make_unique<ScheduleBank>("processors", parts.node, fabric_, parts.pool, nodes);
    schedule_bank_->socket.bind(fabric_.socket());
  }
  fabric_.observe(&parts.observer);
  fabric_.observe(static_cast<WormContentionListener*>(this));
  fabric_.add(&watch);
}

void WormMachine::reset() {
  fabric_.reset();
  contention_.reset();
  if (schedule_bank_) schedule_bank_->reset();
  if (pattern_bank_) pattern_bank_->reset();
}

std::string WormMachine::halted() const {
  if (fabric_.engine().is_idle()) return {};
  return "the fabric of worms stands still although messages are under way";
}

void WormMachine::on_contention(NodeId node, int output, MessageId waiting, MessageId holding,
                                Cycle first, Cycle cycles) {
  contention_.count(fabric_.config(), {node, output, waiting, holding}, first, cycles);
}

void WormMachine::report(int trial, std::size_t max_listed, Contention& contention,
                         Contention& reception) {
  contention_.report(trial, max_listed, contention, reception);
}

}  // namespace allport
