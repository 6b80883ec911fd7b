// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/groups.h"

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/grid.h"
#include "rtl_model/topology/hypercube.h"

namespace allport {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

std::string box_in_words(const std::vector<int>& sides) {
  std::string words;
  for (const int side : sides) words += (words.empty() ? "box:" : "x") + std::to_string(side);
  return words;
}

// `name`: of the group, as it is given; empty: the caller names it.
void require_any_dimension(const Topology& topology, const std::string& name) {
  if (topology.is_graph())
    refuse(name + (name.empty() ? "" : ": ") + topology.name() +
           " has no dimensions; a group is a list of nodes");
}

void require_dimensions(const Topology& topology, const std::vector<int>& sides) {
  require_any_dimension(topology, box_in_words(sides));
  if (topology.is_hypercube()) {
    refuse(box_in_words(sides) + ": boxes are for rings, tori and meshes; a group of " +
           topology.name() + " is a subcube");
  }
  if (sides.size() == topology.dimension_count()) return;
  refuse(box_in_words(sides) + ": it has " + std::to_string(sides.size()) +
         " sides, but must have " + std::to_string(topology.dimension_count()) + ", one for each " +
         "dimension of " + topology.name());
}

// The dimensions in which a box is longer than one node.
std::vector<std::size_t> dimensions_of(const std::vector<int>& sides) {
  std::vector<std::size_t> dimensions;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i] > 1) dimensions.push_back(i);
  }
  return dimensions;
}

// The fabric of a box whose side in dimension i is sides[i].
std::shared_ptr<const Topology> shape_of(const Topology& topology, const std::vector<int>& sides) {
  std::vector<int> long_sides;
  bool is_whole = true;
  for (const std::size_t i : dimensions_of(sides)) {
    long_sides.push_back(sides[i]);
    is_whole = is_whole && sides[i] == topology.sides()[i];
  }
  if (topology.is_hypercube()) {
    return std::make_shared<Hypercube>(static_cast<int>(long_sides.size()));
  }
  const bool closes = is_whole && topology.wraps();
  const TopologyKind closed = long_sides.size() == 1 ? TopologyKind::ring : TopologyKind::torus;
  return std::make_shared<Grid>(closes ? closed : TopologyKind::mesh, long_sides);
}

// The nodes from `corner` on, dimension 0 fastest and so ascending.
std::vector<NodeId> nodes_of(const Topology& topology, const std::vector<int>& sides,
                             const std::vector<int>& corner) {
  std::vector<NodeId> nodes{NodeId{}};
  std::size_t stride = 1;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    std::vector<NodeId> all;
    for (int at = corner[i]; at < corner[i] + sides[i]; ++at) {
      for (const NodeId node : nodes) {
        all.push_back(node_id(index(node) + static_cast<std::size_t>(at) * stride));
      }
    }
    nodes = std::move(all);
    stride *= static_cast<std::size_t>(topology.sides()[i]);
  }
  return nodes;
}

// A box for each corner that is a multiple of the sides.
std::vector<NodeGroup> tiles(const Topology& topology, const std::vector<int>& sides) {
  const std::shared_ptr<const Topology> shape = shape_of(topology, sides);
  std::vector<NodeGroup> groups;
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    std::vector<int> corner;
    for (std::size_t j = 0; j < sides.size(); ++j) {
      const int at = topology.coordinate(node_id(i), j);
      if (at % sides[j] == 0) corner.push_back(at);
    }
    if (corner.size() == sides.size()) {
      groups.push_back({nodes_of(topology, sides, corner), shape, dimensions_of(sides)});
    }
  }
  return groups;
}

}  // namespace

bool NodeGroup::has(NodeId node) const {
  return std::binary_search(nodes.begin(), nodes.end(), node);
}

NodeGroup whole_fabric(const std::shared_ptr<const Topology>& topology) {
  if (topology->is_graph()) {
    NodeGroup all;
    for (std::size_t i = 0; i < topology->node_count(); ++i) all.nodes.push_back(node_id(i));
    return all;
  }
  const std::vector<int> corner(topology->dimension_count(), 0);
  return {nodes_of(*topology, topology->sides(), corner), topology,
          dimensions_of(topology->sides())};
}

NodeGroup list_group(const Topology& topology, std::vector<NodeId> nodes, GroupUse use) {
  for (const NodeId node : nodes) require_node(topology, index(node), "node of the group");
  std::sort(nodes.begin(), nodes.end());
  const auto twice = std::adjacent_find(nodes.begin(), nodes.end());
  if (twice != nodes.end()) {
    refuse("node " + topology.node_name(*twice) + " is named twice in the group");
  }
  const std::size_t least = use == GroupUse::tasks ? 1 : 2;
  if (nodes.size() >= least) return {std::move(nodes)};
  refuse("the group has " + std::string(nodes.empty() ? "no member" : "one member") +
         ", but a collective is among 2.." + std::to_string(topology.node_count()) + " nodes of " +
         topology.name());
}

NodeGroup box_group(const Topology& topology, const std::vector<int>& sides,
                    const std::vector<int>& corner, GroupUse use) {
  require_dimensions(topology, sides);
  if (corner.size() != sides.size()) {
    refuse(box_in_words(sides) + ": its corner has " + std::to_string(corner.size()) +
           " coordinates, but must have " + std::to_string(sides.size()));
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int side = topology.sides()[i];
    if (sides[i] >= 1 && corner[i] >= 0 && sides[i] <= side && corner[i] <= side - sides[i]) {
      continue;
    }
    refuse(box_in_words(sides) + ": with side " + std::to_string(sides[i]) + " from " +
           std::to_string(corner[i]) + " on it leaves dimension " + std::to_string(i) + " of " +
           topology.name() + ", whose coordinates are 0.." + std::to_string(side - 1));
  }
  if (std::all_of(sides.begin(), sides.end(), [](int side) { return side == 1; })) {
    if (use == GroupUse::tasks) return {nodes_of(topology, sides, corner)};
    refuse(box_in_words(sides) + ": the group has one member, but a collective needs two");
  }
  return {nodes_of(topology, sides, corner), shape_of(topology, sides), dimensions_of(sides)};
}

NodeGroup subcube_group(const Topology& topology, std::string_view pattern, GroupUse use) {
  const std::string name = "subcube:0b" + shown(pattern, 40);
  require_any_dimension(topology, name);
  if (!topology.is_hypercube()) {
    refuse(name + ": subcubes are for hypercubes; a group of " + topology.name() + " is a box");
  }
  const std::size_t dimensions = topology.dimension_count();
  if (pattern.size() != dimensions) {
    refuse(name + ": it has " + std::to_string(pattern.size()) + " places, but must have " +
           std::to_string(dimensions) + ", one for each dimension of " + topology.name());
  }
  std::vector<int> sides(dimensions, 1);
  std::vector<int> corner(dimensions, 0);
  for (std::size_t i = 0; i < dimensions; ++i) {
    const char place = pattern[dimensions - 1 - i];
    if (place == 'x') sides[i] = 2;
    if (place == '1') corner[i] = 1;
  }
  if (pattern.find('x') == std::string_view::npos) {
    if (use == GroupUse::tasks) return {nodes_of(topology, sides, corner)};
    refuse(name + ": the group has one member, but a collective needs two; give an x for each " +
           "dimension of the subcube");
  }
  return {nodes_of(topology, sides, corner), shape_of(topology, sides), dimensions_of(sides)};
}

std::vector<NodeGroup> groups_along(const Topology& topology,
                                    const std::vector<std::size_t>& dimensions) {
  require_any_dimension(topology, "");
  std::vector<int> sides(topology.dimension_count(), 1);
  for (const std::size_t dimension : dimensions) {
    if (dimension >= sides.size()) {
      refuse("dimension " + std::to_string(dimension) + " is not " + one_of(sides.size()) + " of " +
             topology.name());
    }
    if (sides[dimension] > 1) {
      refuse("dimension " + std::to_string(dimension) + " is named twice");
    }
    sides[dimension] = topology.sides()[dimension];
  }
  return tiles(topology, sides);
}

std::vector<NodeGroup> groups_of_boxes(const Topology& topology, const std::vector<int>& sides) {
  require_dimensions(topology, sides);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const int side = topology.sides()[i];
    if (sides[i] >= 1 && side % sides[i] == 0) continue;
    refuse(box_in_words(sides) + ": its side " + std::to_string(sides[i]) +
           " does not divide the side " + std::to_string(side) + " of dimension " +
           std::to_string(i) + " of " + topology.name());
  }
  if (std::all_of(sides.begin(), sides.end(), [](int side) { return side == 1; })) {
    refuse(box_in_words(sides) + ": each group has one member, but a collective needs two");
  }
  return tiles(topology, sides);
}

void require_disjoint(const Topology& topology, const std::vector<NodeGroup>& groups) {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> group_of(topology.node_count(), none);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const NodeId node : groups[i].nodes) {
      std::size_t& group = group_of[index(node)];
      if (group != none) {
        refuse("groups " + std::to_string(group) + " and " + std::to_string(i) +
               " overlap: both have node " + topology.node_name(node));
      }
      group = i;
    }
  }
}

}  // namespace allport
