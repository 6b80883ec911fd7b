// SPDX-License-Identifier: Apache-2.0
// A Collective is the goal of a collective operation: which node holds what before, and which must
// hold what after.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "rtl_model/base/name_table.h"
#include "rtl_model/topology/topology.h"
#include "traffic/schedule/neighbour_blocks.h"
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
  barrier,
  neighbor,      ///< MPI_Neighbor_alltoall, with the neighbours of Stencil::ports
  neighbor_box,  ///< with those of Stencil::box
  neighbor_nw,   ///< with those of Stencil::corner
};

template <>
inline constexpr std::array<Named<Operation>, 12> name_table<Operation>{
    {{Operation::bcast, "bcast"},
     {Operation::scatter, "scatter"},
     {Operation::gather, "gather"},
     {Operation::allgather, "allgather"},
     {Operation::alltoall, "alltoall"},
     {Operation::reduce, "reduce"},
     {Operation::allreduce, "allreduce"},
     {Operation::reduce_scatter, "reduce_scatter"},
     {Operation::barrier, "barrier"},
     {Operation::neighbor, "neighbor"},
     {Operation::neighbor_box, "neighbor_box"},
     {Operation::neighbor_nw, "neighbor_nw"}}};
/// All operations, in the order above.
inline constexpr auto operations = values_of<Operation>();
/// The operation called `name`; throws std::invalid_argument that offers the nearest name.
Operation find_operation(std::string_view name);
/// Whether the blocks of `operation` are what one message or vector is cut into.
bool is_cut(Operation operation);
/// With whom a node exchanges blocks in `operation`; none: it is no exchange among neighbours.
std::optional<Stencil> stencil_of(Operation operation);

/// The flits of each block of an alltoall, by its number; of what a rank keeps for itself, none.
using PairLengths = std::shared_ptr<const std::vector<int>>;

/// Blocks in a row: first .. first + count - 1.
struct BlockRange {
  BlockId first = 0;
  std::size_t count = 0;
};

/// The nodes to which a block belongs: for an alltoall the two of its pair, otherwise one node.
struct BlockEnds {
  NodeId from{};
  NodeId to{};
};

/// A collective over blocks: how many there are, and which of them a node holds before and must
/// hold after. Each block may be cut into Q parts, which are blocks of their own: part q of block b
/// has the number bQ + q, and nodes hold what they hold of all parts.
///   bcast      block j is piece j of the root's message, wanted by the destinations
///   scatter    block i is the root's for node i
///   gather     block i is node i's for the root;  allgather: for all nodes
///   alltoall   block s * nodes + t is node s's for node t
///   reduce     each node holds a contribution of its own to every block of a vector, the root must
///              hold the sums;  allreduce: all nodes must hold them
///   reduce_scatter: the same of one block for each node; node i must hold the sum of block i
///   barrier    one sum, which all nodes must hold
///   neighbor   block r * D + d is node r's for its d-th neighbour, of D (NeighbourBlocks)
/// Among a group of nodes, `nodes` is the number of its members, and block i is that of its i-th
/// member.
class Collective {
 public:
  /// Any operation except bcast and exchanges among neighbours among `members`, ascending, of the
  /// nodes 0 .. nodes - 1; empty: among them all. `root` is ignored if the operation has none. A
  /// reduce or allreduce is over a vector of `vector_blocks` blocks; other operations have a number
  /// of their own. Each block is cut into `parts`. Throws std::invalid_argument when there are too
  /// many blocks to be numbered.
  Collective(Operation operation, std::size_t nodes, NodeId root, std::size_t vector_blocks = 1,
             std::size_t parts = 1, std::vector<NodeId> members = {});
  /// The exchange `operation` of `blocks`, whose rank i is the i-th of `members`, ascending; empty:
  /// node i.
  Collective(Operation operation, std::size_t nodes, std::shared_ptr<const NeighbourBlocks> blocks,
             std::size_t parts = 1, std::vector<NodeId> members = {});
  /// The multicast `goal`, cut into `pieces` blocks.
  Collective(std::size_t nodes, const Multicast& goal, std::size_t pieces);

  Operation operation() const { return operation_; }
  NodeId root() const { return root_; }
  /// Who exchanges which blocks with whom; null: it is no exchange among neighbours.
  const NeighbourBlocks* neighbours() const { return neighbours_.get(); }
  /// The nodes of the fabric, whether or not they take part.
  std::size_t node_count() const { return nodes_; }
  /// The nodes that take part, and the place of a node among them; rank_count(): it takes no part.
  std::size_t rank_count() const { return members_.empty() ? nodes_ : members_.size(); }
  std::size_t rank_of(NodeId node) const;
  NodeId member(std::size_t rank) const {
    return members_.empty() ? node_id(rank) : members_[rank];
  }
  bool is_member(NodeId node) const { return members_.empty() || rank_of(node) < members_.size(); }
  /// The number of blocks, parts counted one by one.
  std::size_t block_count() const { return blocks_ * parts_; }
  /// Q, the number of parts of each block.
  std::size_t part_count() const { return parts_; }
  /// Whether blocks are sums to which nodes contribute; otherwise they are moved as they are.
  bool is_reduction() const;
  /// Whether the blocks are the parts of one message or vector, cut as evenly as its flits allow;
  /// otherwise they all have the same length.
  bool is_cut() const;
  /// The flits of `block` where the message, the vector or each block that is not cut has `flits`:
  /// it is cut into its blocks and these into their parts, the lengths differing by one flit at
  /// most, the longer ones first. Pairs have lengths of their own instead.
  int flits_of(BlockId block, int flits) const;
  /// The same alltoall where each pair has a block of a length of its own; null: as it is. Blocks
  /// without a flit are empty.
  Collective of_pairs(PairLengths lengths) const;
  bool has_pair_lengths() const { return pairs_ != nullptr; }
  /// The flits of the whole block of `from` for `to`, places among the nodes that take part.
  int pair_flits(std::size_t from, std::size_t to) const {
    return (*pairs_)[from * rank_count() + to];
  }
  /// The same collective where the message, the vector or each block has `flits` flits, 1 or more:
  /// blocks without a flit are empty, and nobody has to hold them.
  Collective of_length(int flits) const;
  bool has_empty_blocks() const { return flits_ > 0 || has_pair_lengths() || some_ != nullptr; }
  bool is_empty(BlockId block) const {
    if (some_ != nullptr && !(*some_)[block]) return true;
    return (flits_ > 0 || has_pair_lengths()) && flits_of(block, flits_) == 0;
  }
  /// The number of blocks that are not empty.
  std::size_t full_block_count() const;
  /// The same collective where all blocks but `some` are empty.
  Collective of_blocks(const std::vector<BlockId>& some) const;
  /// Whether no node differs from another: if all nodes changed places, and with each the blocks
  /// that belong to it, every node would hold before and have to hold after what it does now, but
  /// for empty blocks. Each node has as many blocks then, those of `from` one after another.
  bool has_alike_nodes() const;
  /// The nodes to which `block` belongs, where nodes are alike.
  BlockEnds ends_of(BlockId block) const;
  /// Whether `node` holds the block before; for reductions, a contribution to it.
  bool holds_before(NodeId node, BlockId block) const;
  bool must_hold(NodeId node, BlockId block) const;
  /// The blocks that `node` holds before, or must hold after, ascending.
  std::vector<BlockId> blocks_before(NodeId node) const;
  std::vector<BlockId> blocks_after(NodeId node) const;
  /// Of a reduction, the blocks of which `node` must hold sums after, empty ones among them.
  BlockRange sums_after(NodeId node) const;
  /// The nodes that must hold a block which they do not hold before, ascending.
  std::vector<NodeId> receivers() const;

 private:
  bool receives(NodeId node) const;
  void require_numbers() const;

  Operation operation_;
  std::size_t nodes_;
  std::vector<NodeId> members_;  // empty: all nodes
  NodeId root_{};
  std::shared_ptr<const NeighbourBlocks> neighbours_{};
  std::size_t blocks_;
  std::size_t parts_ = 1;
  int flits_ = 0;                     // the length with which some blocks are empty; 0: none are
  PairLengths pairs_{};               // null: all blocks of an alltoall have one length
  std::vector<bool> is_destination_;  // destinations of a bcast
  std::shared_ptr<const std::vector<bool>> some_{};  // the blocks of of_blocks(); null: all
};

/// Takes the empty blocks of `collective` out of the messages of `schedule`, and the messages that
/// carry no others out of the schedule.
void leave_out_empty_blocks(Schedule& schedule, const Collective& collective);

}  // namespace allport
