// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/collective_plans.h"

#include <algorithm>
#include <stdexcept>

#include "traffic/algorithms/algorithms.h"
#include "traffic/schedule/schedule.h"

namespace allport {

namespace {

// The usual algorithms: trees of neighbours on grids, of subcubes on hypercubes.
std::string usual(Operation operation, bool is_hypercube) {
  switch (operation) {
    case Operation::bcast:
      return is_hypercube ? "wsort" : "dims-bcast";
    case Operation::reduce:
      return is_hypercube ? "sbt-reduce" : "dims-reduce";
    default:
      return is_hypercube ? "exchange-barrier" : "dims-barrier";
  }
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::invalid_argument("algorithm " + name + ": " + why);
}

bool carries_whole(const Unicast& unicast) {
  return unicast.blocks.empty() || (unicast.blocks.size() == 1 && *unicast.blocks.begin() == 0);
}

// A rank sends in the order of its program, each message after what it receives in earlier steps.
std::vector<CollectiveAct> in_program_order(std::vector<CollectiveAct> acts) {
  const auto first_receive = std::stable_partition(
      acts.begin(), acts.end(), [](const CollectiveAct& act) { return act.sends; });
  std::sort(acts.begin(), first_receive, [](const CollectiveAct& a, const CollectiveAct& b) {
    return a.order < b.order;
  });
  std::sort(first_receive, acts.end(), [](const CollectiveAct& a, const CollectiveAct& b) {
    return a.step != b.step ? a.step < b.step : a.peer < b.peer;
  });
  std::vector<CollectiveAct> program;
  auto receive = first_receive;
  for (auto send = acts.begin(); send != first_receive; ++send) {
    for (; receive != acts.end() && receive->step < send->step; ++receive) {
      program.push_back(*receive);
    }
    program.push_back(*send);
  }
  program.insert(program.end(), receive, acts.end());
  return program;
}

}  // namespace

std::string CollectivePlans::name_of(Operation operation, std::string_view algorithm) const {
  return algorithm.empty() ? usual(operation, routing_.topology().is_hypercube())
                           : std::string(algorithm);
}

const std::vector<CollectiveAct>& CollectivePlans::acts(Operation operation, std::uint32_t root,
                                                        std::string_view algorithm,
                                                        std::uint32_t rank) {
  const std::string name = name_of(operation, algorithm);
  const auto key = std::make_tuple(operation, root, name);
  auto found = plans_.find(key);
  if (found == plans_.end()) found = plans_.emplace(key, plan(operation, root, name)).first;
  return found->second[rank];
}

CollectivePlans::ByRank CollectivePlans::plan(Operation operation, std::uint32_t root,
                                              const std::string& name) const {
  const Algorithm& algorithm = find_algorithm(name);
  const Topology& topology = routing_.topology();
  if (algorithm.operation != operation) {
    refuse(name, "it carries out " + std::string(to_string(algorithm.operation)) + ", not " +
                     std::string(to_string(operation)));
  }
  if (nodes_.size() != topology.node_count()) {
    refuse(name, "a collective of programs needs a rank on each of the " +
                     std::to_string(topology.node_count()) + " nodes");
  }
  const Multicast goal = broadcast(topology, nodes_[root]);
  const Schedule schedule =
      allport::plan(algorithm, PlanRequest{routing_, router_.internal_ports, goal});
  std::vector<std::uint32_t> rank_at(nodes_.size());
  for (std::uint32_t rank = 0; rank < nodes_.size(); ++rank) rank_at[index(nodes_[rank])] = rank;
  ByRank acts(nodes_.size());
  for (const Unicast& unicast : schedule.unicasts) {
    if (unicast.kind != MessageKind::unicast || !carries_whole(unicast)) {
      refuse(name, "programs take those whose messages are unicasts of the whole vector");
    }
    const std::uint32_t from = rank_at[index(unicast.u)];
    const std::uint32_t to = rank_at[index(unicast.v)];
    acts[from].push_back(
        {true, false, to, ties_of(unicast, routing_), unicast.step, unicast.order});
    acts[to].push_back({false, unicast.adds, from, 0, unicast.step, unicast.order});
  }
  for (std::vector<CollectiveAct>& list : acts) list = in_program_order(std::move(list));
  return acts;
}

}  // namespace allport
