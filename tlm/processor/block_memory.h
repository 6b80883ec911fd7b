// SPDX-License-Identifier: Apache-2.0
// The stores of all nodes for the collectives of a trial that move blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "tlm/processor/block_store.h"

namespace allport {

class BlockMemory {
 public:
  /// Forgets what there was; `collectives` are to come, among `nodes` nodes.
  void reset(std::size_t nodes, std::size_t collectives);
  /// Every node gets what it holds of the collective `number` before it begins.
  void add(int number, std::shared_ptr<const Collective> collective, const BlockLengths& lengths);

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
  /// When all is over: what a node has not, in a sentence; empty: everybody has what it must have.
  std::string fault();

 private:
  struct Stores {
    std::shared_ptr<const Collective> collective;
    BlockLengths lengths;
    std::vector<BlockStore> nodes;
  };
  static std::vector<unsigned char> total(const Stores& stores, int number);

  std::size_t nodes_ = 0;
  std::vector<std::unique_ptr<Stores>> stores_;  // by collective; none: it moves no blocks
};

}  // namespace allport
