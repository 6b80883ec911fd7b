// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/range.h"
#include "rtl_model/base/words.h"
#include "testbench/plan/counts.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/resolve.h"
#include "traffic/planning/embedding.h"
#include "traffic/planning/pieces.h"
#include "traffic/schedule/joins.h"
#include "traffic/theory/timing_model.h"

namespace allport {

namespace {

// Options that assign steps of their own do so by the first rule.
void require_naive_steps(const RunRequest& request, const char* option) {
  if (request.traffic.step_rule == StepRule::naive) return;
  throw std::invalid_argument(fmt::format("--steps aware: it cannot be combined with {}", option));
}

int flits_of(const RunRequest& request) {
  if (request.message.bytes == 0) return request.message.flits;
  const auto flit_bytes = static_cast<std::size_t>(request.message.flit_bytes);
  return static_cast<int>((request.message.bytes - 1) / flit_bytes + 1);
}

}  // namespace

TimingParameters timing_of(const RunRequest& request) {
  return {request.node.ts, request.node.tr, flits_of(request), router_choice(request),
          phits_of(request, *request.fabric.topology)};
}

namespace {

// The message of a multicast in pieces. With one piece the plan is unchanged, unless it has more
// pieces of its own than the message has flits. A synthesized one is in its pieces already.
Schedule cut(Schedule whole, const Algorithm& algorithm, const PlanContext& context) {
  const RunRequest& request = context.request;
  const bool is_multicast = algorithm.operation == Operation::bcast;
  const bool has_unicasts = algorithm.kind == MessageKind::unicast && whole.has_unicasts_only();
  const int flits = flits_of(request);
  if (algorithm.is_synthesized && is_multicast) return whole;
  if (request.message.pieces == 1) {
    if (!is_multicast || !has_unicasts) return whole;
    if (piece_count(whole) <= static_cast<std::size_t>(flits)) return whole;
    return in_pieces(whole, flits, context.routing, context.internal_ports);
  }
  require_naive_steps(request, "--pieces");
  if (!is_multicast || !has_unicasts) {
    throw std::invalid_argument(fmt::format(
        "--pieces: only multicasts by unicasts can be cut; the algorithm {} {}", algorithm.name,
        is_multicast ? "sends worms" : fmt::format("is for {}", to_string(algorithm.operation))));
  }
  if (request.message.pieces > flits) {
    throw std::invalid_argument(fmt::format("--pieces {}: must be {}, the flits of the message",
                                            request.message.pieces, range_in_words(1, flits)));
  }
  const TimingParameters message = timing_of(request);
  const int pieces = request.message.pieces > 0
                         ? request.message.pieces
                         : best_pieces(whole, context.routing, context.internal_ports, message);
  return in_pieces(whole, pieces, context.routing, context.internal_ports);
}

std::vector<NodeId> members_of(const NodeGroup* group) {
  return group == nullptr ? std::vector<NodeId>{} : group->nodes;
}

// How long the block of each pair is: that of the ranks of `algorithm` where they are placed.
PairLengths lengths_in(const Algorithm& algorithm, const PlanContext& context) {
  const auto& topology = context.routing.shared_topology();
  require_counted(context.request, algorithm.operation);
  if (context.request.message.pairs == nullptr) return nullptr;
  const auto placement = placement_of(algorithm, context.request, topology, context.group);
  return lengths_of_pairs(
      context.request, algorithm.operation,
      context.group == nullptr ? topology->node_count() : context.group->nodes.size(),
      placement && placement->gone() == 0 ? placement->nodes : std::vector<NodeId>{});
}

}  // namespace

Schedule plan_whole(const Algorithm& algorithm, const Multicast& goal, const PlanContext& context) {
  std::optional<Placement> placement =
      placement_of(algorithm, context.request, context.routing.shared_topology(), context.group);
  if (!placement) {
    PlanRequest request{context.routing, context.internal_ports, goal,
                        context.request.traffic.step_rule, context.request.message.parts};
    if (algorithm.is_in_network) request.members = members_of(context.group);
    request.join = context.request.message.join;
    request.timing = timing_of(context.request);
    request.has_blocks_left_out = context.empty_blocks == EmptyBlocks::left_out;
    request.seed = context.request.traffic.seed;
    request.chain = chain_nodes(context.request, context.routing.topology());
    request.block = context.request.traffic.units;
    if (algorithm.is_synthesized) {
      request.members = members_of(context.group);
      request.neighbours =
          neighbours_among(algorithm.operation, context.routing.shared_topology(), context.group);
      request.pairs = lengths_in(algorithm, context);
      if (context.missing != nullptr) request.missing = *context.missing;
      const int pieces = context.request.message.pieces;
      if (algorithm.operation == Operation::bcast && pieces > 1) request.parts = pieces;
    }
    return plan(algorithm, request);
  }
  const bool is_by_table = context.routing.table() != nullptr;
  if (is_by_table && !context.request.traffic.chain.empty()) {
    throw std::invalid_argument(
        fmt::format("--chain: it is split by the routes of e-cube, and routing {} has others",
                    context.routing.name()));
  }
  require_naive_steps(context.request, context.request.traffic.embed != nullptr ? "--embed"
                                       : is_by_table                            ? "a routing table"
                                                     : "ranks that are placed on nodes");
  return Embedding(std::move(*placement), context.routing)
      .plan(algorithm, goal, context.internal_ports, context.request.message.parts,
            flits_of(context.request), context.request.traffic.seed, context.request.traffic.units);
}

namespace {

// Who exchanges blocks with whom: the ranks of `algorithm` where they are placed.
std::shared_ptr<const NeighbourBlocks> neighbours_in(const Algorithm& algorithm,
                                                     const PlanContext& context) {
  const auto& topology = context.routing.shared_topology();
  if (!stencil_of(algorithm.operation)) return nullptr;
  std::optional<Placement> placement =
      placement_of(algorithm, context.request, topology, context.group);
  if (!placement) return neighbours_among(algorithm.operation, topology, context.group);
  return Embedding(std::move(*placement), context.routing).neighbours(algorithm.operation);
}

// Parts without a flit are not sent. To ask for more parts than flits is a mistake, unless the
// algorithm has that number of its own.
void require_parts(const Algorithm& algorithm, const RunRequest& request) {
  if (algorithm.own_parts != nullptr || request.message.parts <= flits_of(request)) return;
  throw std::invalid_argument(fmt::format("--parts {}: must be {}, the flits of the message",
                                          request.message.parts,
                                          range_in_words(1, flits_of(request))));
}

// All nodes that contribute have a message; the root of a join receives, or they all do.
void take_contributors(PlannedCollective& planned) {
  const std::vector<Unicast>& lines = planned.schedule.unicasts;
  planned.sources.clear();
  for (const Unicast& line : lines) planned.sources.push_back(line.u);
  const bool is_to_root = planned.operation == Operation::reduce;
  planned.destinations = is_to_root ? std::vector<NodeId>{lines.front().v} : planned.sources;
}

}  // namespace

PlannedCollective plan_goal(const Algorithm& algorithm, const Multicast& goal,
                            const PlanContext& context) {
  require_parts(algorithm, context.request);
  const PairLengths pairs = lengths_in(algorithm, context);
  PlannedCollective planned;
  planned.sources = {goal.source};
  planned.destinations = goal.destinations;
  planned.schedule = cut(plan_whole(algorithm, goal, context), algorithm, context);
  planned.kind = algorithm.kind;
  if (planned.kind == MessageKind::tree) {
    PlanRequest request{context.routing, context.internal_ports, goal};
    request.members = members_of(context.group);
    planned.free = aligned_dimensions(algorithm.name, request);
  }
  planned.operation = algorithm.operation;
  const Topology& topology = context.routing.topology();
  if (is_join(algorithm.kind)) {
    take_contributors(planned);
  } else if (algorithm.operation != Operation::bcast) {
    const auto fabric =
        planned_on(algorithm, context.request, context.routing.shared_topology(), context.group);
    const int parts = part_count(algorithm, *fabric, context.request.message.parts);
    const std::vector<NodeId> members = members_of(context.group);
    const auto neighbours = neighbours_in(algorithm, context);
    planned.goal = std::make_shared<Collective>(
        context.empty_blocks == EmptyBlocks::kept
            ? collective_of(algorithm, topology, goal, parts, members, neighbours, pairs)
            : without_empty_blocks(algorithm, topology, goal, flits_of(context.request),
                                   planned.schedule, parts, members, neighbours, pairs));
    planned.destinations = planned.goal->receivers();
  } else if (const std::size_t pieces = piece_count(planned.schedule); pieces > 0) {
    planned.goal = std::make_shared<Collective>(topology.node_count(), goal, pieces);
  }
  add_address_fields(planned, &algorithm, context.request, topology);
  if (context.missing != nullptr) {
    require_links(planned, algorithm.operation, context.routing, *context.missing);
  }
  return planned;
}

namespace {

// The numbers of blocks and parts that are asked for must have a meaning for the collective.
void require_cuts(const RunRequest& request, bool is_cut) {
  const Operation operation = request.traffic.collective;
  if (request.message.blocks > 0 && !is_cut) {
    throw std::invalid_argument(fmt::format(
        "--blocks {}: it is for a bcast, reduce or allreduce; the number of blocks of {} follows from the nodes",
        request.message.blocks, to_string(operation)));
  }
  if (request.message.parts > 1 &&
      (operation == Operation::bcast || operation == Operation::barrier)) {
    throw std::invalid_argument(fmt::format("--parts {}: the blocks of a {} have no parts",
                                            request.message.parts, to_string(operation)));
  }
}

// The blocks that the vector or message of a schedule file is cut into, each of `parts` parts.
std::size_t vector_blocks(const RunRequest& request, std::size_t carried, std::size_t parts,
                          bool is_bcast) {
  const std::size_t blocks = request.message.blocks > 0
                                 ? static_cast<std::size_t>(request.message.blocks)
                                 : (carried + parts - 1) / parts;
  if (blocks <= static_cast<std::size_t>(limits::pieces.high) / parts) return blocks;
  if (request.message.blocks > 0) {
    throw std::invalid_argument(
        fmt::format("--blocks {} of {} parts each: a {} has at most {} of them", blocks, parts,
                    is_bcast ? "message" : "vector", limits::pieces.high));
  }
  throw std::invalid_argument(
      fmt::format("the schedule carries block {}: a {} has at most {} {}, so its blocks are 0..{}",
                  carried - 1, is_bcast ? "message" : "vector", limits::pieces.high,
                  is_bcast ? "pieces" : "blocks", limits::pieces.high - 1));
}

}  // namespace

std::shared_ptr<const Collective> goal_of_schedule(
    const Schedule& schedule, const RunRequest& request, const std::vector<NodeId>& sources,
    const std::vector<NodeId>& destinations, const std::shared_ptr<const Topology>& topology,
    const NodeGroup* group, const std::vector<NodeId>& nodes_of_ranks) {
  const std::size_t carried = piece_count(schedule);
  const Operation operation = request.traffic.collective;
  const bool is_bcast = operation == Operation::bcast;
  require_counted(request, operation);
  if (carried == 0 && is_bcast) {
    const bool has_blocks = request.message.blocks > 0;
    if (!has_blocks && request.message.parts <= 1) return nullptr;
    throw std::invalid_argument(
        fmt::format("--{} {}: the schedule carries no blocks", has_blocks ? "blocks" : "parts",
                    has_blocks ? request.message.blocks : request.message.parts));
  }
  if (carried == 0) {
    throw std::invalid_argument(
        fmt::format("--collective {}: the schedule carries no blocks", to_string(operation)));
  }
  if (sources.size() > 1) {
    throw std::invalid_argument(fmt::format(
        "--source names {} nodes, but a collective of blocks has one root", sources.size()));
  }
  if (!is_bcast && !request.traffic.destinations.is_all()) {
    throw std::invalid_argument(
        fmt::format("--collective {}: it is for all nodes, so the destinations must be 'all'",
                    to_string(operation)));
  }
  const auto parts = static_cast<std::size_t>(std::max(request.message.parts, 1));
  const bool has_cuts = is_cut(operation);
  require_cuts(request, has_cuts);
  const std::size_t blocks = has_cuts ? vector_blocks(request, carried, parts, is_bcast) : 1;
  const std::size_t nodes = topology->node_count();
  if (is_bcast) {
    return std::make_shared<Collective>(nodes, Multicast{sources.front(), destinations}, blocks);
  }
  const std::vector<NodeId> members = members_of(group);
  if (auto neighbours = neighbours_among(operation, topology, group)) {
    return std::make_shared<Collective>(operation, nodes, std::move(neighbours), parts, members);
  }
  const Collective goal(operation, nodes, sources.front(), blocks, parts, members);
  return std::make_shared<Collective>(
      goal.of_pairs(lengths_of_pairs(request, operation, goal.rank_count(), nodes_of_ranks)));
}

PlannedCollective plan_message_barrier(const Routing& routing, int internal_ports) {
  const Topology& topology = routing.topology();
  if (!topology.is_hypercube()) {
    throw std::invalid_argument(fmt::format(
        "--barrier messages: the barrier needs the spanning binomial tree of a hypercube; {} is not one",
        topology.name()));
  }
  const Multicast goal = broadcast(topology, node_id(0));
  PlannedCollective planned;
  planned.sources = {goal.source};
  planned.schedule = plan(find_algorithm("sbt-barrier"), {routing, internal_ports, goal});
  planned.is_barrier = true;
  planned.goal =
      std::make_shared<Collective>(Operation::barrier, topology.node_count(), goal.source);
  return planned;
}

void take_all_senders(PlannedCollective& planned, const Routing& routing) {
  std::set<NodeId> senders;
  std::set<NodeId> all;
  const auto add_receivers = [&](const Unicast& line) {
    const std::vector<NodeId> nodes = receivers(line, routing);
    all.insert(nodes.begin(), nodes.end());
  };
  for (const Unicast& line : planned.schedule.unicasts) {
    if (!line.blocks.empty()) {
      throw std::invalid_argument(describe(line, routing.topology()) +
                                  ": a schedule with joins carries no blocks");
    }
    senders.insert(line.u);
    if (!is_join(line.kind)) add_receivers(line);
  }
  for (const PlannedJoin& join : joins_of(planned.schedule)) {  // one of its lines stands for all
    add_receivers(planned.schedule.unicasts[join.lines.front()]);
  }
  planned.sources.assign(senders.begin(), senders.end());
  planned.destinations.assign(all.begin(), all.end());
}

}  // namespace allport
