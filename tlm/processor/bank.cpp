// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/bank.h"

#include <algorithm>

namespace allport {

Bank::Bank(const sc_core::sc_module_name& name, const NodeConfig& config, const CycleClock& clock,
           Workload& workload, std::size_t nodes)
    : ProcessorHost(name, config, clock, workload), senders_(nodes), turn_at_(nodes, never) {}

void Bank::reset() {
  ProcessorHost::reset();
  std::fill(senders_.begin(), senders_.end(), Sender{});
  std::fill(turn_at_.begin(), turn_at_.end(), never);
  turns_ = {};
  timer_at_ = never;
}

void Bank::call(NodeId node) {
  if (depends_on_receptions()) {
    expect(node, now());
  } else {
    act(node);
  }
}

// As in a Node, all receptions that are due come before anything is sent. Until everything is done
// the timer need not be set for the present cycle, so timer_at_ is that cycle.
void Bank::act() {
  const Cycle present = now();
  while (tlm::tlm_generic_payload* const message = receptions().take(present)) {
    receivers_.push_back(receive(*message));
  }
  for (const NodeId node : receivers_) call(node);
  receivers_.clear();
  while (!turns_.empty() && turns_.top().cycle <= present) {
    const Turn turn = turns_.top();
    turns_.pop();
    if (turn_at_[index(turn.node)] == turn.cycle) act(turn.node);  // otherwise it has acted since
  }
  timer_at_ = never;
  set_timer();
}

void Bank::act(NodeId node) {
  turn_at_[index(node)] = never;
  const Cycle next = begin_messages(senders_[index(node)], node);
  if (next != never) expect(node, next);
}

void Bank::expect(NodeId node, Cycle cycle) {
  turn_at_[index(node)] = cycle;
  turns_.push({cycle, node});
  set_timer();
}

void Bank::set_timer() {
  Cycle next = receptions().next();
  if (!turns_.empty()) next = std::min(next, turns_.top().cycle);
  if (next >= timer_at_) return;
  timer_at_ = next;
  ring_in(next);
}

}  // namespace allport
