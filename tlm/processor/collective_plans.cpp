// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/collective_plans.h"

#include <numeric>
#include <stdexcept>

#include "traffic/algorithms/algorithms.h"

namespace allport {

namespace {

constexpr std::size_t most_kept = std::size_t{1} << 22;

}  // namespace

std::string CollectivePlans::name_of(Operation operation, std::string_view algorithm) {
  if (!algorithm.empty()) return std::string(task_algorithm(operation, algorithm).name);
  const Topology& topology = planner_.fabric(ranks_).routing.topology();
  if (operation == Operation::bcast && topology.is_hypercube()) return "wsort";
  return std::string(default_algorithm(operation, topology).name);
}

std::shared_ptr<const PlannedCall> CollectivePlans::plan(const CalledCollective& call) {
  const auto found = plans_.find(call);
  if (found != plans_.end()) return found->second;
  auto planned = std::make_shared<const PlannedCall>(plan_anew(call));
  kept_ += planned->schedule.unicasts.size() + 1;
  if (kept_ > most_kept) {
    plans_.clear();
    kept_ = planned->schedule.unicasts.size() + 1;
  }
  plans_.emplace(call, planned);
  return planned;
}

PlannedCall CollectivePlans::plan_anew(const CalledCollective& call) {
  const bool is_broadcast = call.operation == Operation::bcast;
  CollectiveGoal goal;
  goal.operation = call.operation;
  goal.root = call.root;
  goal.algorithm = &find_algorithm(call.algorithm);
  goal.ranks.resize(ranks_);
  std::iota(goal.ranks.begin(), goal.ranks.end(), 0);
  if (call.values != Values::none) goal.unit = size_of(call.values);
  if (call.operation != Operation::barrier) {
    goal.bytes = {is_broadcast ? 1 : call.count * goal.unit};  // any length of a broadcast
  }
  PlannedCall planned = planner_.plan_call(goal);
  if (is_broadcast && planned.collective.block_count() > 1) {
    throw std::invalid_argument(
        "algorithm " + call.algorithm +
        ": it broadcasts in pieces, and only the root knows how long they are; programs take those that send the message whole");
  }
  return planned;
}

}  // namespace allport
