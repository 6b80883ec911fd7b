// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/task_standstill.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "rtl_model/base/circle.h"
#include "traffic/tasks/task_check.h"

namespace allport {

namespace {

class Waits {
 public:
  Waits(const TaskGraph& graph, const TaskStates& states, const TaskTakers& takers)
      : graph_(graph), states_(states), takers_(takers) {
    waits_for_.assign(graph.tasks.size(), no_task);
    for (const TaskDependency& one : graph.dependencies) {
      const TaskState on = states[one.on];
      const bool is_over = one.on_start ? on >= TaskState::started : on == TaskState::ended;
      if (!is_over && waits_for_[one.task] == no_task) waits_for_[one.task] = one.on;
    }
    for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
      if (graph.tasks[i].kind == TaskKind::send && states[i] <= TaskState::ready) {
        unsent_[graph.tasks[i].peer].push_back(i);
      }
    }
  }

  // The receive at which `task` waits in the end.
  std::uint32_t receive_of(std::uint32_t task) const {
    while (waits_for_[task] != no_task) task = waits_for_[task];
    return task;
  }
  // A send that is still to come and that `receive` can take.
  std::uint32_t send_for(std::uint32_t receive) const {
    const auto found = unsent_.find(graph_.tasks[receive].rank);
    if (found == unsent_.end()) return no_task;
    const auto send = std::find_if(
        found->second.begin(), found->second.end(),
        [&](std::uint32_t one) { return can_match(graph_.tasks[one], graph_.tasks[receive]); });
    return send == found->second.end() ? no_task : *send;
  }

  // Who took a message that `receive` waits for: rather a receive that took it as one of many.
  std::uint32_t taker_for(std::uint32_t receive) const {
    std::uint32_t taker = no_task;
    for (std::uint32_t i = 0; i < takers_.size(); ++i) {
      if (takers_[i] == no_task || !can_match(graph_.tasks[i], graph_.tasks[receive])) continue;
      const Task& one = graph_.tasks[takers_[i]];
      if (one.peer == any_rank || one.tag == any_tag) return takers_[i];
      if (taker == no_task) taker = takers_[i];
    }
    return taker;
  }

 private:
  const TaskGraph& graph_;
  const TaskStates& states_;
  const TaskTakers& takers_;
  std::vector<std::uint32_t> waits_for_;  // by task: a task of its rank; none: it is ready
  std::map<std::uint32_t, std::vector<std::uint32_t>> unsent_;  // by receiver
};

std::string in_words(const TaskGraph& graph, const Waits& waits, std::uint32_t receive,
                     std::uint32_t send) {
  const Task& task = graph.tasks[receive];
  const std::string words = fmt::format("{} waits at {} for {}", rank_in_words(graph, task.rank),
                                        origin_in_words(graph, task), wanted_message(graph, task));
  if (send != no_task) {
    return words + fmt::format(", sent at {}", origin_in_words(graph, graph.tasks[send]));
  }
  const std::uint32_t taker = waits.taker_for(receive);
  if (taker == no_task) return words + ", that nobody sends";
  return words + fmt::format(", that {} took", origin_in_words(graph, graph.tasks[taker]));
}

}  // namespace

TaskStandstill find_standstill(const TaskGraph& graph, const TaskStates& states,
                               const TaskTakers& takers) {
  TaskStandstill standstill;
  standstill.unended = static_cast<std::size_t>(std::count_if(
      states.begin(), states.end(), [](TaskState state) { return state != TaskState::ended; }));
  const Waits waits(graph, states, takers);
  std::uint32_t task = no_task;
  for (std::uint32_t i = 0; i < graph.tasks.size() && task == no_task; ++i) {
    const bool is_posted = graph.tasks[i].kind == TaskKind::receive &&
                           states[i] != TaskState::ended && waits.receive_of(i) == i;
    if (is_posted) task = i;
  }
  if (task == no_task) return standstill;
  const WaitingWay way = follow_waits(task, [&](std::uint32_t receive) {
    const std::uint32_t send = waits.send_for(receive);
    if (send == no_task) return no_vertex;
    const std::uint32_t next = waits.receive_of(send);
    return graph.tasks[next].kind == TaskKind::receive ? next : no_vertex;  // its time will come
  });
  standstill.is_circle = way.is_circle;
  for (const std::uint32_t receive : way.vertices) {
    standstill.waits.push_back(in_words(graph, waits, receive, waits.send_for(receive)));
  }
  return standstill;
}

}  // namespace allport
