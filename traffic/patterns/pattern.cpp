// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/pattern.h"

#include <stdexcept>
#include <string>

#include "rtl_model/base/names.h"
#include "rtl_model/base/powers.h"

namespace allport {

namespace {

bool has_node_bits(const Topology& topology) { return is_power_of_two(topology.node_count()); }

bool is_grid(const Topology& topology) { return !topology.is_hypercube() && !topology.is_graph(); }

bool is_square(const Topology& topology) {
  const std::vector<int>& sides = topology.sides();
  return is_grid(topology) && sides.size() == 2 && sides[0] == sides[1];
}

int node_bits(const Topology& topology) {
  int bits = 0;
  while (std::size_t{1} << bits < topology.node_count()) ++bits;
  return bits;
}

bool can_transpose(const Topology& topology) {
  return is_square(topology) || (has_node_bits(topology) && node_bits(topology) % 2 == 0);
}

// Bit i of the node goes to bit i + distance, modulo the number of bits.
NodeId rotated(const Topology& topology, NodeId node, int distance) {
  const int bits = node_bits(topology);
  const std::size_t all = topology.node_count() - 1;
  return node_id((index(node) << distance | index(node) >> (bits - distance)) & all);
}

NodeId transposed(const Topology& topology, NodeId node) {
  if (!is_square(topology)) return rotated(topology, node, node_bits(topology) / 2);
  const auto side = static_cast<std::size_t>(topology.sides()[0]);
  return node_id(index(node) / side + side * (index(node) % side));
}

NodeId complemented(const Topology& topology, NodeId node) {
  return node_id(topology.node_count() - 1 - index(node));
}

NodeId bits_reversed(const Topology& topology, NodeId node) {
  std::size_t reversed = 0;
  for (int bit = 0; bit < node_bits(topology); ++bit) {
    reversed = reversed << 1 | (index(node) >> bit & 1U);
  }
  return node_id(reversed);
}

NodeId ends_swapped(const Topology& topology, NodeId node) {
  const int bits = node_bits(topology);
  if (bits < 2) return node;
  const std::size_t ends = std::size_t{1} << (bits - 1) | 1U;
  const std::size_t own = index(node) & ends;
  return own == 0 || own == ends ? node : node_id(index(node) ^ ends);
}

NodeId shuffled(const Topology& topology, NodeId node) { return rotated(topology, node, 1); }

// The node `offset(side)` farther in every dimension, modulo the sides.
NodeId shifted(const Topology& topology, NodeId node, int (*offset)(int side)) {
  std::size_t number = 0;
  std::size_t stride = 1;
  for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
    const int side = topology.sides()[i];
    const int coordinate = (topology.coordinate(node, i) + offset(side)) % side;
    number += stride * static_cast<std::size_t>(coordinate);
    stride *= static_cast<std::size_t>(side);
  }
  return node_id(number);
}

NodeId almost_half_way(const Topology& topology, NodeId node) {
  return shifted(topology, node, [](int side) { return (side + 1) / 2 - 1; });
}

NodeId next_in_all(const Topology& topology, NodeId node) {
  return shifted(topology, node, [](int) { return 1; });
}

}  // namespace

const std::vector<Pattern>& patterns() {
  constexpr std::string_view everywhere = "every fabric";
  constexpr std::string_view with_bits = "fabrics whose number of nodes is a power of two";
  constexpr std::string_view grids = "rings, tori and meshes";
  constexpr std::string_view book = "DallyTowles04";
  static const std::vector<Pattern> table{
      {"uniform", "every other node is an equally likely destination", everywhere, book},
      {"transpose", "(x,y) to (y,x), or elsewhere the halves of the node's bits change places",
       "square tori and meshes of two dimensions, or fabrics of 4^n nodes", book, transposed,
       can_transpose},
      {"bit-complement", "to the node with every bit inverted", with_bits, book, complemented,
       has_node_bits},
      {"bit-reverse", "to the node with the bits in reverse order", with_bits, book, bits_reversed,
       has_node_bits},
      {"shuffle", "to the node with the bits rotated left by one", with_bits, book, shuffled,
       has_node_bits},
      {"butterfly", "to the node with its first and its last bit exchanged", with_bits, book,
       ends_swapped, has_node_bits},
      {"tornado", "to the node ceil(K/2)-1 farther in every dimension, modulo its side K", grids,
       book, almost_half_way, is_grid},
      {"neighbor", "to the next node in every dimension, modulo its side", grids, book, next_in_all,
       is_grid},
      {"hotspot", "a share of the messages to the hotspots, the rest as uniform", everywhere,
       "PfisterNorton85", nullptr, nullptr, true},
  };
  return table;
}

const Pattern& find_pattern(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Pattern& pattern : patterns()) {
    if (pattern.name == name) return pattern;
    names.push_back(pattern.name);
  }
  throw std::invalid_argument(unknown_name("pattern", name, names));
}

void require_defined(const Pattern& pattern, const Topology& topology) {
  if (pattern.partner == nullptr) return;
  const std::string start = "pattern " + std::string(pattern.name) + " ";
  if (!pattern.is_defined_on(topology)) {
    throw std::invalid_argument(start + "is for " + std::string(pattern.fabrics) + ", not for " +
                                topology.name() + " with its " +
                                std::to_string(topology.node_count()) + " nodes");
  }
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    if (pattern.partner(topology, node_id(i)) != node_id(i)) return;
  }
  throw std::invalid_argument(start + "sends nothing on " + topology.name() +
                              ": every node is its own partner there");
}

}  // namespace allport
