// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/modelled_workload.h"

#include <algorithm>
#include <utility>

#include "tlm/interface/injection_port.h"
#include "tlm/message/message.h"

namespace allport {

void ModelledWorkload::reset() {
  nodes_.clear();
  nodes_.resize(routing_.topology().node_count());
  if (!model_.startup_per_port) return;
  for (Node& node : nodes_) node.ports.resize(static_cast<std::size_t>(router_.internal_ports));
}

Cycle ModelledWorkload::flits_of(const tlm::tlm_generic_payload& message) const {
  return static_cast<Cycle>(allport::flits_of(message, config_.flit_bytes));
}

void ModelledWorkload::on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  const MessageExtension& extension = *message_extension(message);
  const Cycle due =
      model_.receive_occupies ? now : now + model_.takeover(config_.tr, flits_of(message));
  nodes_[index(node)].arrivals.push(
      {due, extension.source, extension.order, extension.collective, &message});
}

void ModelledWorkload::on_sent(NodeId number, tlm::tlm_generic_payload& message, Cycle now) {
  Node& node = nodes_[index(number)];
  Worker& worker =
      node.ports.empty()
          ? node.processor
          : node.ports[static_cast<std::size_t>(message_extension(message)->internal_port)];
  worker.is_sending = false;
  worker.free_at = now;
}

Cycle ModelledWorkload::act(NodeId node, Cycle now, ProcessorHands& hands) {
  const Turn turn{node, nodes_[index(node)], now, hands};
  bool goes_on = true;
  while (goes_on) {
    goes_on = model_.receive_occupies ? take_over(turn) : receive_all(turn);
    goes_on = (turn.node.ports.empty() ? send_next(turn) : send_by_ports(turn)) || goes_on;
  }
  return next(turn);
}

void ModelledWorkload::have(const Turn& turn, tlm::tlm_generic_payload& message) {
  message.acquire();  // the end of the reception would release it
  turn.hands.have(message);
  workload_.on_message(turn.number, message, turn.now);
  message.release();
}

bool ModelledWorkload::receive_all(const Turn& turn) {
  bool has_received = false;
  auto& arrivals = turn.node.arrivals;
  while (!arrivals.empty() && arrivals.top().due <= turn.now) {
    tlm::tlm_generic_payload& message = *arrivals.top().message;
    arrivals.pop();
    have(turn, message);
    has_received = true;
  }
  return has_received;
}

bool ModelledWorkload::take_over(const Turn& turn) {
  Node& node = turn.node;
  if (!node.processor.is_free(turn.now)) return false;
  if (node.taken != nullptr) {
    have(turn, *std::exchange(node.taken, nullptr));
    return true;
  }
  if (node.arrivals.empty()) return false;
  node.taken = node.arrivals.top().message;
  node.arrivals.pop();
  node.processor.free_at = turn.now + model_.takeover(config_.tr, flits_of(*node.taken));
  return true;
}

void ModelledWorkload::send(const Turn& turn, Worker& worker, tlm::tlm_generic_payload& message) {
  const Cycle preparation = config_.ts + model_.ts_per_flit * flits_of(message);
  worker.free_at = turn.now + preparation;
  worker.is_sending = model_.send_blocks;
  turn.hands.send(turn.number, message, preparation);
}

// One message at most: what has come is taken over before the next one.
bool ModelledWorkload::send_next(const Turn& turn) {
  Worker& processor = turn.node.processor;
  if (turn.node.taken != nullptr || !processor.is_free(turn.now)) return false;
  if (workload_.next_ready(turn.number) > turn.now) return false;
  send(turn, processor, workload_.take_next(turn.number, turn.now));
  return true;
}

bool ModelledWorkload::send_by_ports(const Turn& turn) {
  Node& node = turn.node;
  bool has_sent = false;
  while (workload_.next_ready(turn.number) <= turn.now) {
    tlm::tlm_generic_payload& message = workload_.take_next(turn.number, turn.now);
    const int port = injection_port(message, turn.number, router_, routing_);
    node.ports[static_cast<std::size_t>(port)].queue.push_back(&message);
    has_sent = true;
  }
  for (Worker& port : node.ports) {
    while (port.is_free(turn.now) && !port.queue.empty()) {
      tlm::tlm_generic_payload& message = *port.queue.front();
      port.queue.pop_front();
      send(turn, port, message);
      has_sent = true;
    }
  }
  return has_sent;
}

Cycle ModelledWorkload::next(const Turn& turn) const {
  const Node& node = turn.node;
  Cycle next = never;
  const auto when_free = [&](const Worker& worker, Cycle ready) {
    if (!worker.is_sending) next = std::min(next, std::max(worker.free_at, ready));
  };
  if (!model_.receive_occupies && !node.arrivals.empty()) next = node.arrivals.top().due;
  const bool has_to_take = node.taken != nullptr || !node.arrivals.empty();
  if (model_.receive_occupies && has_to_take) when_free(node.processor, turn.now);
  const Cycle ready = workload_.next_ready(turn.number);
  if (ready != never && node.ports.empty()) when_free(node.processor, ready);
  if (ready != never && !node.ports.empty()) next = std::min(next, ready);
  for (const Worker& port : node.ports) {
    if (!port.queue.empty()) when_free(port, turn.now);
  }
  return next;
}

}  // namespace allport
