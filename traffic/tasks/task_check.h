// SPDX-License-Identifier: Apache-2.0
// These functions say what is wrong with a graph of tasks, as far as it can be said before it runs,
// and put tasks into words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traffic/tasks/task_graph.h"

namespace allport {

/// `rank 3` or `the host`.
std::string rank_in_words(const TaskGraph& graph, std::uint32_t rank);

/// Where `task` was written, `FILE:12`; `rank 3` if that is not known.
std::string origin_in_words(const TaskGraph& graph, const Task& task);

/// `a message from rank 5, tag 7`, `a message from any rank, any tag`, or `a message from rank 5 in
/// the allreduce of ranks 4, 5`, for a receive.
std::string wanted_message(const TaskGraph& graph, const Task& receive);

/// What is wrong where `receive` takes a message of `send` that is longer than it may be.
std::string length_fault(const TaskGraph& graph, const Task& send, const Task& receive);

/// Whether `receive` can take a message of `send`, by ranks and tags.
bool can_match(const Task& send, const Task& receive);

/// The dependencies of a graph by task: who waits for it.
class Dependents {
 public:
  Dependents() = default;
  Dependents(std::size_t tasks, const std::vector<TaskDependency>& dependencies);
  explicit Dependents(const TaskGraph& graph)
      : Dependents(graph.tasks.size(), graph.dependencies) {}
  /// An entry: the number of the waiting task, and whether it waits for the start only.
  struct Entry {
    std::uint32_t task : 31;
    std::uint32_t on_start : 1;
  };
  const Entry* begin(std::size_t task) const { return entries_.data() + first_[task]; }
  const Entry* end(std::size_t task) const { return entries_.data() + first_[task + 1]; }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<Entry> entries_;
};

/// One sentence about the first fault of `graph`, with file and line, or an empty string: a rank or
/// task that does not exist, a negative time, a message to a rank without tasks, dependencies in a
/// circle or between ranks, a receive that no message is left for, a message that no receive is
/// left for. Receives of any rank or tag are counted with those that they could take.
std::string task_fault(const TaskGraph& graph);

}  // namespace allport
