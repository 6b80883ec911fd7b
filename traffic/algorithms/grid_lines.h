// SPDX-License-Identifier: Apache-2.0
// This header gives a grid as lines of nodes, and boxes of its nodes: collectives that go through
// the dimensions of a ring, torus or mesh are planned by them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "rtl_model/topology/grid.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// A way along a line: a dimension, and +1 or -1.
struct Way {
  std::size_t dimension = 0;
  int sign = 1;
};

/// In the order in which a node sends: + before -.
inline std::array<Way, 2> ways(std::size_t dimension) {
  return {{{dimension, 1}, {dimension, -1}}};
}

class Lines {
 public:
  /// `topology` must be a grid, and outlive the lines.
  explicit Lines(const Topology& topology) : grid_(dynamic_cast<const Grid&>(topology)) {}

  std::size_t nodes() const { return grid_.node_count(); }
  std::size_t dimensions() const { return grid_.dimension_count(); }
  int side(std::size_t dimension) const { return grid_.sides()[dimension]; }
  int place(NodeId node, std::size_t dimension) const { return grid_.coordinate(node, dimension); }

  /// How many nodes what begins at `node` serves along `way`, where both ways share a line.
  int reach(NodeId node, const Way& way) const;
  /// The largest reach of all nodes along `way`.
  int longest(const Way& way) const;
  /// The node `distance` places on along `way`.
  NodeId on(NodeId node, const Way& way, int distance) const;
  /// The route from `node` to the node `offset` places on in `dimension`, at most half way around a
  /// ring; its u, v and, if the route is not the default, its displacement are set.
  Unicast move(NodeId node, std::size_t dimension, int offset) const;
  /// The route from `node` to its neighbour along `way`.
  Unicast hop(NodeId node, const Way& way) const { return move(node, way.dimension, way.sign); }
  /// Whether what begins `distance` places behind `node` goes on from there along `way`.
  bool passes(NodeId node, const Way& way, int distance) const;

 private:
  const Grid& grid_;
};

/// Nodes of a grid by the coordinates that they may have in each dimension: at first those of one
/// node.
class Box {
 public:
  Box(const Lines& lines, NodeId node);

  Box& widen(std::size_t dimension);
  Box& widen_below(std::size_t dimension);
  Box& widen_above(std::size_t dimension);
  Box& set(std::size_t dimension, std::vector<int> places);

  /// Their numbers, dimension 0 fastest.
  std::vector<std::size_t> nodes() const;

 private:
  const Lines& lines_;
  std::vector<std::vector<int>> places_;  // by dimension
};

}  // namespace allport
