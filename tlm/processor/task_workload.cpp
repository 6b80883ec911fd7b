// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/task_workload.h"

#include <algorithm>
#include <utility>

#include "rtl_model/base/run_end.h"
#include "rtl_model/graphs/node_ports.h"

namespace allport {

namespace {

bool has_names(const TaskGraph& graph) {
  return std::any_of(graph.tasks.begin(), graph.tasks.end(),
                     [](const Task& task) { return task.order != no_order; });
}

std::uint64_t bytes_of(const Task& send) { return std::max<std::uint64_t>(send.amount, 1); }

bool has_any(const TaskGraph& graph) {
  return std::any_of(graph.tasks.begin(), graph.tasks.end(), [](const Task& task) {
    return task.kind == TaskKind::receive && (task.peer == any_rank || task.tag == any_tag);
  });
}

}  // namespace

void TaskWorkload::load(const TaskGraph& graph, std::vector<NodeId> nodes, HostLink* host) {
  graph_ = &graph;
  host_ = host;
  nodes_ = std::move(nodes);
  const std::size_t node_count = machine_.routing.topology().node_count();
  if (graph.host) nodes_.push_back(node_id(node_count));
  rank_at_.assign(node_count + 1, no_rank);
  for (std::uint32_t rank = 0; rank < graph.parties(); ++rank) rank_at_[index(nodes_[rank])] = rank;
  cpus_.assign(graph.parties(), 1);
  first_send_.assign(graph.parties() + 1, 0);
  order_.assign(graph.tasks.size(), 0);
  for (std::size_t i = 0; i < graph.tasks.size(); ++i) {
    const Task& task = graph.tasks[i];
    cpus_[task.rank] = std::max<std::uint16_t>(cpus_[task.rank], task.cpu + 1);
    if (task.kind == TaskKind::send) order_[i] = first_send_[task.rank + 1]++;
  }
  for (std::size_t rank = 0; rank < graph.parties(); ++rank) {
    first_send_[rank + 1] += first_send_[rank];
  }
  sends_.resize(first_send_.back());
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
    const Task& task = graph.tasks[i];
    if (task.kind == TaskKind::send) sends_[first_send_[task.rank] + order_[i]] = i;
  }
  has_names_ = has_names(graph);
  call_of_.assign(graph.collectives.empty() ? 0 : graph.tasks.size(), UINT32_MAX);
  for (std::uint32_t i = 0; i < graph.collectives.size(); ++i) {
    for (const auto& [begin, end] : graph.collectives[i].calls) {
      call_of_[begin] = 2 * i;
      call_of_[end] = 2 * i + 1;
    }
  }
  settle_order();
}

// Whether it is a send that its rank leaves to a port.
bool TaskWorkload::only_hands_over(const TaskDependency& one) const {
  const bool is_left = one.is_order && (one.on_start || !machine_.model.send_blocks);
  return has_ports() && is_left && is_prepared_by_port(task(one.on));
}

// Ports prepare messages beside each other: what comes after a send of another port in the program
// of its rank waits no longer than that send waits for others.
void TaskWorkload::settle_order() {
  const std::size_t count = graph_->tasks.size();
  std::vector<TaskDependency> dependencies;
  std::vector<TaskDependency> followers;
  std::vector<TaskDependency> queued;
  std::vector<std::uint32_t> before(has_ports() ? count : 0, no_task);  // in its program
  for (const TaskDependency& one : graph_->dependencies) {
    if (only_hands_over(one)) before[one.task] = one.on;
  }
  for (const TaskDependency& one : graph_->dependencies) {
    if (!only_hands_over(one)) {
      dependencies.push_back(one);
      continue;
    }
    followers.push_back(one);
    const std::size_t worker = worker_of(task(one.task));
    std::uint32_t last = one.on;  // of the same port
    while (last != no_task && worker_of(task(last)) != worker) last = before[last];
    if (last != no_task) queued.push_back({one.task, last, true});
  }
  waits_.assign(count, 0);
  for (const TaskDependency& one : dependencies) ++waits_[one.task];
  for (const TaskDependency& one : followers) ++waits_[one.task];
  queues_.assign(count, 0);
  for (const TaskDependency& one : queued) ++queues_[one.task];
  dependents_ = Dependents(count, dependencies);
  followers_ = Dependents(count, followers);
  queued_ = Dependents(count, queued);
}

void TaskWorkload::reset() {
  if (graph_ == nullptr) return;
  open_ = waits_;
  ahead_ = queues_;
  states_.assign(graph_->tasks.size(), TaskState::waiting);
  ranks_.clear();
  ranks_.resize(graph_->parties());
  const auto ports = has_ports() ? static_cast<std::size_t>(machine_.router.internal_ports) : 0;
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    ranks_[rank].workers.resize(cpus_[rank] + ports);
  }
  for (std::uint32_t i = 0; i < graph_->tasks.size(); ++i) {
    if (waits_[i] == 0) add_ready(ranks_[task(i).rank], i, 0);
  }
  sent_.clear();
  held_.clear();
  free_held_.clear();
  taken_.clear();
  has_any_ = has_any(*graph_);
  matching_.reset(has_any_);
  tickets_.assign(sends_.size(), Matching::none);
  takers_.assign(has_any_ ? graph_->tasks.size() : 0, UINT32_MAX);
  too_long_ = {};
  came_ = 0;
  calls_.clear();
  for (const TaskCollective& one : graph_->collectives) {
    calls_.push_back({never, 0, one.calls.size()});
  }
  ended_ = 0;
}

std::string TaskWorkload::problem() const {
  if (too_long_.receive == UINT32_MAX) return {};
  return length_fault(*graph_, task(too_long_.send), task(too_long_.receive));
}

Cycle TaskWorkload::makespan() const {
  Cycle last = 0;
  for (const Rank& rank : ranks_) last = std::max(last, rank.clock.times().end);
  return last;
}

std::size_t TaskWorkload::flits(const Task& send) const {
  return static_cast<std::size_t>((bytes_of(send) - 1) /
                                  static_cast<unsigned>(machine_.node.flit_bytes)) +
         1;
}

TieMask TaskWorkload::ties_of(std::uint32_t number) const {
  const Task& send = task(number);
  if (send.ties != default_ties) return send.ties;
  return machine_.routing.default_ties(nodes_[send.rank], nodes_[send.peer], name_of(number));
}

// A message that leaves by no port is prepared by its processor.
std::size_t TaskWorkload::worker_of(const Task& task) const {
  if (!has_ports() || task.kind != TaskKind::send || task.peer == task.rank) return task.cpu;
  if (graph_->uses_host(task)) return task.cpu;
  const NodeId node = nodes_[task.rank];
  int port = task.nic;
  if (task.nic == any_nic) {
    const TieMask ties = ties_of(static_cast<std::uint32_t>(&task - graph_->tasks.data()));
    port = static_cast<int>(index(
        machine_.routing.first_hop(MessageKind::unicast, node, nodes_[task.peer], ties).port));
  }
  const int ports =
      internal_ports_of(machine_.routing.topology(), node, machine_.router.internal_ports);
  return cpus_[task.rank] + static_cast<std::size_t>(port % ports);
}

Cycle TaskWorkload::takeover(std::uint32_t held) const {
  const Task& send = task(held_[held].send);
  if (graph_->uses_host(send)) return 0;
  return machine_.model.takeover(machine_.node.tr, static_cast<Cycle>(flits(send)));
}

std::uint32_t TaskWorkload::hold(tlm::tlm_generic_payload* message, std::uint32_t send) {
  std::uint32_t place = 0;
  if (free_held_.empty()) {
    place = static_cast<std::uint32_t>(held_.size());
    held_.emplace_back();
  } else {
    place = free_held_.back();
    free_held_.pop_back();
  }
  held_[place] = {message, send, 0};
  return place;
}

// Whether it is taken over by a delay or by a processor, a message is there for receives tr cycles
// after its tail, or at once.
void TaskWorkload::on_arrival(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  const MessageExtension& extension = *message_extension(message);
  const std::uint32_t from = rank_at_[index(extension.source)];
  const std::uint32_t send = send_of(extension);
  const std::uint32_t held = hold(&message, send);
  const Cycle due = machine_.model.receive_occupies ? now : now + takeover(held);
  ranks_[rank_at_[index(node)]].events.push(
      {due, std::uint64_t{from} << 32 | order_[send], What::arrival, held});
}

void TaskWorkload::on_sent(NodeId node, tlm::tlm_generic_payload& message, Cycle now) {
  const std::uint32_t rank = rank_at_[index(node)];
  ranks_[rank].events.push({now, send_of(*message_extension(message)), What::end});
}

Cycle TaskWorkload::act(NodeId node, Cycle now, ProcessorHands& hands) {
  const std::uint32_t number = rank_at_[index(node)];
  if (number == no_rank) return never;
  Rank& rank = ranks_[number];
  const Turn turn{rank, now, hands};
  do {
    while (!rank.events.empty() && rank.events.top().cycle <= now) {
      const Event event = rank.events.top();
      rank.events.pop();
      happen(turn, event);
    }
  } while (start_all(turn));
  return rank.events.empty() ? never : rank.events.top().cycle;
}

void TaskWorkload::happen(const Turn& turn, const Event& event) {
  const auto number = static_cast<std::uint32_t>(event.key);
  switch (event.what) {
    case What::arrival:
      arrive(turn, event.held);
      return;
    case What::end: {
      const Task& one = task(number);
      turn.rank.workers[worker_of(one)].is_busy = false;
      const bool computes = one.kind == TaskKind::compute;
      turn.rank.clock.change(turn.now, computes ? -1 : 0, computes ? 0 : -1);
      if (one.kind == TaskKind::send && graph_->uses_host(one)) end_transfer(turn, number);
      end(turn, number);
      return;
    }
    case What::ready:
      ready(turn, number);
      return;
  }
}

void TaskWorkload::arrive(const Turn& turn, std::uint32_t held) {
  held_[held].came = came_++;
  InOrder in_order(held_[held].message);
  matching_.arrive(
      tickets_[place_of(held_[held].send)], held,
      [&](std::uint32_t one) {
        if (!machine_.model.receive_occupies) in_order.have(held_[one].message, turn.hands);
      },
      [&](std::uint32_t receive, std::uint32_t one) { match(turn, receive, one); });
}

// The task waits for no other one any more, but perhaps for its cycle.
void TaskWorkload::add_ready(Rank& rank, std::uint32_t number, Cycle now) {
  opened_.push_back(number);
  while (!opened_.empty()) {
    const std::uint32_t one = opened_.back();
    opened_.pop_back();
    rank.events.push({std::max(now, task(one).at), one, What::ready});
    for (const auto* next = followers_.begin(one); next != followers_.end(one); ++next) {
      if (--open_[next->task] == 0) opened_.push_back(next->task);
    }
  }
}

void TaskWorkload::release(Rank& rank, std::uint32_t number, Cycle now, bool at_start) {
  for (const auto* one = dependents_.begin(number); one != dependents_.end(number); ++one) {
    if ((one->on_start != 0) != at_start) continue;
    if (--open_[one->task] == 0) add_ready(rank, one->task, now);
  }
}

void TaskWorkload::ready(const Turn& turn, std::uint32_t number) {
  const Task& one = task(number);
  if (one.kind != TaskKind::receive) {
    states_[number] = TaskState::ready;
    if (has_ports() && is_prepared_by_port(one)) note_sent(number, turn.now);
    if (ahead_[number] == 0) enqueue(turn.rank, number);
    return;
  }
  states_[number] = TaskState::started;
  release(turn.rank, number, turn.now, true);
  const std::uint32_t held =
      matching_.post(Matching::context(one.rank, one.is_of_collective), one.peer, one.tag, number);
  if (held != Matching::none) match(turn, number, held);
}

// A processor has sent a message when it begins to prepare it, or leaves it to a port.
void TaskWorkload::note_sent(std::uint32_t number, Cycle now) {
  const Task& send = task(number);
  tickets_[place_of(number)] = matching_.send(Matching::context(send.peer, send.is_of_collective),
                                              send.rank, send.tag, {now, order_[number]});
}

void TaskWorkload::enqueue(Rank& rank, std::uint32_t number) {
  rank.workers[worker_of(task(number))].ready.push({turn_of(number), UINT32_MAX, number});
}

void TaskWorkload::match(const Turn& turn, std::uint32_t receive, std::uint32_t held) {
  const std::uint32_t send = held_[held].send;
  if (has_any_) takers_[send] = receive;
  if (task(send).amount > task(receive).amount && receive < too_long_.receive) {
    too_long_ = {receive, send};
  }
  if (machine_.model.receive_occupies) {
    taken_[receive] = held;
    turn.rank.workers[task(receive).cpu].ready.push({turn_of(receive), held_[held].came, receive});
    return;
  }
  free_held_.push_back(held);
  end(turn, receive);
}

void TaskWorkload::end(const Turn& turn, std::uint32_t number) {
  if (const auto taken = taken_.find(number); taken != taken_.end()) {
    Held& held = held_[taken->second];
    if (held.message != nullptr) turn.hands.have(*std::exchange(held.message, nullptr));
    free_held_.push_back(taken->second);
    taken_.erase(taken);
  }
  states_[number] = TaskState::ended;
  ++ended_;
  turn.rank.clock.end(turn.now);
  release(turn.rank, number, turn.now, false);
}

bool TaskWorkload::start_all(const Turn& turn) {
  bool has_started = false;
  for (Worker& worker : turn.rank.workers) {
    if (worker.is_busy || worker.ready.empty()) continue;
    const std::uint32_t number = worker.ready.top().number;
    worker.ready.pop();
    worker.is_busy = true;
    has_started = true;
    start(turn, number);
  }
  return has_started;
}

// A call begins, or is over.
void TaskWorkload::note_call(std::uint32_t number, Cycle now) {
  if (call_of_.empty() || call_of_[number] == UINT32_MAX) return;
  CallTimes& calls = calls_[call_of_[number] / 2];
  calls.first = std::min(calls.first, now);
  calls.last = std::max(calls.last, now);
  calls.open -= call_of_[number] % 2;
}

void TaskWorkload::start(const Turn& turn, std::uint32_t number) {
  const Task& one = task(number);
  if (one.kind == TaskKind::compute) {
    note_call(number, turn.now);
    turn.rank.clock.change(turn.now, 1, 0);
    turn.rank.events.push({turn.now + static_cast<Cycle>(one.amount), number, What::end});
  } else {
    turn.rank.clock.change(turn.now, 0, 1);
    if (one.kind == TaskKind::send) {
      start_send(turn, number);
    } else {  // takes its message over; its start was when it was posted
      turn.rank.events.push({turn.now + takeover(taken_.at(number)), number, What::end});
      return;
    }
  }
  states_[number] = TaskState::started;
  release(turn.rank, number, turn.now, true);
  for (const auto* next = queued_.begin(number); next != queued_.end(number); ++next) {
    const bool is_next = --ahead_[next->task] == 0 && states_[next->task] == TaskState::ready;
    if (is_next) enqueue(turn.rank, next->task);
  }
}

void TaskWorkload::start_send(const Turn& turn, std::uint32_t number) {
  const Task& send = task(number);
  if (!has_ports() || !is_prepared_by_port(send)) note_sent(number, turn.now);
  if (graph_->uses_host(send)) return start_transfer(turn, number);
  const Cycle preparation =
      machine_.node.ts + machine_.model.ts_per_flit * static_cast<Cycle>(flits(send));
  const Cycle prepared = turn.now + preparation;
  if (send.peer == send.rank) {  // it stays in the memory of its rank
    const std::uint32_t held = hold(nullptr, number);
    const Cycle due = machine_.model.receive_occupies ? prepared : prepared + takeover(held);
    turn.rank.events.push(
        {due, std::uint64_t{send.rank} << 32 | order_[number], What::arrival, held});
  } else {
    send_message(turn, number, preparation);
    if (machine_.model.send_blocks) return;
  }
  turn.rank.events.push({prepared, number, What::end});
}

// The sender is busy until the host's channel has carried the bytes.
void TaskWorkload::start_transfer(const Turn& turn, std::uint32_t number) {
  const Cycle taken = host_->carry(static_cast<std::size_t>(task(number).amount));
  turn.rank.events.push({sum_of_times(turn.now, taken), number, What::end});
}

// They are there then: the receiver acts when the sender has.
void TaskWorkload::end_transfer(const Turn& turn, std::uint32_t number) {
  const Task& send = task(number);
  ranks_[send.peer].events.push({turn.now, std::uint64_t{send.rank} << 32 | order_[number],
                                 What::arrival, hold(nullptr, number)});
  turn.hands.expect(nodes_[send.peer], turn.now);
}

// What its message is called by at its rank.
int TaskWorkload::name_of(std::uint32_t send) const {
  const std::uint32_t given = task(send).order;
  return static_cast<int>(given == no_order ? order_[send] : given);
}

// Names are not always places, and two messages may have the same one.
void TaskWorkload::send_message(const Turn& turn, std::uint32_t number, Cycle preparation) {
  tlm::tlm_generic_payload& message = message_of(number, turn.now);
  if (!has_names_) return turn.hands.send(nodes_[task(number).rank], message, preparation);
  message.acquire();
  sending_ = number;
  turn.hands.send(nodes_[task(number).rank], message, preparation);
  const auto id = static_cast<std::size_t>(message_extension(message)->id);
  if (id >= sent_.size()) sent_.resize(id + 1, no_task);
  sent_[id] = number;
  message.release();
}

// The tail of a lone flit may leave before the call returns that sends it.
std::uint32_t TaskWorkload::send_of(const MessageExtension& message) const {
  const auto id = static_cast<std::size_t>(message.id);
  if (has_names_) return id < sent_.size() ? sent_[id] : sending_;
  const std::uint32_t rank = rank_at_[index(message.source)];
  return sends_[first_send_[rank] + static_cast<std::uint32_t>(message.order)];
}

tlm::tlm_generic_payload& TaskWorkload::message_of(std::uint32_t number, Cycle now) {
  const Task& send = task(number);
  const std::uint64_t bytes = bytes_of(send);
  const bool is_symbolic = bytes_ == MessageBytes::shared;
  tlm::tlm_generic_payload& message = is_symbolic
                                          ? machine_.pool.allocate_around(&shared_, 1)
                                          : machine_.pool.allocate(static_cast<std::size_t>(bytes));
  MessageExtension& extension = *message_extension(message);
  if (is_symbolic) {
    extension.stands_for = bytes;
  } else {
    fill_payload(message, std::uint64_t{send.rank} << 32 | order_[number]);
  }
  message.set_address(index(nodes_[send.peer]));
  extension.order = name_of(number);
  extension.ties = ties_of(number);
  if (send.nic != any_nic) extension.injection = send.nic;
  extension.message_class = send.message_class;
  extension.created = now;
  return message;
}

}  // namespace allport
