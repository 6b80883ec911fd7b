// SPDX-License-Identifier: Apache-2.0
// The goal of a collective operation: which node holds what before, and which must hold what after.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// One source, a set of destinations, one message (MPI_Bcast over a group). A broadcast is the
/// multicast to all nodes except the source.
struct Multicast {
  NodeId source{};
  std::vector<NodeId> destinations;  ///< ascending, distinct, without the source
};

/// The multicast from `source` to every other node.
Multicast broadcast(const Topology& topology, NodeId source);

/// Checks and sorts `destinations`. Throws std::invalid_argument naming the node and the allowed
/// range for a node out of range, named twice or equal to the source, and for an empty set.
Multicast multicast(const Topology& topology, NodeId source, std::vector<NodeId> destinations);

/// The collective operations, by their MPI names.
enum class Operation {
  bcast,
  scatter,
  gather,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter,  ///< MPI_Reduce_scatter_block
  barrier
};

/// `allgather`
std::string_view to_string(Operation operation);
/// All operations, in the order above.
const std::vector<Operation>& operations();
/// The operation called `name`; throws std::invalid_argument that offers the nearest name.
Operation find_operation(std::string_view name);

/// A collective over blocks: how many there are, and which of them a node holds before and must
/// hold after.
///   bcast      block j is piece j of the root's message, wanted by the destinations
///   scatter    block i is the root's for node i
///   gather     block i is node i's for the root;  allgather: for all nodes
///   alltoall   block s * nodes + t is node s's for node t
///   reduce     each node holds a contribution of its own to every block of a vector, the root must
///              hold the sums;  allreduce: all nodes must hold them
///   reduce_scatter: the same of one block for each node; node i must hold the sum of block i
///   barrier    one sum, which all nodes must hold
class Collective {
 public:
  /// Any operation except bcast among the nodes 0 .. nodes - 1; `root` is ignored if the operation
  /// has none. A reduce or allreduce is over a vector of `vector_blocks` blocks; other operations
  /// have a number of their own. Throws std::invalid_argument when there are too many blocks to be
  /// numbered.
  Collective(Operation operation, std::size_t nodes, NodeId root, std::size_t vector_blocks = 1);
  /// The multicast `goal`, cut into `pieces` blocks.
  Collective(std::size_t nodes, const Multicast& goal, std::size_t pieces);

  Operation operation() const { return operation_; }
  NodeId root() const { return root_; }
  std::size_t node_count() const { return nodes_; }
  std::size_t block_count() const { return blocks_; }
  /// Whether blocks are sums to which nodes contribute; otherwise they are moved as they are.
  bool is_reduction() const;
  /// Whether the blocks are the parts of one message or vector, cut as evenly as its flits allow;
  /// otherwise they all have the same length.
  bool is_cut() const;
  /// Whether `node` holds the block before; for reductions, a contribution to it.
  bool holds_before(NodeId node, BlockId block) const;
  bool must_hold(NodeId node, BlockId block) const;
  /// The blocks that `node` holds before, or must hold after, ascending.
  std::vector<BlockId> blocks_before(NodeId node) const;
  std::vector<BlockId> blocks_after(NodeId node) const;
  /// The nodes that must hold a block which they do not hold before, ascending.
  std::vector<NodeId> receivers() const;

 private:
  Operation operation_;
  std::size_t nodes_;
  NodeId root_;
  std::size_t blocks_;
  std::vector<bool> is_destination_;  // destinations of a bcast
};

}  // namespace allport
