// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/collective_planner.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "traffic/schedule/block_flow.h"

namespace allport {

namespace {

constexpr std::size_t most_kept = std::size_t{1} << 22;

// The share of number `i` of `bytes` shared out among `count`, the longer shares first; a unit is
// not cut.
std::uint64_t share(std::size_t i, std::uint64_t bytes, std::size_t count, std::uint64_t unit) {
  const std::uint64_t units = bytes / unit;
  return (units / count + (i < units % count ? 1 : 0)) * unit;
}

// The bytes of `block`.
std::uint64_t block_bytes(BlockId block, const Collective& collective, const CollectiveGoal& goal) {
  const std::size_t parts = collective.part_count();
  const std::size_t whole = block / parts;
  const std::uint64_t bytes =
      collective.is_cut()
          ? share(whole, goal.bytes_of(0), collective.block_count() / parts, goal.unit)
          : goal.bytes_of(whole);
  return share(block % parts, bytes, parts, goal.unit);
}

bool may_be_empty(const Collective& collective) {
  return collective.operation() != Operation::barrier;
}

// Takes the blocks without a byte out of the schedule, and the messages that carry no others; a
// multicast that says nothing of blocks carries one.
void leave_out_empty(Schedule& schedule, const Collective& collective, const CollectiveGoal& goal) {
  std::vector<Unicast>& unicasts = schedule.unicasts;
  for (Unicast& unicast : unicasts) {
    if (unicast.blocks.empty()) unicast.blocks = {0};
    if (!may_be_empty(collective)) continue;
    std::vector<BlockId> blocks = unicast.blocks.values();
    blocks.erase(
        std::remove_if(blocks.begin(), blocks.end(),
                       [&](BlockId one) { return block_bytes(one, collective, goal) == 0; }),
        blocks.end());
    unicast.blocks = std::move(blocks);
  }
  unicasts.erase(std::remove_if(unicasts.begin(), unicasts.end(),
                                [](const Unicast& one) { return one.blocks.empty(); }),
                 unicasts.end());
  close_gaps(schedule);
}

// One more than the largest block of a schedule of pieces; 1: it says nothing of blocks.
std::size_t pieces_of(const Schedule& schedule) {
  BlockId last = 0;
  for (const Unicast& unicast : schedule.unicasts) {
    for (const BlockId block : unicast.blocks) last = std::max(last, block);
  }
  return std::size_t{last} + 1;
}

class MessageList {
 public:
  explicit MessageList(std::size_t members) : members_(members) {
    list_.sends.resize(members);
    list_.receives.resize(members);
    list_.first_wait = {0};
  }

  void add(std::size_t from, std::size_t to, std::uint64_t bytes, TieMask ties = default_ties) {
    std::uint32_t& before = of_pair_[from * members_ + to];
    list_.messages.push_back(
        {static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), before++, bytes, ties});
    list_.most_of_a_pair = std::max(list_.most_of_a_pair, before);
    list_.bytes += bytes;
  }
  template <class Waits>
  void end_waits(const Waits& waits) {
    list_.waits.insert(list_.waits.end(), waits.begin(), waits.end());
    list_.first_wait.push_back(list_.waits.size());
  }
  CollectiveMessages& list() { return list_; }

 private:
  std::size_t members_;
  CollectiveMessages list_;
  std::unordered_map<std::size_t, std::uint32_t> of_pair_;
};

// A prefix sum: each place adds what it has to what it receives, and sends it to the next one.
CollectiveMessages chain(const CollectiveGoal& goal) {
  const std::size_t members = goal.members();
  MessageList messages(members);
  for (std::size_t i = 0; i + 1 < members && goal.bytes_of(0) > 0; ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    messages.add(i, i + 1, goal.bytes_of(0));
    messages.end_waits(i == 0 ? std::vector<std::uint32_t>{}
                              : std::vector<std::uint32_t>{number - 1});
    messages.list().sends[i] = {number};
    messages.list().receives[i + 1] = {number};
  }
  return std::move(messages.list());
}

CollectiveMessages messages_of(const Schedule& schedule, const Collective& collective,
                               const CollectiveGoal& goal,
                               const CollectivePlanner::Fabric& fabric) {
  const std::size_t members = goal.members();
  const BlockFlow flow(schedule, collective);
  const std::string fault = flow.program_fault();
  if (!fault.empty()) throw std::invalid_argument(fault);
  MessageList messages(members);
  for (std::size_t i = 0; i < schedule.unicasts.size(); ++i) {
    const Unicast& unicast = schedule.unicasts[i];
    std::uint64_t bytes = 0;
    for (const BlockId block : unicast.blocks) bytes += block_bytes(block, collective, goal);
    messages.add(index(unicast.u), index(unicast.v), bytes,
                 fabric.is_real ? ties_of_valid(unicast, fabric.routing) : default_ties);
    messages.end_waits(flow.waits_for(i));
  }
  for (std::size_t i = 0; i < members; ++i) {
    messages.list().sends[i] = flow.program(node_id(i));
    messages.list().receives[i] = flow.receptions(node_id(i));
  }
  return std::move(messages.list());
}

[[noreturn]] void reject_worms(const Algorithm& algorithm) {
  throw std::invalid_argument(std::string(algorithm.name) +
                              " sends worms to several nodes, and tasks send to one");
}

using Names = std::vector<std::string_view>;

Names default_names(Operation operation, bool is_hypercube) {
  switch (operation) {
    case Operation::bcast:
      return is_hypercube ? Names{"sbt"} : Names{"dims-bcast"};
    case Operation::scatter:
      return is_hypercube ? Names{"exchange-scatter"} : Names{"dims-scatter"};
    case Operation::gather:
      return is_hypercube ? Names{"exchange-gather"} : Names{"dims-gather"};
    case Operation::allgather:
      return is_hypercube ? Names{"exchange-allgather"}
                          : Names{"bucket-allgather", "dims-allgather"};
    case Operation::alltoall:
      return {"xor-alltoall", "direct-alltoall"};
    case Operation::reduce:
      return is_hypercube ? Names{"sbt-reduce"} : Names{"dims-reduce"};
    case Operation::allreduce:
      return is_hypercube ? Names{"rabenseifner"} : Names{"bucket-allreduce", "dims-allreduce"};
    case Operation::reduce_scatter:
      return is_hypercube ? Names{"exchange-reduce-scatter"}
                          : Names{"bucket-reduce-scatter", "dims-reduce-scatter"};
    case Operation::barrier:
      return is_hypercube ? Names{"exchange-barrier"} : Names{"dims-barrier"};
    case Operation::neighbor:
      return {"direct-neighbor"};
    case Operation::neighbor_box:
      return {"direct-neighbor-box"};
    case Operation::neighbor_nw:
      return {"direct-neighbor-nw"};
  }
  return {};
}

}  // namespace

std::uint64_t PlannedCall::bytes_of(BlockId block) const {
  return block_bytes(block, collective, goal);
}

const Algorithm& default_algorithm(Operation operation, const Topology& topology) {
  for (const std::string_view name : default_names(operation, topology.is_hypercube())) {
    const Algorithm& algorithm = find_algorithm(name);
    if (algorithm.is_for(topology)) return algorithm;
  }
  throw std::invalid_argument("no algorithm is for " + std::string(to_string(operation)) + " on " +
                              topology.name());
}

const Algorithm& task_algorithm(Operation operation, std::string_view name) {
  const Algorithm& algorithm = find_algorithm(name);
  if (algorithm.operation != operation) {
    throw std::invalid_argument(std::string(algorithm.name) + " is an algorithm for " +
                                std::string(to_string(algorithm.operation)) + ", not for " +
                                std::string(to_string(operation)));
  }
  if (algorithm.kind != MessageKind::unicast) reject_worms(algorithm);
  if (algorithm.takes_block) {
    throw std::invalid_argument(
        std::string(algorithm.name) +
        " recurses the block of --block, which goes with one collective by --algorithm; tasks take none");
  }
  return algorithm;
}

CollectivePlanner::CollectivePlanner(std::function<Fabric(std::size_t)> fabric_of,
                                     std::map<Operation, const Algorithm*> chosen, int flit_bytes)
    : fabric_of_(std::move(fabric_of)), chosen_(std::move(chosen)), flit_bytes_(flit_bytes) {}

const CollectivePlanner::Fabric& CollectivePlanner::fabric(std::size_t members) {
  const auto found = fabrics_.find(members);
  if (found != fabrics_.end()) return found->second;
  return fabrics_.emplace(members, fabric_of_(members)).first->second;
}

const Algorithm& CollectivePlanner::algorithm(const CollectiveGoal& goal) {
  const auto found = chosen_.find(goal.operation);
  if (found != chosen_.end()) return *found->second;
  if (goal.algorithm != nullptr) return *goal.algorithm;
  return default_algorithm(goal.operation, fabric(goal.members()).routing.topology());
}

std::shared_ptr<const CollectiveMessages> CollectivePlanner::messages(const CollectiveGoal& goal) {
  Key key{goal.kind, goal.operation, goal.algorithm, goal.members(),
          goal.root, goal.bytes,     goal.unit};
  const auto found = planned_.find(key);
  if (found != planned_.end()) return found->second;
  auto planned = std::make_shared<const CollectiveMessages>(plan_messages(goal));
  kept_ += planned->messages.size() + 1;
  if (kept_ > most_kept) {
    planned_.clear();
    kept_ = planned->messages.size() + 1;
  }
  planned_.emplace(std::move(key), planned);
  return planned;
}

CollectiveMessages CollectivePlanner::plan_messages(const CollectiveGoal& goal) {
  if (goal.members() == 1 || goal.kind != CallKind::operation) return chain(goal);
  return std::move(plan_call(goal).messages);
}

PlannedCall CollectivePlanner::plan_call(const CollectiveGoal& goal) {
  const std::size_t members = goal.members();
  const Algorithm& algorithm = this->algorithm(goal);
  const Fabric& fabric = this->fabric(members);
  const Topology& topology = fabric.routing.topology();
  const Multicast root = broadcast(topology, node_id(goal.root));
  PlanRequest request{fabric.routing, fabric.internal_ports, root};
  request.timing = fabric.timing;
  request.seed = fabric.seed;
  const std::uint64_t flits = (goal.bytes_of(0) + static_cast<std::uint64_t>(flit_bytes_) - 1) /
                              static_cast<std::uint64_t>(flit_bytes_);
  request.timing.flits =
      static_cast<int>(std::clamp<std::uint64_t>(flits, 1, std::numeric_limits<int>::max()));
  Schedule schedule = plan(algorithm, request);
  if (!schedule.has_unicasts_only()) reject_worms(algorithm);
  Collective collective = goal.operation == Operation::bcast
                              ? Collective(members, root, pieces_of(schedule))
                              : collective_of(algorithm, topology, root);
  leave_out_empty(schedule, collective, goal);
  CollectiveMessages messages = messages_of(schedule, collective, goal, fabric);
  return {goal, std::move(collective), std::move(schedule), std::move(messages)};
}

}  // namespace allport
