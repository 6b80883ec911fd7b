// SPDX-License-Identifier: Apache-2.0
// A BlockStore has the blocks of a collective at one node, with their bytes. Moved blocks are kept
// as they came. Sums are rows of unsigned integers of eight bytes, little endian, the last one cut
// short at the end of the block; they are added modulo their width. The sum of a block that is sent
// in step t contains exactly the receptions of earlier steps that name the block, whatever else has
// arrived. A store may also have one integer for each block, whatever its length: a moved block's
// first, or the sum of those of its contributions, which tells one set of contributions from
// another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

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
  /// `number`: the number of the collective in the run. All references must outlive the store.
  BlockStore(const Collective& collective, const BlockLengths& lengths, int number, NodeId node,
             BlockBytes kept = BlockBytes::all);

  /// How many bytes it has of `block`.
  static std::size_t bytes_of(BlockId block, const BlockLengths& lengths, BlockBytes kept) {
    if (kept == BlockBytes::all) return lengths.bytes(block);
    return lengths.flits(block) > 0 ? sizeof(std::uint64_t) : 0;
  }

  /// Whether the node has all that `send` carries; for sums, the `after` contributions that these
  /// contain (BlockFlow::contributions).
  bool can_send(const Unicast& send, int after) const;
  /// The cycle in which the last reception came that `send`, which can be sent, depends on; 0: it
  /// depends on none.
  Cycle complete_since(const Unicast& send) const;
  /// Writes the message of `send` to `data`, which has room for it.
  void read(const Unicast& send, unsigned char* data);
  /// Stores the message of `sent`, which the processor has in cycle `now`.
  void receive(const Unicast& sent, const unsigned char* data, Cycle now);
  /// Empty if the node has the blocks that it must have at the end, with the right bytes; otherwise
  /// a sentence that names node and block. Of sums, `totals` has the right bytes by block.
  std::string fault(const std::vector<std::vector<unsigned char>>& totals);

 private:
  struct Arrival {  // a contribution to a sum
    StepIndex step = 0;
    bool adds = false;
    Cycle cycle = 0;
    std::vector<unsigned char> bytes;
  };
  struct Sum {
    std::vector<Arrival> arrivals;  // not yet added
    int added = 0;
    Cycle added_until = 0;  // the latest reception among those added
  };

  std::size_t bytes_of(BlockId block) const { return bytes_of(block, lengths_, kept_); }
  bool is_sum() const { return collective_.is_reduction(); }
  struct Place {  // a block in `bytes_`
    std::size_t at = 0;
    Cycle since = 0;  // when the node had it; 0: from the beginning
  };
  void put(BlockId block, const unsigned char* data, Cycle now);
  void add_arrivals_before(StepIndex step, BlockId block);
  std::string describe(BlockId block) const;
  bool is_right(BlockId block, const unsigned char* data) const;

  const Collective& collective_;
  const BlockLengths& lengths_;
  int number_;
  NodeId node_;
  BlockBytes kept_;
  std::vector<unsigned char> bytes_;
  std::unordered_map<BlockId, Place> places_;
  std::vector<Sum> sums_;  // by block; empty: blocks are moved
  // The send whose blocks are awaited, and the number of them known to be here:
  mutable const Unicast* awaited_ = nullptr;
  mutable std::size_t present_ = 0;
};

}  // namespace allport
