// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/schedule_node.h"

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

const PlannedSend& ProgramTable::sent(const MessageExtension& extension) const {
  const auto& program = sends(extension.source, static_cast<std::size_t>(extension.collective));
  return *std::partition_point(program.begin(), program.end(), [&](const PlannedSend& send) {
    return send.order < extension.order;
  });
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

void ScheduleNode::load(const ProgramTable& programs, BlockMemory* memory) {
  programs_ = &programs;
  memory_ = memory;
  has_begun_.assign(programs.collectives(), false);
}

void ScheduleNode::start(int collective, tlm::tlm_generic_payload& payload) {
  begin(collective, payload);
  call();
}

void ScheduleNode::start(int collective) {
  if (programs_->sends(node(), static_cast<std::size_t>(collective)).empty()) return;
  tasks_.push_back({collective, 0, nullptr});
  call();
}

void ScheduleNode::on_message(tlm::tlm_generic_payload& message) {
  const MessageExtension& extension = *message_extension(message);
  if (memory_ == nullptr || !memory_->has_blocks(extension.collective)) {
    begin(extension.collective, message);
    return;
  }
  memory_->store(node(), extension.collective)
      .receive(*programs_->sent(extension).unicast, message.get_data_ptr());
}

// The first copy starts the program; the transaction is kept until the program's last send.
void ScheduleNode::begin(int collective, tlm::tlm_generic_payload& payload) {
  const auto at = static_cast<std::size_t>(collective);
  if (has_begun_[at]) return;
  has_begun_[at] = true;
  if (programs_->sends(node(), at).empty()) return;
  payload.acquire();
  tasks_.push_back({collective, 0, &payload});
}

const PlannedSend& ScheduleNode::next_of(const Task& task) const {
  return programs_->sends(node(), static_cast<std::size_t>(task.collective))[task.next];
}

bool ScheduleNode::is_ready(const Task& task) const {
  if (task.payload != nullptr) return true;
  const PlannedSend& send = next_of(task);
  return memory_->store(node(), task.collective).can_send(*send.unicast, send.after);
}

std::optional<Cycle> ScheduleNode::next_ready() const {
  const bool is_any = std::any_of(tasks_.begin(), tasks_.end(),
                                  [this](const Task& task) { return is_ready(task); });
  if (!is_any) return std::nullopt;
  return 0;  // prepared as soon as the processor is free
}

// The message is sent on as it was received: a copy of the bytes, for the received transaction may
// be released before the last flit of this one is on its way. Blocks are copied out of the store.
tlm::tlm_generic_payload& ScheduleNode::message_of(const Task& task, const PlannedSend& send) {
  if (task.payload == nullptr) {
    tlm::tlm_generic_payload& message =
        pool().allocate(memory_->bytes_of(task.collective, *send.unicast));
    memory_->store(node(), task.collective).read(*send.unicast, message.get_data_ptr());
    return message;
  }
  const unsigned bytes = task.payload->get_data_length();
  tlm::tlm_generic_payload& message = pool().allocate(bytes);
  std::copy_n(task.payload->get_data_ptr(), bytes, message.get_data_ptr());
  return message;
}

tlm::tlm_generic_payload& ScheduleNode::take_next() {
  const auto task =
      std::find_if(tasks_.begin(), tasks_.end(), [this](const Task& one) { return is_ready(one); });
  const PlannedSend& send = next_of(*task);
  tlm::tlm_generic_payload& message = message_of(*task, send);
  address(message, send, task->collective, now());

  const auto collective = static_cast<std::size_t>(task->collective);
  if (++task->next == programs_->sends(node(), collective).size()) {
    if (task->payload != nullptr) task->payload->release();
    tasks_.erase(task);
  }
  return message;
}

}  // namespace allport
