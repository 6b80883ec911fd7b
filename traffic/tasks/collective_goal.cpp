// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/collective_goal.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {

namespace {

using Bytes = std::vector<std::uint64_t>;

std::uint64_t at(const Bytes& bytes, std::size_t i) {
  return bytes.size() == 1 ? bytes.front() : bytes.at(i);
}

bool is_one_length(const CollectiveCall& call) {
  return call.kind != CallKind::operation || call.operation == Operation::bcast ||
         call.operation == Operation::reduce || call.operation == Operation::allreduce;
}

// Puts the calls of the members of one collective together.
class Agreement {
 public:
  Agreement(const ApplicationTrace& trace, std::vector<std::uint32_t> calls) : trace_(trace) {
    goal_.calls = std::move(calls);
    for (const std::uint32_t call : goal_.calls) goal_.ranks.push_back(rank_of(call));
    goal_.kind = first().kind;
    goal_.operation = first().operation;
    goal_.algorithm = first().algorithm;
  }

  CollectiveGoal reach() {
    for (std::size_t i = 1; i < goal_.calls.size(); ++i) require_same(i);
    if (has_root(first().operation)) goal_.root = place_of_root();
    if (is_one_length(first())) {
      goal_.bytes = {first().sends.front()};
    } else if (first().operation == Operation::alltoall) {
      fill(goal_.calls.size() * goal_.calls.size(), [&](std::size_t i) { return pair(i); });
    } else if (first().operation != Operation::barrier) {
      fill(goal_.calls.size(), [&](std::size_t i) { return block(i); });
    }
    require_expected();
    return std::move(goal_);
  }

 private:
  const CollectiveCall& call(std::size_t place) const { return trace_.calls[goal_.calls[place]]; }
  const CollectiveCall& first() const { return call(0); }
  const Task& task(std::uint32_t call) const { return trace_.graph.tasks[trace_.calls[call].task]; }
  std::uint32_t rank_of(std::uint32_t call) const { return task(call).rank; }
  std::string where(std::size_t place) const {
    return in_words(task(goal_.calls[place]).origin, trace_.graph.files);
  }
  std::string words(std::size_t place) const {
    return "rank " + std::to_string(goal_.ranks[place]) + " calls " +
           std::string(name_of(call(place).kind, call(place).operation));
  }
  [[noreturn]] void reject(std::size_t place, std::size_t other, const std::string& mine,
                           const std::string& theirs) const {
    throw std::invalid_argument(where(place) + ": " + words(place) + mine + " where " +
                                words(other) + theirs + " (" + where(other) + ")");
  }

  static std::string way_of(const CollectiveCall& call) {
    return call.algorithm == nullptr ? " and names no algorithm"
                                     : " by " + std::string(call.algorithm->name);
  }

  // Throws unless the member at `place` calls what the first one does.
  void require_same(std::size_t place) const {
    const CollectiveCall& one = call(place);
    if (one.kind != first().kind || one.operation != first().operation) reject(place, 0, "", "");
    if (has_root(one.operation) && one.root != first().root) {
      reject(place, 0, " with root " + std::to_string(one.root),
             " with root " + std::to_string(first().root));
    }
    if (one.algorithm != first().algorithm) {
      reject(place, 0, way_of(one), way_of(first()));
    }
    const bool has_vector = is_one_length(one) || one.operation == Operation::reduce_scatter;
    if (has_vector && one.sends != first().sends) {
      std::size_t i = 0;
      while (i + 1 < goal_.calls.size() && at(one.sends, i) == at(first().sends, i)) ++i;
      reject(place, 0, " of " + counted(at(one.sends, i), "byte"),
             " of " + counted(at(first().sends, i), "byte"));
    }
  }

  std::uint32_t place_of_root() const {
    const auto found = std::lower_bound(goal_.ranks.begin(), goal_.ranks.end(), first().root);
    if (found == goal_.ranks.end() || *found != first().root) {
      throw std::invalid_argument(where(0) + ": the root, rank " + std::to_string(first().root) +
                                  ", does not call the collective");
    }
    return static_cast<std::uint32_t>(found - goal_.ranks.begin());
  }

  std::uint64_t pair(std::size_t i) const {
    return at(call(i / goal_.calls.size()).sends, i % goal_.calls.size());
  }
  std::uint64_t block(std::size_t i) const {
    switch (first().operation) {
      case Operation::scatter:
        return at(call(goal_.root).sends, i);
      case Operation::reduce_scatter:
        return at(first().sends, i);
      default:
        return call(i).sends.front();
    }
  }

  template <class Length>
  void fill(std::size_t count, const Length& length) {
    goal_.bytes = {length(0)};
    for (std::size_t i = 1; i < count; ++i) {
      const std::uint64_t bytes = length(i);
      if (goal_.bytes.size() == 1 && bytes == goal_.bytes.front()) continue;
      if (goal_.bytes.size() == 1) goal_.bytes.assign(i, goal_.bytes.front());
      goal_.bytes.push_back(bytes);
    }
    if (goal_.bytes.size() > 1) goal_.bytes.resize(count, goal_.bytes.front());
  }

  // Throws unless the members expect what is sent to them.
  void require_expected() const {
    const std::size_t members = goal_.calls.size();
    for (std::size_t to = 0; to < members; ++to) {
      const Bytes& expected = call(to).receives;
      if (expected.empty()) continue;
      const bool is_own = goal_.operation == Operation::scatter;
      const bool is_uniform = expected.size() == 1 && goal_.bytes.size() == 1;
      const std::size_t count = is_own || is_uniform ? 1 : members;
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t from = is_own ? goal_.root : i;
        const std::size_t block = goal_.operation == Operation::alltoall ? from * members + to
                                  : is_own                               ? to
                                                                         : from;
        if (goal_.bytes_of(block) == at(expected, i)) continue;
        throw std::invalid_argument(
            where(to) + ": " + words(to) + " and expects " + counted(at(expected, i), "byte") +
            " of rank " + std::to_string(goal_.ranks[from]) + ", which sends " +
            std::to_string(goal_.bytes_of(block)) + " (" + where(from) + ")");
      }
    }
  }

  const ApplicationTrace& trace_;
  CollectiveGoal goal_;
};

// The calls of each rank in a group, in order.
using CallsByRank = std::map<std::uint32_t, std::vector<std::uint32_t>>;

std::string group_words(const ApplicationTrace& trace, std::size_t group) {
  return group == 0 ? "" : " in the group " + in_quotes(trace.groups[group]);
}

std::string place_of(const ApplicationTrace& trace, std::uint32_t call) {
  return in_words(trace.graph.tasks[trace.calls[call].task].origin, trace.graph.files);
}

// Throws unless all ranks of `group` have as many calls.
void require_same_number(const ApplicationTrace& trace, std::size_t group,
                         const CallsByRank& calls) {
  std::uint32_t most = calls.begin()->first;
  for (const auto& [rank, list] : calls) {
    if (list.size() > calls.at(most).size()) most = rank;
  }
  const std::vector<std::uint32_t>& longest = calls.at(most);
  const auto refuse = [&](std::uint32_t rank, std::size_t count) {
    throw std::invalid_argument(place_of(trace, longest[count]) + ": rank " + std::to_string(most) +
                                " calls collective " + std::to_string(count + 1) +
                                group_words(trace, group) + ", but rank " + std::to_string(rank) +
                                " calls only " + std::to_string(count));
  };
  for (std::uint32_t rank = 0; group == 0 && rank < trace.graph.ranks; ++rank) {
    if (calls.count(rank) == 0) refuse(rank, 0);
  }
  for (const auto& [rank, list] : calls) {
    if (list.size() < longest.size()) refuse(rank, list.size());
  }
}

}  // namespace

bool has_root(Operation operation) {
  return operation == Operation::bcast || operation == Operation::reduce ||
         operation == Operation::scatter || operation == Operation::gather;
}

std::string_view name_of(CallKind kind, Operation operation) {
  switch (kind) {
    case CallKind::scan:
      return "scan";
    case CallKind::exscan:
      return "exscan";
    default:
      return to_string(operation);
  }
}

void for_each_collective(const ApplicationTrace& trace,
                         const std::function<void(const CollectiveGoal&)>& use) {
  std::vector<CallsByRank> groups(trace.groups.size());
  for (std::uint32_t i = 0; i < trace.calls.size(); ++i) {
    const CollectiveCall& call = trace.calls[i];
    groups[call.group][trace.graph.tasks[call.task].rank].push_back(i);
  }
  for (std::size_t group = 0; group < groups.size(); ++group) {
    const CallsByRank& calls = groups[group];
    if (calls.empty()) continue;
    // What is not called alike says more than what is not called at all.
    std::size_t least = calls.begin()->second.size();
    for (const auto& [rank, list] : calls) least = std::min(least, list.size());
    const bool is_whole = group > 0 || calls.size() == trace.graph.ranks;
    for (std::size_t k = 0; is_whole && k < least; ++k) {
      std::vector<std::uint32_t> members;
      for (const auto& [rank, list] : calls) members.push_back(list[k]);
      use(Agreement(trace, std::move(members)).reach());
    }
    require_same_number(trace, group, calls);
  }
}

}  // namespace allport
