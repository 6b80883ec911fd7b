// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/expand.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace allport {

namespace {

constexpr std::size_t most_tasks = std::size_t{1} << 31;

// How a rank's call is carried out.
struct Part {
  std::shared_ptr<const CollectiveMessages> messages;
  std::shared_ptr<const std::vector<std::uint32_t>> ranks;  // by place
  std::uint32_t place = 0;
  std::uint32_t first_tag = 0;
  std::size_t collective = 0;  // in the graph
};

// The one length of all blocks; 0: they differ, or there are none.
std::uint64_t length_of(const CollectiveGoal& goal) {
  const bool is_measured = goal.kind == CallKind::operation && !goal.bytes.empty();
  const bool is_alike = std::adjacent_find(goal.bytes.begin(), goal.bytes.end(),
                                           std::not_equal_to<>()) == goal.bytes.end();
  return is_measured && is_alike ? goal.bytes.front() : 0;
}

class Expander {
 public:
  Expander(ApplicationTrace trace, CollectivePlanner& planner)
      : trace_(std::move(trace)), planner_(planner), parts_(trace_.calls.size()) {}

  TaskGraph expand() {
    for_each_collective(trace_, [&](const CollectiveGoal& goal) { plan(goal); });
    graph_.ranks = trace_.graph.ranks;
    graph_.files = std::move(trace_.graph.files);
    const std::size_t count = trace_.graph.tasks.size();
    begins_.reserve(count);
    ends_.reserve(count);
    std::vector<std::uint32_t> call_of(count, none);
    for (std::uint32_t i = 0; i < trace_.calls.size(); ++i) call_of[trace_.calls[i].task] = i;
    for (std::size_t i = 0; i < count; ++i) {
      const Task& task = trace_.graph.tasks[i];
      begins_.push_back(next());
      if (call_of[i] == none) {
        ends_.push_back(add(task));
        continue;
      }
      const Part& part = parts_[call_of[i]];
      add_part(task, part);
      ends_.push_back(add(task));
      graph_.collectives[part.collective].calls[part.place] = {begins_.back(), ends_.back()};
    }
    for (const TaskDependency& one : trace_.graph.dependencies) {
      graph_.dependencies.push_back({begins_[one.task],
                                     one.on_start ? begins_[one.on] : ends_[one.on], one.on_start,
                                     one.is_order});
    }
    return std::move(graph_);
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  // What the planner refuses is refused where the first rank calls the collective, and what was
  // chosen for it where it was chosen.
  std::shared_ptr<const CollectiveMessages> messages_of(const CollectiveGoal& goal) {
    try {
      return planner_.messages(goal);
    } catch (const std::invalid_argument& fault) {
      const Task& call = trace_.graph.tasks[trace_.calls[goal.calls.front()].task];
      const std::string where = in_words(call.origin, trace_.graph.files);
      if (!planner_.is_chosen(goal)) throw std::invalid_argument(where + ": " + fault.what());
      throw std::invalid_argument("--map " + std::string(to_string(goal.operation)) + "=" +
                                  std::string(planner_.algorithm(goal).name) + ": " + fault.what() +
                                  " (" + where + " calls it for " +
                                  std::to_string(goal.calls.size()) + " ranks)");
    }
  }

  void plan(const CollectiveGoal& goal) {
    const auto messages = messages_of(goal);
    const auto ranks = std::make_shared<const std::vector<std::uint32_t>>(goal.ranks);
    if (next_tag_ > any_tag - 1 - messages->most_of_a_pair) next_tag_ = first_collective_tag;
    for (std::size_t place = 0; place < goal.calls.size(); ++place) {
      parts_[goal.calls[place]] = {messages, ranks, static_cast<std::uint32_t>(place), next_tag_,
                                   graph_.collectives.size()};
    }
    TaskCollective one{std::string(name_of(goal.kind, goal.operation)), next_tag_,
                       messages->most_of_a_pair, ranks};
    one.use = note(goal, *messages);
    one.bytes = length_of(goal);
    one.operation = goal.operation;
    one.calls.resize(goal.calls.size());
    graph_.collectives.push_back(std::move(one));
    next_tag_ += messages->most_of_a_pair;
  }

  // Returns the place of what became of it.
  std::uint32_t note(const CollectiveGoal& goal, const CollectiveMessages& messages) {
    CollectiveUse use;
    use.operation = std::string(name_of(goal.kind, goal.operation));
    use.members = goal.calls.size();
    const bool has_algorithm = goal.kind == CallKind::operation && use.members > 1;
    use.algorithm = has_algorithm ? planner_.algorithm(goal).name : "chain";
    if (has_algorithm) use.fabric = planner_.fabric(use.members).routing.topology().name();
    std::vector<CollectiveUse>& uses = graph_.uses;
    auto found = std::find_if(uses.begin(), uses.end(), [&](const CollectiveUse& one) {
      return one.operation == use.operation && one.algorithm == use.algorithm &&
             one.fabric == use.fabric && one.members == use.members;
    });
    if (found == uses.end()) found = uses.insert(uses.end(), std::move(use));
    ++found->times;
    found->messages += messages.messages.size();
    found->bytes += messages.bytes;
    return static_cast<std::uint32_t>(found - uses.begin());
  }

  std::uint32_t next() const { return static_cast<std::uint32_t>(graph_.tasks.size()); }
  std::uint32_t add(const Task& task) {
    if (graph_.tasks.size() >= most_tasks) {
      throw std::invalid_argument("the collectives have more than 2^31 tasks");
    }
    graph_.tasks.push_back(task);
    return next() - 1;
  }
  void wait(std::uint32_t task, std::uint32_t on) { graph_.dependencies.push_back({task, on}); }

  // What comes before `end`, the task that ends the call: a join, receives and sends.
  void add_part(const Task& end, const Part& part) {
    const CollectiveMessages& messages = *part.messages;
    const auto& sends = messages.sends[part.place];
    const auto& receives = messages.receives[part.place];
    if (sends.empty() && receives.empty()) return;
    Task begin = end;
    begin.amount = 0;
    const std::uint32_t begun = add(begin);
    const std::uint32_t ended =
        begun + 1 + static_cast<std::uint32_t>(sends.size() + receives.size());
    const auto add_message = [&](TaskKind kind, std::uint32_t message) {
      const CollectiveMessage& one = messages.messages[message];
      Task task = end;
      task.kind = kind;
      task.is_of_collective = true;
      task.peer = (*part.ranks)[kind == TaskKind::send ? one.to : one.from];
      task.tag = part.first_tag + one.number;
      task.amount = one.bytes;
      if (kind == TaskKind::send) task.ties = one.ties;
      if (kind == TaskKind::receive) task.turn = begun + 1;  // that of the first
      const std::uint32_t added = add(task);
      wait(ended, added);
      return added;
    };
    received_.clear();
    for (const std::uint32_t message : receives) {
      const std::uint32_t task = add_message(TaskKind::receive, message);
      received_.emplace_back(message, task);
      wait(task, begun);
    }
    std::sort(received_.begin(), received_.end());
    std::uint32_t before = no_task;
    for (const std::uint32_t message : sends) {
      const std::uint32_t task = add_message(TaskKind::send, message);
      if (before == no_task) {
        wait(task, begun);
      } else {
        graph_.dependencies.push_back({task, before, true, true});
      }
      before = task;
      for (std::size_t i = messages.first_wait[message]; i < messages.first_wait[message + 1];
           ++i) {
        wait(task, reception(messages.waits[i]));
      }
    }
  }

  std::uint32_t reception(std::uint32_t message) const {
    const auto found =
        std::lower_bound(received_.begin(), received_.end(), std::make_pair(message, 0U));
    return found->second;
  }

  ApplicationTrace trace_;
  CollectivePlanner& planner_;
  TaskGraph graph_;
  std::vector<Part> parts_;            // by call
  std::vector<std::uint32_t> begins_;  // by task of the trace: the first of the graph
  std::vector<std::uint32_t> ends_;    // and the last
  std::uint32_t next_tag_ = first_collective_tag;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> received_;  // messages and their tasks
};

}  // namespace

TaskGraph expand(ApplicationTrace trace, CollectivePlanner& planner) {
  if (trace.calls.empty()) return std::move(trace.graph);
  return Expander(std::move(trace), planner).expand();
}

}  // namespace allport
