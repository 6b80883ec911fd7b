// SPDX-License-Identifier: Apache-2.0
#include "tlm/schedule_node.h"

#include <algorithm>

namespace allport {

ProgramTable::ProgramTable(std::size_t nodes, std::size_t collectives)
    : collectives_(collectives), sends_(nodes * collectives) {}

std::vector<PlannedSend>& ProgramTable::sends(NodeId node, std::size_t collective) {
  return sends_[index(node) * collectives_ + collective];
}

const std::vector<PlannedSend>& ProgramTable::sends(NodeId node, std::size_t collective) const {
  return sends_[index(node) * collectives_ + collective];
}

void address(tlm::tlm_generic_payload& message, const PlannedSend& send, int collective,
             Cycle now) {
  message.set_address(index(send.destination));
  MessageExtension& extension = *message_extension(message);
  extension.kind = send.kind;
  extension.ties = send.ties;
  extension.via = send.via;
  extension.collective = collective;
  extension.order = send.order;
  extension.jitter = send.jitter;
  extension.created = now;
}

void ScheduleNode::reset() {
  Node::reset();
  tasks_.clear();
  has_begun_.assign(has_begun_.size(), false);
}

void ScheduleNode::load(const ProgramTable& programs) {
  programs_ = &programs;
  has_begun_.assign(programs.collectives(), false);
}

void ScheduleNode::start(int collective, tlm::tlm_generic_payload& payload) {
  begin(collective, payload);
  act();
}

void ScheduleNode::on_message(tlm::tlm_generic_payload& message) {
  begin(message_extension(message)->collective, message);
}

// The first copy starts the program; the transaction is kept until the program's last send.
void ScheduleNode::begin(int collective, tlm::tlm_generic_payload& payload) {
  const auto at = static_cast<std::size_t>(collective);
  if (has_begun_[at]) return;
  has_begun_[at] = true;
  if (programs_->sends(node(), at).empty()) return;
  payload.acquire();
  tasks_.push({collective, 0, &payload});
}

std::optional<Cycle> ScheduleNode::next_ready() const {
  if (tasks_.empty()) return std::nullopt;
  return 0;  // prepared as soon as the processor is free
}

tlm::tlm_generic_payload& ScheduleNode::take_next() {
  Task& task = tasks_.front();
  const auto& sends = programs_->sends(node(), static_cast<std::size_t>(task.collective));
  const PlannedSend& send = sends[task.next];

  // The message is sent on as it was received: a copy of the bytes, for the received transaction
  // may be released before the last flit of this one is on its way.
  const unsigned bytes = task.payload->get_data_length();
  tlm::tlm_generic_payload& message = pool().allocate(bytes);
  std::copy_n(task.payload->get_data_ptr(), bytes, message.get_data_ptr());
  address(message, send, task.collective, now());

  if (++task.next == sends.size()) {
    task.payload->release();
    tasks_.pop();
  }
  return message;
}

}  // namespace allport
