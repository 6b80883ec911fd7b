// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/schedule_bank.h"

namespace allport {

void ScheduleBank::reset() {
  ProcessorBank::reset();
  for (tlm::tlm_generic_payload* payload : payloads_) {
    if (payload != nullptr) payload->release();
  }
  payloads_.clear();
  queues_.assign(nodes(), Queue{});
  tasks_.assign(1, Task{});
  free_task_ = 0;
}

void ScheduleBank::load(const ProgramTable& programs, BlockMemory* memory) {
  programs_ = &programs;
  memory_ = memory;
  has_begun_.assign(nodes() * programs.collectives(), false);
  payloads_.assign(programs.collectives(), nullptr);
}

void ScheduleBank::start(NodeId node, int collective, tlm::tlm_generic_payload& payload) {
  tlm::tlm_generic_payload*& kept = payloads_[static_cast<std::size_t>(collective)];
  if (kept == nullptr) {
    payload.acquire();
    kept = &payload;
  }
  const auto number = static_cast<std::uint32_t>(index(node));
  begin(number, collective);
  call(number);
}

void ScheduleBank::start(NodeId node, int collective) {
  const auto number = static_cast<std::uint32_t>(index(node));
  begin(number, collective);
  call(number);
}

void ScheduleBank::on_message(std::uint32_t node, tlm::tlm_generic_payload& message) {
  const MessageExtension& extension = *message_extension(message);
  if (memory_ == nullptr || !memory_->has_blocks(extension.collective)) {
    begin(node, extension.collective);
    return;
  }
  memory_->store(node_id(node), extension.collective)
      .receive(*programs_->sent(extension).unicast, message.get_data_ptr());
}

// The first copy starts the program, or the beginning of a collective of blocks.
void ScheduleBank::begin(std::uint32_t node, int collective) {
  const std::size_t at = node * programs_->collectives() + static_cast<std::size_t>(collective);
  if (has_begun_[at]) return;
  has_begun_[at] = true;
  if (programs_->sends(node_id(node), static_cast<std::size_t>(collective)).empty()) return;
  std::uint32_t task = free_task_;
  if (task != 0) {
    free_task_ = tasks_[task].behind;
  } else {
    task = static_cast<std::uint32_t>(tasks_.size());
    tasks_.emplace_back();
  }
  tasks_[task] = {collective, 0, 0};
  Queue& queue = queues_[node];
  if (queue.first == 0) {
    queue.first = task;
  } else {
    tasks_[queue.last].behind = task;
  }
  queue.last = task;
}

bool ScheduleBank::is_ready(std::uint32_t node, const Task& task) const {
  if (memory_ == nullptr || !memory_->has_blocks(task.collective)) return true;
  const auto collective = static_cast<std::size_t>(task.collective);
  const PlannedSend& send = programs_->sends(node_id(node), collective)[task.next_send];
  return memory_->store(node_id(node), task.collective).can_send(*send.unicast, send.after);
}

ScheduleBank::Turn ScheduleBank::ready_task(std::uint32_t node) const {
  Turn turn{queues_[node].first, 0};
  while (turn.task != 0 && !is_ready(node, tasks_[turn.task])) {
    turn = {tasks_[turn.task].behind, turn.task};
  }
  return turn;
}

// Takes the task out of its queue.
void ScheduleBank::end(std::uint32_t node, const Turn& turn) {
  Task& task = tasks_[turn.task];
  Queue& queue = queues_[node];
  (turn.before == 0 ? queue.first : tasks_[turn.before].behind) = task.behind;
  if (queue.last == turn.task) queue.last = turn.before;
  task.behind = free_task_;
  free_task_ = turn.task;
}

// Prepared as soon as the processor is free.
Cycle ScheduleBank::next_ready(std::uint32_t node) const {
  return ready_task(node).task == 0 ? never : 0;
}

tlm::tlm_generic_payload& ScheduleBank::message_of(std::uint32_t node, const Task& task,
                                                   const PlannedSend& send) {
  if (send.unicast != nullptr) {
    tlm::tlm_generic_payload& message =
        pool().allocate(memory_->bytes_of(task.collective, *send.unicast));
    memory_->store(node_id(node), task.collective).read(*send.unicast, message.get_data_ptr());
    return message;
  }
  const tlm::tlm_generic_payload& kept = *payloads_[static_cast<std::size_t>(task.collective)];
  tlm::tlm_generic_payload& message = pool().allocate(0);
  message.set_data_ptr(kept.get_data_ptr());
  message.set_data_length(kept.get_data_length());
  message.set_streaming_width(kept.get_data_length());
  return message;
}

tlm::tlm_generic_payload& ScheduleBank::take_next(std::uint32_t node) {
  const Turn turn = ready_task(node);
  Task& task = tasks_[turn.task];
  const auto collective = static_cast<std::size_t>(task.collective);
  const std::vector<PlannedSend>& sends = programs_->sends(node_id(node), collective);
  const PlannedSend& send = sends[task.next_send];
  tlm::tlm_generic_payload& message = message_of(node, task, send);
  address(message, send, task.collective, now());
  if (++task.next_send == sends.size()) end(node, turn);
  return message;
}

}  // namespace allport
