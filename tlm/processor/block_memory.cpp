// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/block_memory.h"

#include <utility>

#include "rtl_model/base/stop_flag.h"

namespace allport {

void BlockMemory::reset(std::size_t nodes, std::size_t collectives) {
  nodes_ = nodes;
  stores_.clear();
  stores_.resize(collectives);
}

void BlockMemory::add(int number, std::shared_ptr<const Collective> collective,
                      const Schedule& schedule, const BlockLengths& lengths, BlockBytes kept) {
  auto& stores = stores_[static_cast<std::size_t>(number)];
  stores = std::make_unique<Stores>(Stores{std::move(collective), lengths, kept, nullptr, {}});
  if (stores->collective->is_reduction()) {
    stores->flow = std::make_unique<BlockFlow>(schedule, *stores->collective);
  }
  stores->nodes.reserve(nodes_);
  for (std::size_t i = 0; i < nodes_; ++i) {
    heed_stop();
    stores->nodes.emplace_back(*stores->collective, stores->lengths, number, node_id(i), kept,
                               stores->flow.get());
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

// The sums of all contributions, as a store has them; empty if blocks are moved.
std::vector<unsigned char> BlockMemory::totals(const Stores& stores, int number) {
  if (!stores.collective->is_reduction()) return {};
  const std::size_t blocks = stores.collective->block_count();
  std::vector<unsigned char> sums(BlockStore::begin_of(blocks, stores.lengths, stores.kept));
  std::vector<unsigned char> one;
  for (BlockId block = 0; block < blocks; ++block) {
    one.resize(BlockStore::bytes_of(block, stores.lengths, stores.kept));
    unsigned char* const sum =
        sums.data() + BlockStore::begin_of(block, stores.lengths, stores.kept);
    for (std::size_t i = 0; !one.empty() && i < stores.collective->rank_count(); ++i) {
      fill_block(one.data(), one.size(), number, stores.collective->member(i), block);
      add_integers(sum, one.data(), one.size());
    }
  }
  return sums;
}

std::string BlockMemory::fault() {
  for (std::size_t number = 0; number < stores_.size(); ++number) {
    if (stores_[number] == nullptr) continue;
    const std::vector<unsigned char> sums = totals(*stores_[number], static_cast<int>(number));
    for (BlockStore& store : stores_[number]->nodes) {
      if (std::string fault = store.fault(sums); !fault.empty()) return fault;
    }
  }
  return {};
}

}  // namespace allport
