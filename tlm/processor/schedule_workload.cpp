// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/schedule_workload.h"

#include <algorithm>
#include <utility>

namespace allport {

void ScheduleWorkload::reset() {
  for (tlm::tlm_generic_payload* payload : shared_) {
    if (payload != nullptr) payload->release();
  }
  shared_.clear();
  inbox_.clear();
  for (Queue& queue : queues_) {
    while (queue.first != 0) end(queue, {queue.first, 0});
  }
  tasks_.assign(1, Task{});
  free_task_ = 0;
  starts_.clear();
}

void ScheduleWorkload::load(const ProgramTable& plans, BlockMemory* memory) {
  plans_ = &plans;
  memory_ = memory;
  has_begun_.assign(plans.nodes() * plans.collectives(), false);
  queues_.resize(plans.nodes());
  shared_.assign(plans.collectives(), nullptr);
}

void ScheduleWorkload::arm(const std::vector<TimedStart>& starts, MakeMessage make) {
  make_ = std::move(make);
  starts_.resize(plans_->nodes());
  for (const TimedStart& start : starts) starts_[index(start.node)].push_back(start);
  for (std::deque<TimedStart>& own : starts_) {
    Cycle wakes = never;
    for (auto start = own.rbegin(); start != own.rend(); ++start) {
      if (sends_at_once(*start)) wakes = start->cycle;
      start->wakes = wakes;
    }
  }
}

// Whether the node has what its first message carries before it receives anything.
bool ScheduleWorkload::sends_at_once(const TimedStart& start) const {
  const std::vector<PlannedSend>& plan = sends(start.node, start.collective);
  if (plan.empty()) return false;
  const PlannedSend& first = plan.front();
  if (!has_blocks(start.collective)) return first.awaits == 0;
  return memory_->store(start.node, start.collective).can_send(*first.unicast);
}

// Nothing is done for starts at which nothing is sent until the node receives or sends.
Cycle ScheduleWorkload::next_start(NodeId node) const {
  if (starts_.empty() || starts_[index(node)].empty()) return never;
  return starts_[index(node)].front().wakes;
}

// Begins the collectives whose cycle has come.
void ScheduleWorkload::admit(NodeId node, Cycle now) {
  if (starts_.empty()) return;
  std::deque<TimedStart>& own = starts_[index(node)];
  while (!own.empty() && own.front().cycle <= now) {
    const TimedStart start = own.front();
    own.pop_front();
    if (has_blocks(start.collective)) {
      begin(node, start.collective, nullptr, start.cycle);
      continue;
    }
    tlm::tlm_generic_payload& message = make_(node, start.collective);
    begin(node, start.collective, &message, start.cycle);
    message.release();
  }
}

void ScheduleWorkload::on_message(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  admit(node, now);
  const MessageExtension& extension = *message_extension(message);
  if (!has_blocks(extension.collective)) {
    if (plans_->has_steps(static_cast<std::size_t>(extension.collective))) {
      inbox_.receive(node, plans_->sent(extension), message, now);
    }
    begin(node, extension.collective, &message, now);
    return;
  }
  memory_->store(node, extension.collective)
      .receive(*plans_->sent(extension).unicast, message.get_data_ptr(), now);
}

// The first copy starts the plan.
void ScheduleWorkload::begin(NodeId node, int collective, tlm::tlm_generic_payload* payload,
                             Cycle now) {
  const std::size_t at = index(node) * plans_->collectives() + static_cast<std::size_t>(collective);
  if (has_begun_[at]) return;
  has_begun_[at] = true;
  if (sends(node, collective).empty()) return;
  append(node, {collective, 0, 0, payload == nullptr ? nullptr : keep(collective, *payload), now});
}

// A transaction with bytes of its own is kept until the task's last send, a shared one until reset.
tlm::tlm_generic_payload* ScheduleWorkload::keep(int collective,
                                                 tlm::tlm_generic_payload& payload) {
  if (bytes_ == MessageBytes::own) {
    payload.acquire();
    return &payload;
  }
  tlm::tlm_generic_payload*& kept = shared_[static_cast<std::size_t>(collective)];
  if (kept == nullptr) {
    payload.acquire();
    kept = &payload;
  }
  return kept;
}

void ScheduleWorkload::append(NodeId node, const Task& task) {
  std::uint32_t place = free_task_;
  if (place != 0) {
    free_task_ = tasks_[place].behind;
    tasks_[place] = task;
  } else {
    place = static_cast<std::uint32_t>(tasks_.size());
    tasks_.push_back(task);
  }
  Queue& queue = queues_[index(node)];
  (queue.first == 0 ? queue.first : tasks_[queue.last].behind) = place;
  queue.last = place;
}

bool ScheduleWorkload::is_ready(NodeId node, const Task& task) const {
  const PlannedSend& send = sends(node, task.collective)[task.next_send];
  if (task.payload != nullptr) return send.awaits == 0 || inbox_.can_send(node, send);
  return memory_->store(node, task.collective).can_send(*send.unicast);
}

ScheduleWorkload::Turn ScheduleWorkload::ready_task(NodeId node) const {
  Turn turn{queues_[index(node)].first, 0};
  while (turn.task != 0 && !is_ready(node, tasks_[turn.task])) {
    turn = {tasks_[turn.task].behind, turn.task};
  }
  return turn;
}

// A message that is ready is prepared as soon as the processor has started and is free.
Cycle ScheduleWorkload::next_ready(NodeId node) const {
  if (is_stopped()) return never;
  return ready_task(node).task == 0 ? next_start(node) : plans_->start_of(node);
}

// Takes the task out of its queue.
void ScheduleWorkload::end(Queue& queue, const Turn& turn) {
  Task& task = tasks_[turn.task];
  if (task.payload != nullptr && bytes_ == MessageBytes::own) task.payload->release();
  (turn.before == 0 ? queue.first : tasks_[turn.before].behind) = task.behind;
  if (queue.last == turn.task) queue.last = turn.before;
  task.behind = free_task_;
  free_task_ = turn.task;
}

// The message is sent on as it was received: with a copy of its own bytes, because the received
// transaction may be released before the last flit of this one is on its way. Blocks are copied out
// of the store.
tlm::tlm_generic_payload& ScheduleWorkload::message_of(NodeId node, const Task& task,
                                                       const PlannedSend& send) {
  if (task.payload == nullptr) {
    const std::size_t kept = memory_->kept_bytes_of(task.collective, *send.unicast);
    const std::size_t bytes = memory_->bytes_of(task.collective, *send.unicast);
    tlm::tlm_generic_payload& message = pool_.allocate(kept);
    if (kept != bytes) message_extension(message)->stands_for = bytes;
    memory_->store(node, task.collective).read(*send.unicast, message.get_data_ptr());
    return message;
  }
  tlm::tlm_generic_payload* const received =
      send.step > 0 ? inbox_.payload_of(node, send) : nullptr;
  tlm::tlm_generic_payload& payload = received != nullptr ? *received : *task.payload;
  unsigned char* const data = payload.get_data_ptr();
  const unsigned bytes = payload.get_data_length();
  if (bytes_ == MessageBytes::shared) {
    tlm::tlm_generic_payload& message = pool_.allocate_around(data, bytes);
    message_extension(message)->stands_for = message_extension(payload)->stands_for;
    return message;
  }
  tlm::tlm_generic_payload& message = pool_.allocate(bytes);
  std::copy_n(data, bytes, message.get_data_ptr());
  return message;
}

// The cycle in which the node has what `send` depends on, and has started.
Cycle ScheduleWorkload::created(NodeId node, const Task& task, const PlannedSend& send) const {
  const Cycle begun = std::max(task.begun, plans_->start_of(node));
  if (task.payload != nullptr) {
    return send.awaits == 0 ? begun : std::max(begun, inbox_.complete_since(node, send));
  }
  return std::max(begun, memory_->store(node, task.collective).complete_since(*send.unicast));
}

tlm::tlm_generic_payload& ScheduleWorkload::take_next(NodeId node, Cycle now) {
  admit(node, now);
  const Turn turn = ready_task(node);
  Task& task = tasks_[turn.task];
  const std::vector<PlannedSend>& plan = sends(node, task.collective);
  const PlannedSend& send = plan[task.next_send];
  const Cycle created = this->created(node, task, send);
  tlm::tlm_generic_payload& message = message_of(node, task, send);
  message.set_address(index(send.destination));
  MessageExtension& extension = *message_extension(message);
  extension.header() = send.header();
  extension.jitter = send.jitter;
  extension.created = created;
  if (++task.next_send == plan.size()) end(queues_[index(node)], turn);
  return message;
}

}  // namespace allport
