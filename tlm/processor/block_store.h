// SPDX-License-Identifier: Apache-2.0
// A BlockStore has the blocks of a collective at one node, with their bytes. Moved blocks are kept
// as they came. Sums are rows of unsigned integers of eight bytes, little endian, the last one cut
// short at the end of the block; they are added modulo their width. The sum of a block that is sent
// in step t contains exactly the receptions of earlier steps that name the block, whatever else has
// arrived: a reception is added to the sums that are sent, and waits with the rest of its blocks. A
// store may also have one integer for each block, whatever its length: a moved block's first, or
// the sum of those of its contributions, which tells one set of contributions from another. Of a
// sum there is nothing but these bytes, for a large collective has a hundred million of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/block_lengths.h"

namespace allport {

/// What messages and stores have of a block: all of its bytes, or one integer that stands for them.
enum class BlockBytes { all, symbol };

/// Fills `bytes` bytes at `data` with block `block` of `collective` as `origin` makes it.
void fill_block(unsigned char* data, std::size_t bytes, int collective, NodeId origin,
                BlockId block);

/// Adds `bytes` bytes at `other` to those at `sum`, integer by integer.
void add_integers(unsigned char* sum, const unsigned char* other, std::size_t bytes);

class BlockStore {
 public:
  /// `number`: the number of the collective in the run; `flow`: what its sends wait for, null for
  /// blocks that are moved. All references must outlive the store.
  BlockStore(const Collective& collective, const BlockLengths& lengths, int number, NodeId node,
             BlockBytes kept = BlockBytes::all, const BlockFlow* flow = nullptr);

  /// How many bytes it has of `block`.
  static std::size_t bytes_of(BlockId block, const BlockLengths& lengths, BlockBytes kept) {
    if (kept == BlockBytes::all) return lengths.bytes(block);
    return lengths.flits(block) > 0 ? sizeof(std::uint64_t) : 0;
  }
  /// Where the sum of `block` begins in a store of sums; of the number of blocks: where these end.
  static std::size_t begin_of(std::size_t block, const BlockLengths& lengths, BlockBytes kept) {
    return kept == BlockBytes::all ? lengths.bytes_before(block)
                                   : lengths.blocks_before(block) * sizeof(std::uint64_t);
  }

  /// Whether the node has all that `send` carries; of sums, all receptions that they contain.
  bool can_send(const Unicast& send) const;
  /// The cycle in which the last reception came that `send`, which can be sent, depends on; 0: it
  /// depends on none.
  Cycle complete_since(const Unicast& send) const;
  /// Writes the message of `send` to `data`, which has room for it.
  void read(const Unicast& send, unsigned char* data);
  /// Stores the message of `sent`, which the processor has in cycle `now`.
  void receive(const Unicast& sent, const unsigned char* data, Cycle now);
  /// Empty if the node has the blocks that it must have at the end, with the right bytes; otherwise
  /// a sentence that names node and block. `totals`: the store of a node that has all sums.
  std::string fault(const std::vector<unsigned char>& totals);

 private:
  struct Arrival {  // a reception that is not yet added to all sums that it names
    const Unicast* sent = nullptr;
    std::vector<BlockId> blocks;  // that it is still to be added to
    std::vector<unsigned char> bytes;
  };

  std::size_t bytes_of(BlockId block) const { return bytes_of(block, lengths_, kept_); }
  std::size_t begin_of(std::size_t block) const { return begin_of(block, lengths_, kept_); }
  bool is_sum() const { return collective_.is_reduction(); }
  struct Place {  // a block in `bytes_`
    std::size_t at = 0;
    Cycle since = 0;  // when the node had it; 0: from the beginning
  };
  void put(BlockId block, const unsigned char* data, Cycle now);
  UnicastRange waits_for(const Unicast& send) const {
    return flow_->waits_for(flow_->number_of(send));
  }
  void add(const Arrival& arrival, BlockId block, const unsigned char* data);
  void add_to(const Unicast& send, Arrival& arrival);
  void add_arrivals_for(const Unicast& send);
  void add_arrivals();
  std::string describe(BlockId block) const;
  bool is_right(BlockId block, const unsigned char* data) const;

  const Collective& collective_;
  const BlockLengths& lengths_;
  int number_;
  NodeId node_;
  BlockBytes kept_;
  const BlockFlow* flow_;
  std::vector<unsigned char> bytes_;           // of sums: block after block
  std::unordered_map<BlockId, Place> places_;  // of blocks that are moved
  // Of sums: when each reception came, by its number, and those to be added, by step.
  std::unordered_map<std::uint32_t, Cycle> received_;
  std::vector<Arrival> arrivals_;
  // The send that is awaited, and of its blocks or receptions the number of those known to be here:
  mutable const Unicast* awaited_ = nullptr;
  mutable std::size_t present_ = 0;
};

}  // namespace allport
