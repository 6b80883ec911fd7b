// SPDX-License-Identifier: Apache-2.0
// Task graphs are carried out here without time, to see what of them can finish.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "traffic/tasks/task_graph.h"

namespace allport {

/// How many tasks of `graph` end when messages are at once where they go. A receive takes the first
/// message that fits.
inline std::size_t finished_tasks(const TaskGraph& graph) {
  const std::size_t count = graph.tasks.size();
  std::vector<bool> started(count);
  std::vector<bool> ended(count);
  struct Message {
    std::uint32_t from, to, tag;
    std::uint64_t bytes;
    bool is_of_collective;
  };
  std::vector<Message> messages;
  std::size_t finished = 0;
  for (bool moves = true; moves;) {
    moves = false;
    std::vector<bool> ready(count, true);
    for (const TaskDependency& one : graph.dependencies) {
      if (!(one.on_start ? started[one.on] : ended[one.on])) ready[one.task] = false;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Task& task = graph.tasks[i];
      if (ended[i] || !ready[i]) continue;
      moves = moves || !started[i];
      started[i] = true;
      if (task.kind == TaskKind::send) {
        messages.push_back({task.rank, task.peer, task.tag, task.amount, task.is_of_collective});
      } else if (task.kind == TaskKind::receive) {
        const auto found = std::find_if(messages.begin(), messages.end(), [&](const Message& one) {
          return one.to == task.rank && (task.peer == any_rank || one.from == task.peer) &&
                 (task.tag == any_tag || one.tag == task.tag) &&
                 one.is_of_collective == task.is_of_collective;
        });
        if (found == messages.end()) continue;
        messages.erase(found);
      }
      ended[i] = true;
      ++finished;
      moves = true;
    }
  }
  return messages.empty() ? finished : 0;
}

/// The bytes that `rank` receives in all.
inline std::uint64_t received_bytes(const TaskGraph& graph, std::uint32_t rank) {
  std::uint64_t bytes = 0;
  for (const Task& task : graph.tasks) {
    if (task.kind == TaskKind::receive && task.rank == rank) bytes += task.amount;
  }
  return bytes;
}

/// Whether every message that is sent is received, with its length.
inline bool are_matched(const TaskGraph& graph) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>, int> open;
  for (const Task& task : graph.tasks) {
    if (task.kind == TaskKind::send) ++open[{task.rank, task.peer, task.tag, task.amount}];
    if (task.kind == TaskKind::receive) --open[{task.peer, task.rank, task.tag, task.amount}];
  }
  return std::all_of(open.begin(), open.end(), [](const auto& one) { return one.second == 0; });
}

}  // namespace allport
