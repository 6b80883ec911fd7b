// SPDX-License-Identifier: Apache-2.0
#include "testbench/network/flits/flit_terminal.h"

#include "rtl_model/base/bits.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/router/round_robin.h"

namespace allport {

FlitTerminal::FlitTerminal(Fabric& fabric, NodeId node, FlitTerminalListener& listener)
    : fabric_(fabric), listener_(listener), node_(node), classes_(fabric.config().classes) {
  const RouterConfig& config = fabric.config();
  const auto ports = static_cast<std::size_t>(config.internal_ports);
  const std::size_t places = ports * static_cast<std::size_t>(classes_);
  queues_.assign(places, InjectionQueue<WormRequest>(config.buffer_depth, config.switching));
  unsent_.resize(places);
  turns_.resize(ports);
  heads_.resize(places, -1);
  fabric.attach(node, *this);
}

void FlitTerminal::send(const WormRequest& request) {
  int port = request.port;
  if (port < 0) {
    const Hop hop = fabric_.routing().first_hop(request.kind, request.source, request.destination,
                                                request.ties);
    port = internal_port_of(fabric_.routing().topology(), request.source, hop.port,
                            fabric_.config().internal_ports);
  }
  InjectionQueue<WormRequest>& queue = queues_[place(port, request.message_class)];
  const bool was_idle = queue.is_empty();
  queue.push(request);
  unsent_[place(port, request.message_class)] += request.flits;
  busy_ |= PortMask{1} << port;
  if (was_idle) fabric_.wake(node_, queue.next_start());
}

Flit FlitTerminal::head_of(const WormRequest& message) const {
  Flit head;
  head.head = true;
  head.kind = message.kind;
  head.ties = has_group(message.kind) ? message.group : message.ties;
  head.address = goes_to_all(message.kind) ? message.source : message.destination;
  if (fabric_.config().heads_carry_length())
    head.length = static_cast<std::uint16_t>(message.flits);
  return head;
}

bool FlitTerminal::inject(Cycle now) {
  bool wants_next_cycle = false;
  for (const int port : bits(busy_)) wants_next_cycle |= inject(port, now);
  return wants_next_cycle;
}

// The class whose turn it is puts its next flit on the channel, if no flit of this cycle is there.
// Returns whether a class wants to put one there in the next cycle.
bool FlitTerminal::inject(int port, Cycle now) {
  Turn& turn = turns_[static_cast<std::size_t>(port)];
  std::uint64_t ready = 0;
  for (int one = 0; one < classes_; ++one) {
    if (queues_[place(port, one)].can_send(now)) ready |= std::uint64_t{1} << one;
  }
  if (turn.passed_at == now) return ready != 0;
  if (ready == 0) return false;
  const int chosen = round_robin_choice(ready, turn.pointer);
  turn.pointer = round_robin_next(chosen, classes_);
  turn.passed_at = now;
  pass(port, chosen, now);
  bool wants_next_cycle = false;
  bool is_busy = false;
  for (int one = 0; one < classes_; ++one) {
    const InjectionQueue<WormRequest>& queue = queues_[place(port, one)];
    if (queue.is_empty()) continue;
    is_busy = true;
    if (queue.next_start() <= now + 1) {
      wants_next_cycle = true;
    } else if (one == chosen) {
      fabric_.wake(node_, queue.next_start());
    }
  }
  if (!is_busy) busy_ &= ~(PortMask{1} << port);
  return wants_next_cycle;
}

void FlitTerminal::pass(int port, int message_class, Cycle now) {
  InjectionQueue<WormRequest>& queue = queues_[place(port, message_class)];
  const WormRequest& message = queue.front();
  Flit flit;
  if (queue.is_at_head()) {
    flit = head_of(message);
    listener_.on_head(message.message, now);
  }
  flit.message = message.message;
  flit.tail = queue.is_at_tail();
  flit.vc = static_cast<VcId>(message_class);
  queue.send(now);
  --unsent_[place(port, message_class)];
  fabric_.inject(node_, port, flit);
}

void FlitTerminal::eject(int port, const Flit& flit, Cycle now) {
  Cycle& head = heads_[place(port, static_cast<int>(index(flit.vc)))];
  if (flit.head) head = now;
  if (!flit.tail) return;
  WormReception reception;
  reception.message = flit.message;
  reception.destination = static_cast<std::uint32_t>(index(node_));
  reception.port = port;
  reception.head = head;
  reception.tail = now;
  listener_.on_tail(reception);
}

void FlitTerminal::accept_credit(int port, int vc, Cycle now) {
  InjectionQueue<WormRequest>& queue = queues_[place(port, vc)];
  const bool was_missing = queue.accept_credit();
  if (was_missing && queue.can_send(now)) fabric_.wake(node_, now);
}

void FlitTerminal::accept_ack(int port, int vc, Cycle now) {
  queues_[place(port, vc)].accept_ack();
  fabric_.wake(node_, now);
}

}  // namespace allport
