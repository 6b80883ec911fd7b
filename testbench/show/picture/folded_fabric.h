// SPDX-License-Identifier: Apache-2.0
// A FoldedFabric is a fabric as it is drawn: cells, which are single nodes or, in a large fabric,
// blocks of them, and the lines between cells and inside them. Of a graph each router is a cell,
// also one without a processor, in one row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "testbench/observe/explain/fabric_channels.h"

namespace allport {

class FoldedFabric {
 public:
  /// A fabric of more nodes is drawn in blocks.
  static constexpr std::size_t most_cells = 4096;
  /// The same of one that is no graph: so many can be told from one another.
  static constexpr std::size_t most_regular_cells = 512;

  /// External channels between two cells in one dimension and direction.
  struct Line {
    std::size_t from = 0;  ///< cell
    std::size_t to = 0;
    std::size_t dimension = 0;  ///< of a graph the port
    std::size_t port = 0;       ///< of `from`: that of its channels, or of the first of them
    int direction = 0;          ///< 1 or -1; 0 on a hypercube and on a graph
    std::size_t channels = 0;
  };

  /// Both references must outlive it. Blocks are halves, quarters and so on along the longest
  /// sides, so that at most `most` cells are left.
  FoldedFabric(const Topology& topology, const FabricChannels& channels,
               std::size_t most = most_cells);

  /// Cells along each dimension.
  const std::vector<int>& sides() const { return sides_; }
  /// Nodes of a cell along each dimension; there may be fewer in the last cell.
  const std::vector<int>& factors() const { return factors_; }
  std::size_t cells() const { return first_nodes_.size(); }
  /// The lowest node of each cell.
  const std::vector<NodeId>& first_nodes() const { return first_nodes_; }
  std::size_t cell_of(NodeId node) const { return cell_of_[index(node)]; }

  /// The lines between cells; they are followed by those inside each cell: its injection channels,
  /// its ejection channels, its external channels and its processors.
  const std::vector<Line>& lines() const { return lines_; }
  std::size_t line_count() const { return lines_.size() + 4 * cells(); }
  /// The line to which a channel, or a processor, belongs.
  std::size_t line_of(FabricChannels::Number place) const;
  /// The internal port, 0 .. K - 1, of a channel that is an injection channel and has a cell of its
  /// own; else -1.
  int injection_port_of(FabricChannels::Number place) const;

 private:
  void fold(std::size_t most);
  int coordinate(NodeId node, std::size_t dimension) const;
  void find_cells();
  void find_lines();

  const Topology& topology_;
  const FabricChannels& channels_;
  std::vector<int> sides_;
  std::vector<int> factors_;
  std::vector<NodeId> first_nodes_;
  std::vector<std::size_t> cell_of_;    // by node
  std::vector<Line> lines_;             // by cell, then port
  std::vector<std::uint32_t> line_of_;  // by node, then external port
};

}  // namespace allport
