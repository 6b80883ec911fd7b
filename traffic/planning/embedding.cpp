// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/embedding.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "traffic/planning/pieces.h"
#include "traffic/planning/replanning.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/free_steps.h"

namespace allport {

namespace {

[[noreturn]] void refuse_worms(const Algorithm& algorithm) {
  throw std::invalid_argument("algorithm " + std::string(algorithm.name) +
                              " is sent by the routers' worms, which cannot be placed by ranks");
}

}  // namespace

Embedding::Embedding(const std::shared_ptr<const Topology>& guest, const Routing& host)
    : Embedding(Placement{guest, gray_order(*guest, host.topology())}, host) {}

Embedding::Embedding(Placement placement, const Routing& host)
    : guest_(host.of_ranks(placement.ranks)),
      host_(host),
      gone_(placement.gone()),
      on_host_(std::move(placement.nodes)),
      dimensions_(std::move(placement.dimensions)),
      on_guest_(host.topology().node_count()) {
  for (std::size_t i = 0; i < on_host_.size(); ++i) {
    if (on_host_[i] != nowhere) on_guest_[index(on_host_[i])] = node_id(i);
  }
  if (on_host_.size() - gone_ == on_guest_.size()) return;
  members_ = on_host_;
  std::sort(members_.begin(), members_.end());
}

// A broadcast without ranks that are gone is made of one with them.
Multicast Embedding::guest_goal(const Algorithm& algorithm, const Multicast& goal) const {
  const bool is_to_all = goal.destinations.size() + 1 == on_guest_.size();
  if (gone_ > 0 && is_to_all && algorithm.destinations == Destinations::all) {
    return broadcast(guest_.topology(), on_guest(goal.source));
  }
  std::vector<NodeId> destinations;
  for (const NodeId node : goal.destinations) destinations.push_back(on_guest(node));
  return multicast(guest_.topology(), on_guest(goal.source), std::move(destinations));
}

std::size_t Embedding::place_of(NodeId node) const {
  if (members_.empty()) return index(node);
  const auto found = std::lower_bound(members_.begin(), members_.end(), node);
  return static_cast<std::size_t>(found - members_.begin());
}

// Blocks are numbered by the nodes to which they belong, in ascending order. Where ranks are gone,
// a vector with a block for each rank is cut into as many as there are left.
std::optional<BlockId> Embedding::block_on_host(BlockId block, const Blocks& blocks) const {
  const auto ranks = static_cast<BlockId>(on_host_.size());
  const auto places = static_cast<BlockId>(on_host_.size() - gone_);
  const auto place = [this](BlockId rank) -> std::optional<BlockId> {
    const NodeId node = on_host(node_id(rank));
    if (node == nowhere) return std::nullopt;
    return static_cast<BlockId>(place_of(node));
  };
  const BlockId part = block % blocks.parts;
  block /= blocks.parts;
  std::optional<BlockId> number = block;
  switch (blocks.operation) {
    case Operation::scatter:
    case Operation::gather:
    case Operation::allgather:
    case Operation::reduce_scatter:
      number = place(block);
      break;
    case Operation::alltoall: {
      const auto from = place(block / ranks);
      const auto to = place(block % ranks);
      number = from && to ? std::make_optional(*from * places + *to) : std::nullopt;
      break;
    }
    case Operation::allreduce:
      if (gone_ > 0 && blocks.is_vector_by_rank) number = place(block);
      break;
    default:
      break;
  }
  if (blocks.neighbours != nullptr) {
    const auto each = static_cast<BlockId>(blocks.neighbours->per_rank());
    number = place(block / each);
    if (number) number = *number * each + block % each;
    if (gone_ > 0 && number && !blocks.neighbours->receiver(*number)) number.reset();
  }
  return number ? std::make_optional(*number * blocks.parts + part) : std::nullopt;
}

std::shared_ptr<const NeighbourBlocks> Embedding::neighbours(Operation operation) const {
  std::vector<std::size_t> places;
  for (const NodeId node : on_host_) {
    places.push_back(node == nowhere ? NeighbourBlocks::no_place : place_of(node));
  }
  return neighbours_of(operation, guest_.topology(), places);
}

// A message goes the way round a ring that the guest's goes, where this is a minimal way, and
// otherwise by the tie-break.
TieMask Embedding::ties_on_host(const Unicast& unicast) const {
  const TieMask ties = host_.default_ties(on_host(unicast.u), on_host(unicast.v), unicast.order);
  if (dimensions_.empty() || host_.topology().is_hypercube()) return ties;
  const std::vector<int> planned =
      guest_.displacement(unicast.u, unicast.v, ties_of(unicast, guest_));
  std::vector<int> displacement(host_.topology().dimension_count());
  for (std::size_t i = 0; i < dimensions_.size(); ++i) displacement[dimensions_[i]] = planned[i];
  return host_.ties_of(on_host(unicast.u), on_host(unicast.v), displacement).value_or(ties);
}

void Embedding::place(Schedule& schedule, const Blocks& blocks) const {
  if (gone_ > 0) {
    std::vector<bool> is_gone;
    for (const NodeId node : on_host_) is_gone.push_back(node == nowhere);
    schedule = without_ranks(
        schedule, is_gone, [&](BlockId block) { return block_on_host(block, blocks).has_value(); });
  }
  for (Unicast& unicast : schedule.unicasts) {
    const TieMask ties = ties_on_host(unicast);
    unicast.u = on_host(unicast.u);
    unicast.v = on_host(unicast.v);
    unicast.displacement.clear();
    set_ties(unicast, ties, host_);
    std::vector<BlockId> on_host = unicast.blocks.values();
    for (BlockId& block : on_host) block = *block_on_host(block, blocks);
    unicast.blocks = std::move(on_host);
  }
  schedule.sort();
}

// A message that is sent whole is one block of the collective.
void Embedding::assign_steps(Schedule& schedule, const Collective& collective,
                             int internal_ports) const {
  const bool has_blocks = !schedule.unicasts.front().blocks.empty();
  for (Unicast& unicast : schedule.unicasts) {
    if (!has_blocks) unicast.blocks = {0};
  }
  assign_free_steps(schedule, collective, host_, internal_ports);
  for (Unicast& unicast : schedule.unicasts) {
    if (!has_blocks) unicast.blocks.clear();
  }
}

Collective Embedding::goal_on_host(const Algorithm& algorithm, const Multicast& goal,
                                   const Schedule& schedule, int parts,
                                   std::shared_ptr<const NeighbourBlocks> neighbours) const {
  const Topology& host = host_.topology();
  if (algorithm.operation != Operation::bcast) {
    return collective_of(algorithm, host, goal, parts, members_, std::move(neighbours));
  }
  return {host.node_count(), goal, std::max<std::size_t>(piece_count(schedule), 1)};
}

Schedule Embedding::placed(Schedule of_ranks, const Collective& goal) const {
  if (!dimensions_.empty()) settle_ties(of_ranks, guest_);
  place(of_ranks, {goal.operation(), static_cast<BlockId>(goal.part_count()), goal.neighbours()});
  return of_ranks;
}

Schedule Embedding::plan(const Algorithm& algorithm, const Multicast& goal, int internal_ports,
                         int parts, int flits, std::uint64_t seed,
                         std::shared_ptr<const UnitBlock> block) const {
  if (algorithm.kind != MessageKind::unicast) refuse_worms(algorithm);
  // A node with all ports has all ports of the guest, even if these are more than its own.
  const auto ports_of = [](const Routing& routing) {
    return static_cast<int>(routing.topology().node_port_count());
  };
  const bool is_all_port = internal_ports == ports_of(host_);
  const int guest_ports =
      is_all_port ? ports_of(guest_) : std::min(internal_ports, ports_of(guest_));
  const int count = part_count(algorithm, guest_.topology(), parts);
  const Multicast of_guest = guest_goal(algorithm, goal);
  PlanRequest request{guest_, guest_ports, of_guest, StepRule::naive, count};
  request.timing.flits = flits;
  request.seed = seed;
  request.block = std::move(block);
  Schedule schedule = allport::plan(algorithm, request);
  if (!schedule.has_unicasts_only()) refuse_worms(algorithm);
  const auto exchanged = neighbours(algorithm.operation);
  place(schedule, {algorithm.operation, static_cast<BlockId>(count), exchanged.get(),
                   algorithm.vector == Vector::in_blocks});
  if (keeps_port_rule(schedule, host_, internal_ports)) return schedule;
  assign_steps(schedule, goal_on_host(algorithm, goal, schedule, count, exchanged), internal_ports);
  return schedule;
}

}  // namespace allport
