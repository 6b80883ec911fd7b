// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/task_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rtl_model/base/circle.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

constexpr std::size_t max_tasks = (std::size_t{1} << 31) - 1;

std::string place(const TaskGraph& graph, const Task& task) {
  return origin_in_words(graph, task) + ": ";
}

// What is wrong with a transfer between the host and a rank.
std::string host_fault(const TaskGraph& graph, const Task& task) {
  if (task.peer == task.rank) return place(graph, task) + "the host does not send to itself";
  if (task.peer >= graph.parties()) {
    return place(graph, task) + fmt::format("rank {} has no tasks", task.peer);
  }
  if (task.kind == TaskKind::receive || task.amount <= HostModel::most_bytes) return {};
  return place(graph, task) +
         fmt::format("a transfer of {} bytes: the host's channel takes up to {}", task.amount,
                     HostModel::most_bytes);
}

std::string fault_of(const TaskGraph& graph, const Task& task) {
  const std::string where = place(graph, task);
  if (task.rank >= graph.parties()) {
    return where + fmt::format("rank {} does not exist, there are {}", task.rank, graph.ranks);
  }
  if (task.at < 0) return where + fmt::format("cycle {} is negative", task.at);
  if (task.kind == TaskKind::compute && task.amount > std::uint64_t{1} << 62) {
    return where + fmt::format("{} cycles to compute are too many, or negative", task.amount);
  }
  if (task.kind == TaskKind::send && task.tag == any_tag) {
    return where + "it sends without a tag, which receives of any tag alone do";
  }
  const bool names_peer =
      task.kind == TaskKind::send || (task.kind == TaskKind::receive && task.peer != any_rank);
  if (names_peer && graph.uses_host(task)) return host_fault(graph, task);
  if (!names_peer || task.peer < graph.ranks) return {};
  return where + (task.kind == TaskKind::send
                      ? fmt::format("it sends to rank {}, which has no tasks", task.peer)
                      : fmt::format("it receives from rank {}, which has no tasks", task.peer));
}

std::string fault_of(const TaskGraph& graph, const TaskDependency& one) {
  const std::size_t count = graph.tasks.size();
  if (one.task >= count || one.on >= count) {
    return fmt::format("a dependency of task {} on task {}: there are {} tasks", one.task, one.on,
                       count);
  }
  const Task& task = graph.tasks[one.task];
  const Task& on = graph.tasks[one.on];
  if (task.rank == on.rank) return {};
  return place(graph, task) +
         fmt::format(
             "it is a task of rank {} and waits for one of rank {}; ranks wait for each other by messages",
             task.rank, on.rank);
}

std::string circle_fault(const TaskGraph& graph) {
  const std::size_t count = graph.tasks.size();
  const Dependents dependents(graph);
  std::vector<std::uint32_t> open(count, 0);
  for (const TaskDependency& one : graph.dependencies) ++open[one.task];
  std::vector<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (open[i] == 0) ready.push_back(i);
  }
  std::size_t done = 0;
  for (; !ready.empty(); ++done) {
    const std::uint32_t task = ready.back();
    ready.pop_back();
    for (const auto* one = dependents.begin(task); one != dependents.end(task); ++one) {
      if (--open[one->task] == 0) ready.push_back(one->task);
    }
  }
  if (done == count) return {};
  std::vector<std::uint32_t> waits_for(count, 0);
  for (const TaskDependency& one : graph.dependencies) {
    if (open[one.task] > 0 && open[one.on] > 0) waits_for[one.task] = one.on;
  }
  const auto first = std::find_if(open.begin(), open.end(), [](std::uint32_t n) { return n > 0; });
  const auto awaited = [&](std::uint32_t task) { return waits_for[task]; };
  const auto start = static_cast<std::uint32_t>(first - open.begin());
  const std::vector<std::uint32_t> circle = follow_waits(start, awaited).vertices;
  std::string words = place(graph, graph.tasks[circle.front()]) + "the task waits for itself";
  std::vector<std::string> places;  // a call of a collective is several tasks at one place
  for (const std::uint32_t task : circle) {
    std::string one = origin_in_words(graph, graph.tasks[task]);
    if (places.empty() || (one != places.back() && one != places.front())) {
      places.push_back(std::move(one));
    }
  }
  for (std::size_t i = 1; i < places.size() && i < 8; ++i) {
    words += (i == 1 ? ", by way of " : ", ") + places[i];
  }
  return words + (places.size() > 8 ? ", .." : "");
}

// Of two tasks, or none, the one with more bytes; the first if both have as many.
std::uint32_t longer(const TaskGraph& graph, std::uint32_t a, std::uint32_t b) {
  if (a == no_task || b == no_task) return a == no_task ? b : a;
  return graph.tasks[b].amount > graph.tasks[a].amount ? b : a;
}

// Messages and receives of one receiver, by sender and tag.
struct Counts {
  std::uint64_t sends = 0;
  std::uint64_t receives = 0;
  std::uint32_t last_send = 0;
  std::uint32_t last_receive = 0;
  std::uint32_t longest_send = no_task;
  std::uint32_t longest_receive = no_task;
};
// Receiver, whether the message is of a collective, sender, tag.
using Key = std::tuple<std::uint32_t, bool, std::uint32_t, std::uint32_t>;

// What receives of any rank or tag could take: how many there are, and the longest.
class Wildcards {
 public:
  struct Some {
    std::uint64_t count = 0;
    std::uint32_t longest = no_task;
  };

  explicit Wildcards(const TaskGraph& graph) : graph_(graph) {}
  void add(std::uint32_t number) {
    const Task& receive = graph_.tasks[number];
    Some& some = some_[{receive.rank, receive.is_of_collective, receive.peer, receive.tag}];
    ++some.count;
    some.longest = longer(graph_, some.longest, number);
  }
  Some for_message(const Key& message) const {
    const auto& [receiver, is_of_collective, sender, tag] = message;
    Some all;
    for (const Key& key : {Key{receiver, is_of_collective, sender, any_tag},
                           Key{receiver, is_of_collective, any_rank, tag},
                           Key{receiver, is_of_collective, any_rank, any_tag}}) {
      const auto found = some_.find(key);
      if (found == some_.end()) continue;
      all.count += found->second.count;
      all.longest = longer(graph_, all.longest, found->second.longest);
    }
    return all;
  }

 private:
  const TaskGraph& graph_;
  std::map<Key, Some> some_;
};

struct Total {  // of a receiver, without collectives, which are made whole
  std::uint64_t sends = 0;
  std::uint64_t receives = 0;
  std::uint32_t last_send = 0;
  std::uint32_t last_receive = 0;

  void add_send(std::uint32_t number) { ++sends, last_send = number; }
  void add_receive(std::uint32_t number) { ++receives, last_receive = number; }
};

std::string sent_in_words(std::uint64_t sends, const std::string& which) {
  return fmt::format("{}{} {} sent to it", sends, which, sends == 1 ? "is" : "are");
}

struct Tally {
  explicit Tally(const TaskGraph& graph) : totals(graph.parties()), wildcards(graph) {}
  std::map<Key, Counts> counts;
  std::vector<Total> totals;
  Wildcards wildcards;
};

Tally counted(const TaskGraph& graph) {
  Tally tally(graph);
  for (std::uint32_t i = 0; i < graph.tasks.size(); ++i) {
    const Task& task = graph.tasks[i];
    if (task.kind == TaskKind::send) {
      Counts& one = tally.counts[{task.peer, task.is_of_collective, task.rank, task.tag}];
      one.longest_send = longer(graph, one.longest_send, i);
      ++one.sends, one.last_send = i;
      if (!task.is_of_collective) tally.totals[task.peer].add_send(i);
    } else if (task.kind == TaskKind::receive) {
      if (!task.is_of_collective) tally.totals[task.rank].add_receive(i);
      if (task.peer == any_rank || task.tag == any_tag) {
        tally.wildcards.add(i);
      } else {
        Counts& one = tally.counts[{task.rank, task.is_of_collective, task.peer, task.tag}];
        one.longest_receive = longer(graph, one.longest_receive, i);
        ++one.receives, one.last_receive = i;
      }
    }
  }
  return tally;
}

// The collective whose messages have the tag of `task`; null: somebody wrote that tag.
const TaskCollective* collective_of(const TaskGraph& graph, const Task& task) {
  const auto found = std::find_if(
      graph.collectives.begin(), graph.collectives.end(), [&task](const TaskCollective& one) {
        return task.tag - one.first_tag < one.tags &&  // less than the first: a large number
               std::find(one.ranks->begin(), one.ranks->end(), task.rank) != one.ranks->end();
      });
  return found == graph.collectives.end() ? nullptr : &*found;
}

// `allreduce of ranks 0, 1`
std::string in_words(const TaskCollective& collective) {
  constexpr std::size_t most = 8;
  const std::vector<std::uint32_t>& ranks = *collective.ranks;
  const std::vector<std::uint32_t> first(
      ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(std::min(most, ranks.size())));
  return fmt::format("{} of ranks {}{}", collective.name, fmt::join(first, ", "),
                     ranks.size() > most ? fmt::format(", .. ({} in all)", ranks.size()) : "");
}

// `tag 7`; that of a collective is a number which nobody wrote.
std::string tag_in_words(const TaskGraph& graph, const Task& task) {
  const TaskCollective* collective = collective_of(graph, task);
  return collective == nullptr ? fmt::format("tag {}", task.tag)
                               : "a tag of the " + in_words(*collective);
}

std::string fault_of(const TaskGraph& graph, const Key& key, const Counts& one,
                     const Wildcards& wildcards) {
  const auto& [receiver, is_of_collective, sender, tag] = key;
  if (one.receives > one.sends) {
    const Task& task = graph.tasks[one.last_receive];
    return place(graph, task) + fmt::format("{} receives {} {} from {} with {}, but {}",
                                            rank_in_words(graph, receiver), one.receives,
                                            one.receives == 1 ? "message" : "messages",
                                            rank_in_words(graph, sender), tag_in_words(graph, task),
                                            sent_in_words(one.sends, " such"));
  }
  const Wildcards::Some others = wildcards.for_message(key);
  if (one.sends > one.receives + others.count) {
    const Task& task = graph.tasks[one.last_send];
    return place(graph, task) +
           fmt::format("{} sends {} {} {} with {}, but that receives {} of them",
                       rank_in_words(graph, sender), rank_in_words(graph, receiver), one.sends,
                       one.sends == 1 ? "message" : "messages", tag_in_words(graph, task),
                       one.receives);
  }
  if (one.sends == 0) return {};
  const Task& send = graph.tasks[one.longest_send];
  const Task& receive = graph.tasks[longer(graph, one.longest_receive, others.longest)];
  return send.amount > receive.amount ? length_fault(graph, send, receive) : std::string();
}

std::string message_fault(const TaskGraph& graph) {
  const Tally tally = counted(graph);
  for (const auto& [key, one] : tally.counts) {
    std::string fault = fault_of(graph, key, one, tally.wildcards);
    if (!fault.empty()) return fault;
  }
  for (std::uint32_t rank = 0; rank < graph.parties(); ++rank) {
    const Total& total = tally.totals[rank];
    if (total.sends == total.receives) continue;
    const bool is_short = total.receives > total.sends;
    const Task& task = graph.tasks[is_short ? total.last_receive : total.last_send];
    return place(graph, task) + fmt::format("{} receives {} message{} in all, but {}",
                                            rank_in_words(graph, rank), total.receives,
                                            total.receives == 1 ? "" : "s",
                                            sent_in_words(total.sends, ""));
  }
  return {};
}

}  // namespace

std::string rank_in_words(const TaskGraph& graph, std::uint32_t rank) {
  return graph.is_host(rank) ? "the host" : fmt::format("rank {}", rank);
}

std::string origin_in_words(const TaskGraph& graph, const Task& task) {
  const TaskOrigin& origin = task.origin;
  if (origin.line == 0 || origin.file >= graph.files.size()) {
    return rank_in_words(graph, task.rank);
  }
  return fmt::format("{}:{}", graph.files[origin.file], origin.line);
}

std::string wanted_message(const TaskGraph& graph, const Task& receive) {
  if (const TaskCollective* collective = collective_of(graph, receive)) {
    return fmt::format("a message from rank {} in the {}", receive.peer, in_words(*collective));
  }
  return fmt::format("a message from {}, {}",
                     receive.peer == any_rank ? "any rank" : rank_in_words(graph, receive.peer),
                     receive.tag == any_tag ? "any tag" : fmt::format("tag {}", receive.tag));
}

std::string length_fault(const TaskGraph& graph, const Task& send, const Task& receive) {
  return place(graph, receive) +
         fmt::format("{} receives {} from {} with {}, but the message sent at {} has {}",
                     rank_in_words(graph, receive.rank),
                     receive.amount == 0 ? "no bytes" : "up to " + counted(receive.amount, "byte"),
                     rank_in_words(graph, send.rank), tag_in_words(graph, send),
                     origin_in_words(graph, send), send.amount);
}

bool can_match(const Task& send, const Task& receive) {
  return send.peer == receive.rank && send.is_of_collective == receive.is_of_collective &&
         (receive.peer == any_rank || receive.peer == send.rank) &&
         (receive.tag == any_tag || receive.tag == send.tag);
}

Dependents::Dependents(std::size_t tasks, const std::vector<TaskDependency>& dependencies)
    : first_(tasks + 1, 0), entries_(dependencies.size()) {
  for (const TaskDependency& one : dependencies) ++first_[one.on + 1];
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (const TaskDependency& one : dependencies) {
    entries_[next[one.on]++] = {one.task & 0x7fffffffU, one.on_start ? 1U : 0U};
  }
}

std::string task_fault(const TaskGraph& graph) {
  if (graph.tasks.size() > max_tasks) {
    return fmt::format("{} tasks: there can be up to {}", graph.tasks.size(), max_tasks);
  }
  for (const Task& task : graph.tasks) {
    if (std::string fault = fault_of(graph, task); !fault.empty()) return fault;
  }
  for (const TaskDependency& one : graph.dependencies) {
    if (std::string fault = fault_of(graph, one); !fault.empty()) return fault;
  }
  std::string fault = circle_fault(graph);
  return fault.empty() ? message_fault(graph) : fault;
}

}  // namespace allport
