// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/placement.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

#include "rtl_model/base/powers.h"
#include "rtl_model/base/split_mix.h"

namespace allport {

namespace {

bool is_even(int side) { return side % 2 == 0; }
int bits_of(int side) { return __builtin_ctz(static_cast<unsigned>(side)); }

std::size_t product(const std::vector<int>& sides) {
  return std::accumulate(sides.begin(), sides.end(), std::size_t{1}, [](std::size_t all, int side) {
    return all * static_cast<std::size_t>(side);
  });
}

// Back and forth: a digit runs backwards where the number that the higher ones form is odd.
std::vector<std::size_t> path_of(const std::vector<int>& sides) {
  std::vector<std::size_t> nodes(product(sides));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::size_t stride = 1;
    for (const int side : sides) {
      const auto length = static_cast<std::size_t>(side);
      const std::size_t digit = i / stride % length;
      const bool is_backwards = i / (stride * length) % 2 == 1;
      nodes[i] += stride * (is_backwards ? length - 1 - digit : digit);
      stride *= length;
    }
  }
  return nodes;
}

// Rows along a path through the other dimensions, without its first node, by which the cycle
// returns: it needs an even number of rows.
std::vector<std::size_t> cycle_over_rows(const std::vector<int>& sides, std::size_t dimension) {
  std::size_t below = 1;  // nodes in the dimensions below
  for (std::size_t i = 0; i < dimension; ++i) below *= static_cast<std::size_t>(sides[i]);
  const auto rows = static_cast<std::size_t>(sides[dimension]);
  std::vector<int> others = sides;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(dimension));
  const std::vector<std::size_t> path = path_of(others);
  const auto node = [&](std::size_t row, std::size_t at) {
    return path[at] % below + (row + path[at] / below * rows) * below;
  };
  std::vector<std::size_t> nodes{node(0, 0)};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 1; i < path.size(); ++i) {
      nodes.push_back(node(row, is_even(static_cast<int>(row)) ? i : path.size() - i));
    }
  }
  for (std::size_t row = rows - 1; row > 0; --row) nodes.push_back(node(row, 0));
  return nodes;
}

// The product of two cycles of odd lengths, the rows at least as many as the columns. A row that is
// walked upwards ends one column lower than it began, downwards one higher; `up` rows upwards make
// the last one end, `columns` columns further, where the first began.
template <class Node>
void weave(std::size_t rows, std::size_t columns, std::vector<std::size_t>& nodes, Node node) {
  const std::size_t up = (rows - columns) / 2;
  std::size_t column = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t step = row < up ? 1 : columns - 1;
    for (std::size_t i = 0; i < columns; ++i) {
      nodes.push_back(node(row, (column + i * step) % columns));
    }
    column = (column + (columns - 1) * step) % columns;
  }
}

// Of a torus with odd sides, dimension by dimension.
std::vector<std::size_t> odd_cycle(const std::vector<int>& sides) {
  std::vector<std::size_t> cycle{0};
  for (const int side : sides) {
    const auto length = static_cast<std::size_t>(side);
    const std::size_t below = cycle.size();
    std::vector<std::size_t> next;
    if (below >= length) {
      weave(below, length, next,
            [&](std::size_t row, std::size_t column) { return cycle[row] + column * below; });
    } else {
      weave(length, below, next,
            [&](std::size_t row, std::size_t column) { return cycle[column] + row * below; });
    }
    cycle = std::move(next);
  }
  return cycle;
}

std::string sides_in_words(const std::vector<int>& sides) {
  std::string words;
  for (const int side : sides) words += (words.empty() ? "" : "x") + std::to_string(side);
  return words;
}

[[noreturn]] void refuse(const Topology& ranks, const Topology& shape, const std::string& why) {
  throw std::invalid_argument(ranks.name() + " on " + shape.name() + ": " + why);
}

void require_grid(const Topology& ranks, const Topology& shape) {
  if (ranks.is_hypercube()) {
    refuse(ranks, shape, "only a ring, a torus or a mesh of ranks is laid along a fabric");
  }
}

void require_size(const Topology& ranks, const Topology& shape) {
  if (ranks.node_count() == shape.node_count()) return;
  refuse(ranks, shape,
         "it has " + std::to_string(ranks.node_count()) + " nodes, but must have " +
             std::to_string(shape.node_count()));
}

// The sides of `shape` along which each dimension of `ranks` lies.
std::vector<std::vector<int>> parts_of(const Topology& ranks, const Topology& shape) {
  std::vector<std::vector<int>> parts;
  auto next = shape.sides().begin();
  for (const int side : ranks.sides()) {
    std::vector<int>& part = parts.emplace_back();
    while (product(part) < static_cast<std::size_t>(side)) part.push_back(*next++);
    if (product(part) == static_cast<std::size_t>(side)) continue;
    refuse(
        ranks, shape,
        "a snake lays each dimension of the ranks along whole dimensions of the nodes, in order, but " +
            std::to_string(side) + " is not the product of the next sides of " +
            sides_in_words(shape.sides()));
  }
  return parts;
}

}  // namespace

Tour tour_of(const std::vector<int>& sides, bool wrap) {
  const auto even = std::find_if(sides.begin(), sides.end(), is_even);
  if (sides.size() == 1) return {path_of(sides), wrap || sides.front() == 2};
  if (even != sides.end()) {
    return {cycle_over_rows(sides, static_cast<std::size_t>(even - sides.begin())), true};
  }
  return wrap ? Tour{odd_cycle(sides), true} : Tour{path_of(sides), false};
}

std::vector<NodeId> gray_order(const Topology& ranks, const Topology& cube) {
  if (!cube.is_hypercube()) {
    refuse(ranks, cube, "topologies can be embedded in hypercubes only");
  }
  require_grid(ranks, cube);
  if (!std::all_of(ranks.sides().begin(), ranks.sides().end(), is_power_of_two<int>)) {
    refuse(ranks, cube, "its sides must be powers of two");
  }
  require_size(ranks, cube);
  std::vector<NodeId> nodes;
  nodes.reserve(ranks.node_count());
  for (std::size_t rank = 0; rank < ranks.node_count(); ++rank) {
    std::size_t address = 0;
    for (std::size_t i = 0; i < ranks.dimension_count(); ++i) {
      const auto coordinate = static_cast<std::size_t>(ranks.coordinate(node_id(rank), i));
      address = address << bits_of(ranks.sides()[i]) | (coordinate ^ coordinate >> 1);
    }
    nodes.push_back(node_id(address));
  }
  return nodes;
}

std::vector<NodeId> snake_order(const Topology& ranks, const Topology& shape) {
  require_grid(ranks, shape);
  require_size(ranks, shape);
  const std::vector<std::vector<int>> parts = parts_of(ranks, shape);
  std::vector<Tour> tours;
  tours.reserve(parts.size());
  // A dimension that lies along a single one keeps its coordinates.
  for (const std::vector<int>& part : parts) tours.push_back(tour_of(part, shape.wraps()));
  std::vector<NodeId> nodes;
  nodes.reserve(ranks.node_count());
  for (std::size_t rank = 0; rank < ranks.node_count(); ++rank) {
    std::size_t node = 0;
    std::size_t stride = 1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const auto coordinate = static_cast<std::size_t>(ranks.coordinate(node_id(rank), i));
      node += stride * tours[i].nodes[coordinate];
      stride *= tours[i].nodes.size();
    }
    nodes.push_back(node_id(node));
  }
  return nodes;
}

std::vector<std::size_t> random_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  SplitMix64 generator(seed);
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[static_cast<std::size_t>(generator.next() % left)]);
  }
  return order;
}

std::size_t Placement::gone() const {
  return static_cast<std::size_t>(std::count(nodes.begin(), nodes.end(), nowhere));
}

Dilation dilation_of(const Placement& placement, const Routing& routing) {
  Dilation dilation;
  double sum = 0;
  for (const Channel& channel : placement.ranks->channels()) {
    const std::size_t from = index(channel.node);
    const std::size_t to = index(*placement.ranks->neighbour(channel.node, channel.port));
    if (placement.nodes[from] == nowhere || placement.nodes[to] == nowhere) continue;
    const int hops = routing.distance(placement.nodes[from], placement.nodes[to]);
    sum += hops;
    ++dilation.channels;
    if (hops > 1) ++dilation.far;
    if (hops <= dilation.longest) continue;
    dilation.longest = hops;
    dilation.from = from;
    dilation.to = to;
  }
  if (dilation.channels > 0) dilation.mean = sum / static_cast<double>(dilation.channels);
  return dilation;
}

}  // namespace allport
