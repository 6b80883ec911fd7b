// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/neighbour_blocks.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "traffic/schedule/schedule.h"

namespace allport {

namespace {

using Offsets = std::vector<std::vector<int>>;

// A port's channel leads one place on in its dimension: the even ports of a grid up.
Offsets offsets_of_ports(const Topology& topology) {
  Offsets all;
  for (std::size_t port = 0; port < topology.port_count(); ++port) {
    std::vector<int> offset(topology.dimension_count());
    const bool is_up = topology.is_hypercube() || port % 2 == 0;
    offset[topology.dimension_of(port_id(port))] = is_up ? 1 : -1;
    all.push_back(std::move(offset));
  }
  return all;
}

// The values of an offset in a dimension: -1 and 0, or 1 too.
std::size_t values_of(Stencil stencil) { return stencil == Stencil::box ? 3 : 2; }

// The neighbours of a node of a box or corner.
std::size_t count_of(Stencil stencil, const Topology& topology) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < topology.dimension_count(); ++i) count *= values_of(stencil);
  return count - 1;
}

bool are_few(std::size_t neighbours, const Topology& topology) {
  return neighbours <= max_planned_messages / topology.node_count();
}

// All offsets but that to the node itself.
Offsets offsets_around(Stencil stencil, const Topology& topology) {
  const std::size_t values = values_of(stencil);
  Offsets all;
  for (std::size_t number = 0; number <= count_of(stencil, topology); ++number) {
    std::vector<int> offset(topology.dimension_count());
    bool is_itself = true;
    std::size_t rest = number;
    for (int& step : offset) {
      step = static_cast<int>(rest % values) - 1;
      rest /= values;
      is_itself = is_itself && step == 0;
    }
    if (!is_itself) all.push_back(std::move(offset));
  }
  return all;
}

}  // namespace

Offsets offsets_of(Stencil stencil, const Topology& topology) {
  if (stencil == Stencil::ports) return offsets_of_ports(topology);
  if (topology.is_hypercube()) {
    throw std::invalid_argument("a hypercube has no corners: exchanges among the neighbours of " +
                                std::string(stencil == Stencil::box ? "a box" : "a corner") +
                                " are for rings, tori and meshes, not for " + topology.name());
  }
  const std::size_t count = count_of(stencil, topology);
  if (!are_few(count, topology)) {
    throw std::invalid_argument("each node of " + topology.name() + " has " +
                                std::to_string(count) +
                                " such neighbours, but the limit is nodes x neighbours = " +
                                std::to_string(max_planned_messages));
  }
  return offsets_around(stencil, topology);
}

bool has_neighbours(Stencil stencil, const Topology& topology) {
  if (stencil == Stencil::ports) return true;
  return !topology.is_hypercube() && are_few(count_of(stencil, topology), topology);
}

std::optional<NodeId> node_at(const Topology& topology, NodeId node,
                              const std::vector<int>& offset) {
  std::optional<NodeId> there = node;
  for (std::size_t i = 0; i < offset.size() && there; ++i) {
    if (offset[i] == 0) continue;
    const std::size_t port = topology.is_hypercube() ? i : 2 * i + (offset[i] > 0 ? 0 : 1);
    there = topology.neighbour(*there, port_id(port));
  }
  return there;
}

NeighbourBlocks::NeighbourBlocks(Stencil stencil, const Topology& ranks,
                                 const std::vector<std::size_t>& places) {
  const Offsets offsets = offsets_of(stencil, ranks);
  const auto gone = static_cast<std::size_t>(std::count(places.begin(), places.end(), no_place));
  const std::size_t nodes = ranks.node_count() - gone;
  per_rank_ = offsets.size();
  receivers_.assign(nodes * per_rank_, nobody);
  sent_.resize(nodes);
  received_.resize(nodes);
  const auto place = [&](std::size_t rank) { return places.empty() ? rank : places[rank]; };
  for (std::size_t rank = 0; rank < ranks.node_count(); ++rank) {
    if (place(rank) == no_place) continue;
    for (std::size_t i = 0; i < per_rank_; ++i) {
      const std::optional<NodeId> there = node_at(ranks, node_id(rank), offsets[i]);
      if (there && place(index(*there)) != no_place) {
        receivers_[place(rank) * per_rank_ + i] = static_cast<std::uint32_t>(place(index(*there)));
      }
    }
  }
  for (std::uint32_t block = 0; block < receivers_.size(); ++block) {
    if (receivers_[block] == nobody) continue;
    sent_[sender(block)].push_back(block);
    received_[receivers_[block]].push_back(block);
  }
}

}  // namespace allport
