// SPDX-License-Identifier: Apache-2.0
// A BlockMemory has the stores of all nodes for the collectives of a trial that move blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tlm/processor/block_store.h"

namespace allport {

class BlockMemory {
 public:
  /// Forgets all stores; `collectives` collectives follow, among `nodes` nodes.
  void reset(std::size_t nodes, std::size_t collectives);
  /// Gives every node the blocks of collective `number` that it holds at the beginning; `schedule`,
  /// which must outlive its stores, carries it out.
  void add(int number, std::shared_ptr<const Collective> collective, const Schedule& schedule,
           const BlockLengths& lengths, BlockBytes kept = BlockBytes::all);

  bool has_blocks(int collective) const {
    return stores_[static_cast<std::size_t>(collective)] != nullptr;
  }
  /// The store of `node`; only for collectives that were added.
  BlockStore& store(NodeId node, int collective) {
    return stores_[static_cast<std::size_t>(collective)]->nodes[index(node)];
  }
  /// The length of the message of `send`, in bytes.
  std::size_t bytes_of(int collective, const Unicast& send) const {
    return stores_[static_cast<std::size_t>(collective)]->lengths.bytes_of(send);
  }
  /// Of these, the bytes that it has: fewer where symbols stand for blocks.
  std::size_t kept_bytes_of(int collective, const Unicast& send) const;
  /// At the end, a sentence that says what a node lacks; empty if every node has what it must have.
  std::string fault();

 private:
  struct Stores {
    std::shared_ptr<const Collective> collective;
    BlockLengths lengths;
    BlockBytes kept = BlockBytes::all;
    std::unique_ptr<const BlockFlow> flow;  // null: blocks are moved
    std::vector<BlockStore> nodes;
  };
  static std::vector<unsigned char> totals(const Stores& stores, int number);

  std::size_t nodes_ = 0;
  std::vector<std::unique_ptr<Stores>> stores_;  // by collective; null: it moves no blocks
};

}  // namespace allport
