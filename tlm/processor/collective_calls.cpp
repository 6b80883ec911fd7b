// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/collective_calls.h"

#include <algorithm>
#include <tuple>

namespace allport {

bool CollectiveCalls::Order::operator()(const CalledCollective& a,
                                        const CalledCollective& b) const {
  return std::tie(a.operation, a.root, a.algorithm, a.values) <
         std::tie(b.operation, b.root, b.algorithm, b.values);
}

std::string in_words(const CalledCollective& call) {
  const std::string by = " by " + call.algorithm;
  if (call.operation == Operation::barrier) return "barrier" + by;
  const std::string what = call.operation == Operation::bcast ? "broadcast" : "reduce";
  const std::string values = call.values.empty() ? "" : " of " + call.values;
  return what + values + " with root " + std::to_string(call.root) + by;
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
