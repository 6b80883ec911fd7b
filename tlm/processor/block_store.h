// SPDX-License-Identifier: Apache-2.0
// The blocks of a collective at one node, with their bytes. Moved blocks are kept as they came.
// Sums are rows of unsigned integers of eight bytes, little endian, the last one as short as the
// block's end makes it; they are added modulo their width. A sum that is sent in step t contains
// exactly the receptions of earlier steps, whatever else has arrived.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "traffic/schedule/block_lengths.h"

namespace allport {

/// Fills `bytes` bytes at `data` with block `block` of `collective` as `origin` makes it.
void fill_block(unsigned char* data, std::size_t bytes, int collective, NodeId origin,
                BlockId block);

/// Adds `bytes` bytes at `other` to those at `sum`, integer by integer.
void add_integers(unsigned char* sum, const unsigned char* other, std::size_t bytes);

class BlockStore {
 public:
  /// `number`: which collective of the run it is; all outlive the store.
  BlockStore(const Collective& collective, const BlockLengths& lengths, int number, NodeId node);

  /// Whether the node has all that `send` carries; of a sum, the `after` receptions it contains.
  bool can_send(const Unicast& send, int after) const;
  /// The message of `send`, for which `data` has room.
  void read(const Unicast& send, unsigned char* data);
  /// The message of `sent` has arrived.
  void receive(const Unicast& sent, const unsigned char* data);
  /// Whether the node has the sum of all contributions, `total`, or the blocks it must have in the
  /// end, with the right bytes; empty, or a sentence that names node and block.
  std::string fault(const std::vector<unsigned char>& total);

 private:
  struct Arrival {  // of a sum
    StepIndex step = 0;
    bool adds = false;
    std::vector<unsigned char> bytes;
  };

  bool is_sum() const { return collective_.is_reduction(); }
  void put(BlockId block, const unsigned char* data);
  void add_arrivals_before(StepIndex step);
  std::string describe(BlockId block) const;
  bool is_right(BlockId block, const unsigned char* data) const;

  const Collective& collective_;
  const BlockLengths& lengths_;
  int number_;
  NodeId node_;
  std::vector<unsigned char> bytes_;
  std::unordered_map<BlockId, std::size_t> places_;  // in bytes_
  // Of sums:
  std::vector<Arrival> arrivals_;  // not yet added
  int added_ = 0;
  // How far the blocks of the send at hand are known to be here.
  mutable const Unicast* awaited_ = nullptr;
  mutable std::size_t present_ = 0;
};

}  // namespace allport
