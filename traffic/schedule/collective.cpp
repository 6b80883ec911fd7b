// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/collective.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "rtl_model/base/names.h"

namespace allport {

namespace {

// How many blocks an operation among n nodes has: 1, as many as its message or vector is cut into,
// n, n * n, or those of NeighbourBlocks.
enum class BlockCount { one, cut, per_node, per_pair, per_neighbour };

// Which blocks a node has. An alltoall numbers the block of a pair sender * n + receiver, an
// exchange among neighbours as NeighbourBlocks does.
enum class Share {
  every,            // each node, all blocks
  root,             // the root alone, all blocks
  destination,      // each destination of a bcast, all blocks
  own,              // each node, the block with its number
  sent,             // each node, the blocks of the pairs in which it is the sender
  received,         // each node, the blocks of the pairs in which it is the receiver
  to_neighbours,    // each node, the blocks that its neighbours are to have of it
  from_neighbours,  // each node, the blocks that it is to have of its neighbours
};

struct OperationRow {
  BlockCount blocks;
  Share before;  // what a node holds before; of a reduction, what it contributes to
  Share after;   // what a node must hold after
  bool is_reduction = false;
  std::optional<Stencil> stencil{};
};

// In the order of Operation.
constexpr std::array<OperationRow, 12> table{{
    {BlockCount::cut, Share::root, Share::destination},
    {BlockCount::per_node, Share::root, Share::own},
    {BlockCount::per_node, Share::own, Share::root},
    {BlockCount::per_node, Share::own, Share::every},
    {BlockCount::per_pair, Share::sent, Share::received},
    {BlockCount::cut, Share::every, Share::root, true},
    {BlockCount::cut, Share::every, Share::every, true},
    {BlockCount::per_node, Share::every, Share::own, true},
    {BlockCount::one, Share::every, Share::every, true},
    {BlockCount::per_neighbour, Share::to_neighbours, Share::from_neighbours, false,
     Stencil::ports},
    {BlockCount::per_neighbour, Share::to_neighbours, Share::from_neighbours, false, Stencil::box},
    {BlockCount::per_neighbour, Share::to_neighbours, Share::from_neighbours, false,
     Stencil::corner},
}};

const OperationRow& row_of(Operation operation) {
  return table[static_cast<std::size_t>(operation)];
}

std::size_t count_blocks(Operation operation, std::size_t nodes, std::size_t cut) {
  switch (row_of(operation).blocks) {
    case BlockCount::cut:
      return cut;
    case BlockCount::per_node:
      return nodes;
    case BlockCount::per_pair:
      return nodes * nodes;
    default:
      return 1;
  }
}

// `count` runs of blocks, each of `length`, the first ones of which are `stride` apart, or the runs
// with these `numbers`.
struct Blocks {
  std::size_t first = 0;
  std::size_t count = 0;
  std::size_t length = 1;
  std::size_t stride = 1;
  const std::vector<std::uint32_t>* numbers = nullptr;  // ascending

  std::size_t begin(std::size_t run) const {
    return numbers == nullptr ? first + run * stride : (*numbers)[run] * length;
  }
  bool has(BlockId block) const {
    if (numbers != nullptr) {
      return std::binary_search(numbers->begin(), numbers->end(), block / length);
    }
    if (block < first) return false;
    const std::size_t place = block - first;
    return place % stride < length && place / stride < count;
  }
  // Calls `use(block)` for each, ascending, until it returns false.
  template <class Use>
  void for_each(const Use& use) const {
    for (std::size_t run = 0; run < count; ++run) {
      for (std::size_t i = 0; i < length; ++i) {
        if (!use(static_cast<BlockId>(begin(run) + i))) return;
      }
    }
  }
};

Blocks listed(const std::vector<std::uint32_t>& numbers, std::size_t parts) {
  return {0, numbers.size(), parts, 0, &numbers};
}

// The blocks of `share` that `node` has.
Blocks blocks_of(Share share, NodeId node, const Collective& collective,
                 const std::vector<bool>& is_destination) {
  if (!collective.is_member(node)) return {};
  const std::size_t i = collective.rank_of(node);
  const std::size_t nodes = collective.rank_count();
  const std::size_t parts = collective.part_count();
  const Blocks all{0, 1, collective.block_count(), collective.block_count()};
  switch (share) {
    case Share::root:
      return node == collective.root() ? all : Blocks{};
    case Share::destination:
      return is_destination[index(node)] ? all : Blocks{};
    case Share::own:
      return {i * parts, 1, parts, parts};
    case Share::sent:
      return {i * nodes * parts, 1, nodes * parts, nodes * parts};
    case Share::received:
      return {i * parts, nodes, parts, nodes * parts};
    case Share::to_neighbours:
      return listed(collective.neighbours()->sent_by(i), parts);
    case Share::from_neighbours:
      return listed(collective.neighbours()->received_by(i), parts);
    default:
      return all;
  }
}

std::vector<BlockId> list(const Blocks& blocks, const Collective& collective) {
  std::vector<BlockId> all;
  all.reserve(blocks.count * blocks.length);
  blocks.for_each([&](BlockId block) {
    if (!collective.is_empty(block)) all.push_back(block);
    return true;
  });
  return all;
}

// The share of number `i` when `flits` are shared out among `count`, the longer shares first.
int share_of(std::size_t i, int flits, std::size_t count) {
  const auto all = static_cast<std::size_t>(flits);
  return static_cast<int>(all / count + (i < all % count ? 1 : 0));
}

}  // namespace

Multicast broadcast(const Topology& topology, NodeId source) {
  require_node(topology, index(source), "source");
  Multicast goal{source, {}};
  goal.destinations.reserve(topology.node_count() - 1);
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    if (node_id(i) != source) goal.destinations.push_back(node_id(i));
  }
  return goal;
}

Multicast multicast(const Topology& topology, NodeId source, std::vector<NodeId> destinations) {
  require_node(topology, index(source), "source");
  if (destinations.empty()) {
    throw std::invalid_argument("a multicast needs at least one destination, 1.." +
                                std::to_string(topology.node_count() - 1) + " of " +
                                topology.name());
  }
  std::sort(destinations.begin(), destinations.end());
  require_node(topology, index(destinations.back()), "destination");
  const auto twice = std::adjacent_find(destinations.begin(), destinations.end());
  if (twice != destinations.end()) {
    throw std::invalid_argument("destination " + topology.node_name(*twice) +
                                " is named twice; every destination must be named once");
  }
  if (std::binary_search(destinations.begin(), destinations.end(), source)) {
    throw std::invalid_argument("destination " + topology.node_name(source) +
                                " is the source, which has the message already");
  }
  return {source, std::move(destinations)};
}

Operation find_operation(std::string_view name) {
  if (const std::optional<Operation> operation = value_named<Operation>(name)) return *operation;
  throw std::invalid_argument(unknown_name("collective", name, names_of<Operation>()));
}

bool is_cut(Operation operation) { return row_of(operation).blocks == BlockCount::cut; }

std::optional<Stencil> stencil_of(Operation operation) { return row_of(operation).stencil; }

Collective::Collective(Operation operation, std::size_t nodes, NodeId root,
                       std::size_t vector_blocks, std::size_t parts, std::vector<NodeId> members)
    : operation_(operation),
      nodes_(nodes),
      members_(std::move(members)),
      root_(root),
      blocks_(count_blocks(operation, rank_count(), vector_blocks)),
      parts_(parts) {
  if (stencil_of(operation)) throw std::logic_error("an exchange needs its neighbours");
  require_numbers();
}

Collective::Collective(Operation operation, std::size_t nodes,
                       std::shared_ptr<const NeighbourBlocks> blocks, std::size_t parts,
                       std::vector<NodeId> members)
    : operation_(operation),
      nodes_(nodes),
      members_(std::move(members)),
      neighbours_(std::move(blocks)),
      blocks_(neighbours_->block_count()),
      parts_(parts) {
  require_numbers();
}

void Collective::require_numbers() const {
  constexpr std::size_t largest = std::numeric_limits<BlockId>::max();
  if (blocks_ <= largest / parts_) return;
  throw std::invalid_argument(std::string(to_string(operation_)) + " among " +
                              std::to_string(rank_count()) + " nodes has " +
                              std::to_string(blocks_) + " blocks" +
                              (parts_ == 1 ? "" : " of " + std::to_string(parts_) + " parts each") +
                              ", but the limit is " + std::to_string(largest));
}

Collective::Collective(std::size_t nodes, const Multicast& goal, std::size_t pieces)
    : operation_(Operation::bcast),
      nodes_(nodes),
      root_(goal.source),
      blocks_(pieces),
      is_destination_(nodes) {
  for (const NodeId node : goal.destinations) is_destination_[index(node)] = true;
}

std::size_t Collective::rank_of(NodeId node) const {
  if (members_.empty()) return index(node);
  const auto found = std::lower_bound(members_.begin(), members_.end(), node);
  const bool is_there = found != members_.end() && *found == node;
  return is_there ? static_cast<std::size_t>(found - members_.begin()) : members_.size();
}

bool Collective::is_reduction() const { return row_of(operation_).is_reduction; }

bool Collective::is_cut() const { return allport::is_cut(operation_); }

int Collective::flits_of(BlockId block, int flits) const {
  int whole = is_cut() ? share_of(block / parts_, flits, blocks_) : flits;
  if (has_pair_lengths()) whole = (*pairs_)[block / parts_];
  return parts_ == 1 ? whole : share_of(block % parts_, whole, parts_);
}

Collective Collective::of_pairs(PairLengths lengths) const {
  const bool fits =
      lengths == nullptr || (operation_ == Operation::alltoall && lengths->size() == blocks_);
  if (!fits) throw std::logic_error("only the pairs of an alltoall have lengths of their own");
  Collective same = *this;
  same.pairs_ = std::move(lengths);
  return same;
}

Collective Collective::of_length(int flits) const {
  if (has_pair_lengths()) return *this;
  const int shortest = is_cut() ? share_of(blocks_ - 1, flits, blocks_) : flits;
  Collective same = *this;
  same.flits_ = static_cast<std::size_t>(shortest) < parts_ ? flits : 0;
  return same;
}

std::size_t Collective::full_block_count() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < block_count(); ++i) {
    if (!is_empty(static_cast<BlockId>(i))) ++count;
  }
  return count;
}

Collective Collective::of_blocks(const std::vector<BlockId>& some) const {
  auto is_there = std::make_shared<std::vector<bool>>(block_count());
  for (const BlockId block : some) (*is_there)[block] = !is_empty(block);
  Collective same = *this;
  same.some_ = std::move(is_there);
  return same;
}

bool Collective::has_alike_nodes() const {
  const OperationRow& row = row_of(operation_);
  const auto is_alike = [](Share share) {
    return share == Share::every || share == Share::own || share == Share::sent ||
           share == Share::received;
  };
  const bool has_blocks_of_nodes = blocks_ == nodes_ || row.blocks == BlockCount::per_pair;
  return members_.empty() && has_blocks_of_nodes && is_alike(row.before) && is_alike(row.after);
}

BlockEnds Collective::ends_of(BlockId block) const {
  const std::size_t whole = block / parts_;
  if (row_of(operation_).blocks != BlockCount::per_pair) return {node_id(whole), node_id(whole)};
  return {node_id(whole / nodes_), node_id(whole % nodes_)};
}

bool Collective::holds_before(NodeId node, BlockId block) const {
  return blocks_of(row_of(operation_).before, node, *this, is_destination_).has(block);
}

bool Collective::must_hold(NodeId node, BlockId block) const {
  return blocks_of(row_of(operation_).after, node, *this, is_destination_).has(block) &&
         !is_empty(block);
}

std::vector<BlockId> Collective::blocks_before(NodeId node) const {
  return list(blocks_of(row_of(operation_).before, node, *this, is_destination_), *this);
}

std::vector<BlockId> Collective::blocks_after(NodeId node) const {
  return list(blocks_of(row_of(operation_).after, node, *this, is_destination_), *this);
}

BlockRange Collective::sums_after(NodeId node) const {
  const Blocks after = blocks_of(row_of(operation_).after, node, *this, is_destination_);
  return {static_cast<BlockId>(after.first), after.count * after.length};
}

bool Collective::receives(NodeId node) const {
  const Blocks after = blocks_of(row_of(operation_).after, node, *this, is_destination_);
  // A sum is received from others, even by a node that contributes to it.
  if (is_reduction()) return rank_count() > 1 && after.count > 0;
  const Blocks before = blocks_of(row_of(operation_).before, node, *this, is_destination_);
  bool has_all = true;
  after.for_each([&](BlockId block) { return has_all = before.has(block) || is_empty(block); });
  return !has_all;
}

std::vector<NodeId> Collective::receivers() const {
  std::vector<NodeId> list;
  for (std::size_t i = 0; i < nodes_; ++i) {
    if (receives(node_id(i))) list.push_back(node_id(i));
  }
  return list;
}

void leave_out_empty_blocks(Schedule& schedule, const Collective& collective) {
  if (!collective.has_empty_blocks()) return;
  std::vector<Unicast>& unicasts = schedule.unicasts;
  std::vector<bool> is_empty(collective.block_count());
  for (BlockId block = 0; block < is_empty.size(); ++block) {
    is_empty[block] = collective.is_empty(block);
  }
  const auto is_left_out = [&](BlockId block) {
    return block < is_empty.size() && is_empty[block];
  };
  const auto without_empty = [&](const OneOrMore<BlockId>& all) {
    if (std::none_of(all.begin(), all.end(), is_left_out)) return all;
    std::vector<BlockId> blocks;
    std::remove_copy_if(all.begin(), all.end(), std::back_inserter(blocks), is_left_out);
    return OneOrMore<BlockId>(std::move(blocks));
  };
  struct Known {
    OneOrMore<BlockId> all;  // kept, so that no other list comes to lie in its place
    OneOrMore<BlockId> left;
  };
  std::unordered_map<const BlockId*, Known> known;  // of lists that several messages share
  for (Unicast& unicast : unicasts) {
    const OneOrMore<BlockId> all = unicast.blocks;
    unicast.blocks.clear();
    if (!all.is_shared()) {
      unicast.blocks = without_empty(all);
      continue;
    }
    const auto found = known.find(all.begin());
    unicast.blocks =
        found != known.end()
            ? found->second.left
            : known.insert({all.begin(), {all, without_empty(all)}}).first->second.left;
  }
  unicasts.erase(std::remove_if(unicasts.begin(), unicasts.end(),
                                [](const Unicast& one) { return one.blocks.empty(); }),
                 unicasts.end());
}

}  // namespace allport
