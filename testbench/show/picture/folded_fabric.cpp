// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/folded_fabric.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace allport {

FoldedFabric::FoldedFabric(const Topology& topology, const FabricChannels& channels,
                           std::size_t most)
    : topology_(topology),
      channels_(channels),
      sides_(topology.is_graph() ? std::vector<int>{static_cast<int>(topology.router_count())}
                                 : topology.sides()),
      factors_(sides_.size(), 1) {
  fold(most);
  find_cells();
  find_lines();
}

void FoldedFabric::fold(std::size_t most) {
  const std::vector<int> all = sides_;
  const auto count = [this] {
    std::size_t cells = 1;
    for (const int side : sides_) cells *= static_cast<std::size_t>(side);
    return cells;
  };
  while (count() > most) {
    const auto longest = std::max_element(sides_.begin(), sides_.end()) - sides_.begin();
    const auto dimension = static_cast<std::size_t>(longest);
    factors_[dimension] *= 2;
    sides_[dimension] = (all[dimension] + factors_[dimension] - 1) / factors_[dimension];
  }
}

// Of a graph, whose routers have no coordinates, the number counts.
int FoldedFabric::coordinate(NodeId node, std::size_t dimension) const {
  return topology_.is_graph() ? static_cast<int>(index(node))
                              : topology_.coordinate(node, dimension);
}

void FoldedFabric::find_cells() {
  std::size_t cells = 1;
  for (const int side : sides_) cells *= static_cast<std::size_t>(side);
  const NodeId none = node_id(topology_.router_count());
  first_nodes_.assign(cells, none);
  for (std::size_t i = 0; i < topology_.router_count(); ++i) {
    std::size_t cell = 0;
    for (std::size_t dimension = sides_.size(); dimension-- > 0;) {
      const int at = coordinate(node_id(i), dimension) / factors_[dimension];
      cell = cell * static_cast<std::size_t>(sides_[dimension]) + static_cast<std::size_t>(at);
    }
    cell_of_.push_back(cell);
    if (first_nodes_[cell] == none) first_nodes_[cell] = node_id(i);
  }
}

void FoldedFabric::find_lines() {
  const std::size_t ports = topology_.port_count();
  line_of_.assign(topology_.router_count() * ports, 0);
  // By cell and port, or in blocks of a graph, whose ports lead anywhere, by both cells.
  std::unordered_map<std::size_t, std::uint32_t> known;
  const bool is_by_cells = topology_.is_graph() && cells() < topology_.router_count();
  const auto number_inside = [this](std::size_t cell) {
    return static_cast<std::uint32_t>(lines_.size() + 2 * cells() + cell);
  };
  std::vector<std::pair<std::size_t, std::size_t>> inside;  // channels that stay, and their cells
  for (std::size_t i = 0; i < topology_.router_count(); ++i) {
    for (std::size_t port = 0; port < ports; ++port) {
      const auto far = topology_.neighbour(node_id(i), port_id(port));
      if (!far) continue;
      const std::size_t from = cell_of_[i];
      const std::size_t to = cell_of(*far);
      if (from == to) {
        inside.emplace_back(i * ports + port, from);
        continue;
      }
      const auto next = static_cast<std::uint32_t>(lines_.size());
      const std::size_t key = is_by_cells ? from * cells() + to : from * ports + port;
      const auto [line, is_new] = known.try_emplace(key, next);
      if (is_new) {
        const bool has_signs = !topology_.is_hypercube() && !topology_.is_graph();
        const int direction = !has_signs ? 0 : port % 2 == 0 ? 1 : -1;
        const std::size_t dimension =
            topology_.is_graph() ? port : topology_.dimension_of(port_id(port));
        lines_.push_back({from, to, dimension, port, direction, 0});
      }
      ++lines_[line->second].channels;
      line_of_[i * ports + port] = line->second;
    }
  }
  for (const auto& [channel, cell] : inside) line_of_[channel] = number_inside(cell);
}

std::size_t FoldedFabric::line_of(FabricChannels::Number place) const {
  if (channels_.is_processor(place)) {
    const std::size_t node = place - channels_.processor(node_id(0));
    return lines_.size() + 3 * cells() + cell_of_[node];
  }
  const FabricChannels::End end = channels_.sender(place);
  if (channels_.is_external(place)) {
    return line_of_[index(end.node) * topology_.port_count() + static_cast<std::size_t>(end.port)];
  }
  const std::size_t kind = channels_.is_injection(place) ? 0 : 1;
  return lines_.size() + kind * cells() + cell_of(end.node);
}

int FoldedFabric::injection_port_of(FabricChannels::Number place) const {
  if (!channels_.is_injection(place) || cells() < topology_.router_count()) return -1;
  return channels_.sender(place).port - channels_.config().external_ports;
}

}  // namespace allport
