// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/block_memory.h"

#include <utility>

namespace allport {

void BlockMemory::reset(std::size_t nodes, std::size_t collectives) {
  nodes_ = nodes;
  stores_.clear();
  stores_.resize(collectives);
}

void BlockMemory::add(int number, std::shared_ptr<const Collective> collective,
                      const BlockLengths& lengths, BlockBytes kept) {
  auto& stores = stores_[static_cast<std::size_t>(number)];
  stores = std::make_unique<Stores>(Stores{std::move(collective), lengths, kept, {}});
  stores->nodes.reserve(nodes_);
  for (std::size_t i = 0; i < nodes_; ++i) {
    stores->nodes.emplace_back(*stores->collective, stores->lengths, number, node_id(i), kept);
  }
}

std::size_t BlockMemory::kept_bytes_of(int collective, const Unicast& send) const {
  const Stores& stores = *stores_[static_cast<std::size_t>(collective)];
  if (stores.kept == BlockBytes::all) return stores.lengths.bytes_of(send);
  std::size_t bytes = 0;
  for (const BlockId block : send.blocks) {
    bytes += BlockStore::bytes_of(block, stores.lengths, stores.kept);
  }
  return bytes;
}

// The sums of all contributions, by block; empty if blocks are moved.
std::vector<std::vector<unsigned char>> BlockMemory::totals(const Stores& stores, int number) {
  if (!stores.collective->is_reduction()) return {};
  std::vector<std::vector<unsigned char>> sums;
  for (BlockId block = 0; block < stores.collective->block_count(); ++block) {
    std::vector<unsigned char>& sum =
        sums.emplace_back(BlockStore::bytes_of(block, stores.lengths, stores.kept));
    std::vector<unsigned char> one(sum.size());
    for (std::size_t i = 0; i < stores.collective->rank_count(); ++i) {
      fill_block(one.data(), one.size(), number, stores.collective->member(i), block);
      add_integers(sum.data(), one.data(), sum.size());
    }
  }
  return sums;
}

std::string BlockMemory::fault() {
  for (std::size_t number = 0; number < stores_.size(); ++number) {
    if (stores_[number] == nullptr) continue;
    const auto sums = totals(*stores_[number], static_cast<int>(number));
    for (BlockStore& store : stores_[number]->nodes) {
      if (std::string fault = store.fault(sums); !fault.empty()) return fault;
    }
  }
  return {};
}

}  // namespace allport
