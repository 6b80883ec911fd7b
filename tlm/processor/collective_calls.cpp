// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/collective_calls.h"

#include <algorithm>
#include <tuple>

#include "rtl_model/base/words.h"
#include "traffic/tasks/collective_goal.h"

namespace allport {

namespace {

const char* word_of(Values values) {
  if (values == Values::bytes) return "byte";
  return values == Values::doubles ? "double" : "integer";
}

// Whose the values are that a call counts.
const char* whose(Operation operation) {
  switch (operation) {
    case Operation::gather:
    case Operation::allgather:
      return " of each rank";
    case Operation::scatter:
    case Operation::reduce_scatter:
      return " for each rank";
    case Operation::alltoall:
      return " for each pair";
    default:
      return "";
  }
}

}  // namespace

std::uint64_t size_of(Values values) {
  if (values == Values::none) return 0;
  return values == Values::bytes ? 1 : 8;
}

bool operator<(const CalledCollective& a, const CalledCollective& b) {
  return std::tie(a.operation, a.root, a.algorithm, a.values, a.count) <
         std::tie(b.operation, b.root, b.algorithm, b.values, b.count);
}

std::string in_words(const CalledCollective& call) {
  const bool is_broadcast = call.operation == Operation::bcast;
  std::string words = is_broadcast ? "broadcast" : std::string(to_string(call.operation));
  if (call.values != Values::none) {
    words += " of " + counted(call.count, word_of(call.values)) + whose(call.operation);
  }
  if (has_root(call.operation)) words += " with root " + std::to_string(call.root);
  return words + " by " + call.algorithm;
}

void CollectiveCalls::reset(std::uint32_t ranks) {
  ranks_ = ranks;
  calls_.clear();
  numbers_.clear();
  places_.clear();
}

std::uint32_t CollectiveCalls::number_of(const CalledCollective& call) {
  const auto number = static_cast<std::uint32_t>(calls_.size());
  const auto [found, is_new] = numbers_.try_emplace(call, number);
  if (is_new) calls_.push_back(call);
  return found->second;
}

std::uint32_t CollectiveCalls::note(std::uint32_t rank, std::uint32_t place,
                                    const CalledCollective& call) {
  const std::uint32_t number = number_of(call);
  const auto found = places_.try_emplace(place).first;
  Place& all = found->second;
  ++all.count;
  const auto caller = std::find_if(all.callers.begin(), all.callers.end(),
                                   [&](const Caller& one) { return one.call == number; });
  if (caller == all.callers.end()) {
    all.callers.push_back({number, rank});
  } else {
    caller->rank = std::min(caller->rank, rank);
  }
  if (all.count == ranks_ && all.callers.size() == 1) places_.erase(found);
  return number;
}

std::string CollectiveCalls::fault() const {
  for (const auto& [place, all] : places_) {
    if (all.callers.size() == 1) continue;
    std::vector<Caller> callers = all.callers;
    std::sort(callers.begin(), callers.end(),
              [](const Caller& a, const Caller& b) { return a.rank < b.rank; });
    return "rank " + std::to_string(callers[1].rank) + " calls " +
           in_words(calls_[callers[1].call]) + " where rank " + std::to_string(callers[0].rank) +
           " calls " + in_words(calls_[callers[0].call]) + ", as collective " +
           std::to_string(place + 1) + " of both";
  }
  return {};
}

std::optional<CollectiveCalls::Incomplete> CollectiveCalls::first_incomplete() const {
  for (const auto& [place, all] : places_) {
    if (all.count < ranks_) return Incomplete{place, all.callers[0].rank, all.callers[0].call};
  }
  return std::nullopt;
}

}  // namespace allport
