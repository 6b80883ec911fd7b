// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/algorithms.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/names.h"
#include "rtl_model/topology/group_routes.h"
#include "traffic/algorithms/cube_chain.h"
#include "traffic/schedule/in_parts.h"

namespace allport {

namespace {

// Others that carry out the same collective there.
std::string others_for(const Algorithm& algorithm, const Topology& topology) {
  constexpr std::size_t most = 8;
  std::string names;
  std::size_t count = 0;
  for (const Algorithm& other : algorithms()) {
    const bool is_same =
        other.operation == algorithm.operation &&
        (other.destinations == algorithm.destinations || other.destinations == Destinations::any);
    if (!is_same || !other.is_for(topology)) continue;
    if (++count <= most) names += (count == 1 ? "" : ", ") + std::string(other.name);
  }
  return names.empty() ? names : ", for which there are " + names + (count > most ? ", .." : "");
}

std::string not_for(const Algorithm& algorithm, const Topology& topology) {
  return "algorithm " + std::string(algorithm.name) + " is for " +
         std::string(algorithm.fabrics.words) + "; " + topology.name() + " is not one" +
         others_for(algorithm, topology);
}

// `1 part`, `1..2 parts`
std::string in_words(const PartCounts& counts) {
  const std::string most = std::to_string(counts.most) + (counts.most == 1 ? " part" : " parts");
  return counts.least == counts.most ? most : std::to_string(counts.least) + ".." + most;
}

// `algorithm` refuses what those take that `takes` says, which are named.
template <class Takes>
[[noreturn]] void refuse(const Algorithm& algorithm, const char* why, Takes takes) {
  std::string words = "algorithm " + std::string(algorithm.name) + why;
  const char* separator = " ";
  for (const Algorithm& other : algorithms()) {
    if (!takes(other)) continue;
    words += separator + std::string(other.name);
    separator = ", ";
  }
  throw std::invalid_argument(words);
}

// Throws unless the chain of `request`, if there is one, is of its goal, and cube-ordered.
void require_chain(const Algorithm& algorithm, const PlanRequest& request) {
  if (request.chain.empty()) return;
  if (!algorithm.takes_chain) {
    refuse(algorithm, " takes no chain; a chain is for",
           [](const Algorithm& other) { return other.takes_chain; });
  }
  std::vector<NodeId> behind(request.chain.begin() + 1, request.chain.end());
  std::sort(behind.begin(), behind.end());
  if (request.chain.front() != request.goal.source || behind != request.goal.destinations) {
    throw std::invalid_argument(
        "the chain must be the source and, behind it, each destination once");
  }
  const auto found = chain_break(request.chain, request.routing);
  if (!found) return;
  throw std::invalid_argument("the chain is not cube-ordered: " +
                              in_words(*found, request.chain, request.routing));
}

}  // namespace

const Algorithm& find_algorithm(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.name == name) return algorithm;
    names.push_back(algorithm.name);
  }
  if (name == "alltoallv") {
    throw std::invalid_argument(
        "alltoallv is what every algorithm of alltoall does with --counts: " +
        unknown_name("algorithm", "alltoall", names));
  }
  throw std::invalid_argument(unknown_name("algorithm", name, names));
}

std::string_view routers_needed(const Algorithm& algorithm) {
  switch (algorithm.kind) {
    case MessageKind::unicast:
      return algorithm.visits_lists ? "copy" : "";
    case MessageKind::label:
      return "label";
    case MessageKind::join:
    case MessageKind::join_tree:
      return "join";
    default:
      return "copy";
  }
}

Schedule plan(const Algorithm& algorithm, const PlanRequest& request) {
  const Topology& topology = request.routing.topology();
  if (!algorithm.is_for(topology)) throw std::invalid_argument(not_for(algorithm, topology));
  const std::size_t ranks =
      request.members.empty() ? topology.node_count() : request.members.size();
  const bool is_broadcast = request.goal.destinations.size() + 1 == ranks;
  if (algorithm.destinations == Destinations::all && !is_broadcast) {
    throw std::invalid_argument(
        "algorithm " + std::string(algorithm.name) +
        (algorithm.operation == Operation::bcast ? " is a broadcast" : " is for all nodes") +
        ": it takes the destinations 'all' only");
  }
  if (algorithm.destinations == Destinations::one && request.goal.destinations.size() != 1) {
    throw std::invalid_argument("algorithm " + std::string(algorithm.name) +
                                " takes one destination, not " +
                                std::to_string(request.goal.destinations.size()));
  }
  if (request.step_rule == StepRule::aware && !algorithm.takes_step_rule()) {
    refuse(algorithm, " has its steps fixed by phases; contention-aware steps are for",
           [](const Algorithm& other) { return other.takes_step_rule(); });
  }
  require_internal_ports(request.internal_ports, topology);
  require_chain(algorithm, request);
  PlanRequest own = request;
  own.parts = part_count(algorithm, topology, request.parts);
  Schedule schedule = algorithm.plan(own);
  if (algorithm.own_parts != nullptr) return schedule;
  return in_parts(std::move(schedule), own.parts);
}

DimensionMask aligned_dimensions(std::string_view algorithm, const PlanRequest& request) {
  if (request.members.empty()) return 0;
  const Topology& topology = request.routing.topology();
  const DimensionMask free = differing_dimensions(topology, request.members);
  const bool is_whole = request.members.size() == topology.node_count();
  if (request.routing.table() != nullptr && !is_whole) {
    throw std::invalid_argument("algorithm " + std::string(algorithm) + " is for all nodes under " +
                                "routing " + request.routing.name() + ", and this group has " +
                                std::to_string(request.members.size()) + " of " +
                                std::to_string(topology.node_count()));
  }
  if (group_size(topology, free) == request.members.size()) return group_mask(topology, free);
  throw std::invalid_argument(
      "algorithm " + std::string(algorithm) + " is for aligned groups, all nodes that agree in " +
      "some coordinates; this group has " + std::to_string(request.members.size()) + " of the " +
      std::to_string(group_size(topology, free)) + " nodes that differ in " +
      dimensions_in_words(free));
}

int part_count(const Algorithm& algorithm, const Topology& topology, int parts) {
  if (algorithm.own_parts != nullptr) {
    const PartCounts own = algorithm.own_parts(topology);
    if (parts == 0) return own.default_value;
    if (parts >= own.least && parts <= own.most) return parts;
    throw std::invalid_argument("algorithm " + std::string(algorithm.name) +
                                " cuts each block into " + in_words(own) + " on " +
                                topology.name() + ", not into " + std::to_string(parts));
  }
  if (parts <= 1) return 1;
  if (algorithm.operation == Operation::bcast) {
    throw std::invalid_argument(
        "algorithm " + std::string(algorithm.name) +
        " is a multicast, whose message is cut into pieces, not into parts of blocks");
  }
  if (algorithm.operation == Operation::barrier) {
    throw std::invalid_argument("algorithm " + std::string(algorithm.name) +
                                " is a barrier, whose block is one flit and cannot be cut");
  }
  return parts;
}

Collective collective_of(const Algorithm& algorithm, const Topology& topology,
                         const Multicast& goal, int parts, const std::vector<NodeId>& members,
                         std::shared_ptr<const NeighbourBlocks> neighbours,
                         const PairLengths& pairs) {
  const std::size_t nodes = topology.node_count();
  if (algorithm.operation == Operation::bcast) return {nodes, goal, 1};
  const auto count =
      static_cast<std::size_t>(parts > 0 ? parts : part_count(algorithm, topology, 0));
  if (stencil_of(algorithm.operation)) {
    if (neighbours == nullptr) {
      neighbours = neighbours_among(algorithm.operation, topology, members);
    }
    return {algorithm.operation, nodes, std::move(neighbours), count, members};
  }
  const std::size_t ranks = members.empty() ? nodes : members.size();
  const std::size_t blocks = algorithm.vector == Vector::in_blocks ? ranks : 1;
  return Collective(algorithm.operation, nodes, goal.source, blocks, count, members)
      .of_pairs(pairs);
}

std::shared_ptr<const NeighbourBlocks> neighbours_of(Operation operation, const Topology& ranks,
                                                     const std::vector<std::size_t>& places) {
  const std::optional<Stencil> stencil = stencil_of(operation);
  if (!stencil) return nullptr;
  return std::make_shared<NeighbourBlocks>(*stencil, ranks, places);
}

std::shared_ptr<const NeighbourBlocks> neighbours_among(Operation operation,
                                                        const Topology& topology,
                                                        const std::vector<NodeId>& members) {
  if (members.empty() || !stencil_of(operation)) return neighbours_of(operation, topology);
  return neighbours_of(operation, *parse_topology("ring:" + std::to_string(members.size())));
}

Collective without_empty_blocks(const Algorithm& algorithm, const Topology& topology,
                                const Multicast& goal, int flits, Schedule& schedule, int parts,
                                const std::vector<NodeId>& members,
                                std::shared_ptr<const NeighbourBlocks> neighbours,
                                const PairLengths& pairs) {
  Collective goal_of_blocks =
      collective_of(algorithm, topology, goal, parts, members, std::move(neighbours), pairs)
          .of_length(flits);
  if (goal_of_blocks.has_empty_blocks()) {
    leave_out_empty_blocks(schedule, goal_of_blocks);
    close_gaps(schedule);
  }
  return goal_of_blocks;
}

std::vector<NodeId> relays(const Schedule& schedule, const Multicast& goal) {
  std::vector<NodeId> receivers;
  for (const Unicast& unicast : schedule.unicasts) receivers.push_back(unicast.v);
  std::sort(receivers.begin(), receivers.end());
  receivers.erase(std::unique(receivers.begin(), receivers.end()), receivers.end());
  std::vector<NodeId> others;
  std::set_difference(receivers.begin(), receivers.end(), goal.destinations.begin(),
                      goal.destinations.end(), std::back_inserter(others));
  return others;
}

}  // namespace allport
