// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/schedule_bank.h"

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

void ScheduleBank::load(const ProgramTable& programs) {
  programs_ = &programs;
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
  act(number);
}

void ScheduleBank::on_message(std::uint32_t node, tlm::tlm_generic_payload& message) {
  begin(node, message_extension(message)->collective);
}

// The first copy starts the program.
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

// Prepared as soon as the processor is free.
Cycle ScheduleBank::next_ready(std::uint32_t node) const {
  return queues_[node].first == 0 ? never : 0;
}

tlm::tlm_generic_payload& ScheduleBank::take_next(std::uint32_t node) {
  const std::uint32_t at = queues_[node].first;
  Task& task = tasks_[at];
  const auto collective = static_cast<std::size_t>(task.collective);
  const std::vector<PlannedSend>& sends = programs_->sends(node_id(node), collective);
  const PlannedSend& send = sends[task.next_send];

  tlm::tlm_generic_payload& message = pool().allocate(0);
  message.set_data_ptr(payloads_[collective]->get_data_ptr());
  message.set_data_length(payloads_[collective]->get_data_length());
  message.set_streaming_width(payloads_[collective]->get_data_length());
  address(message, send, task.collective, now());

  if (++task.next_send == sends.size()) {
    queues_[node].first = task.behind;
    task.behind = free_task_;
    free_task_ = at;
  }
  return message;
}

}  // namespace allport
