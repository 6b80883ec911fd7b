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
                      const BlockLengths& lengths) {
  auto& stores = stores_[static_cast<std::size_t>(number)];
  stores = std::make_unique<Stores>(Stores{std::move(collective), lengths, {}});
  stores->nodes.reserve(nodes_);
  for (std::size_t i = 0; i < nodes_; ++i) {
    stores->nodes.emplace_back(*stores->collective, stores->lengths, number, node_id(i));
  }
}

// The sum of all contributions; empty if blocks are moved.
std::vector<unsigned char> BlockMemory::total(const Stores& stores, int number) {
  if (!stores.collective->is_reduction()) return {};
  std::vector<unsigned char> sum(stores.lengths.bytes(0));
  std::vector<unsigned char> one(sum.size());
  for (std::size_t i = 0; i < stores.nodes.size(); ++i) {
    fill_block(one.data(), one.size(), number, node_id(i), 0);
    add_integers(sum.data(), one.data(), sum.size());
  }
  return sum;
}

std::string BlockMemory::fault() {
  for (std::size_t number = 0; number < stores_.size(); ++number) {
    if (stores_[number] == nullptr) continue;
    const std::vector<unsigned char> sum = total(*stores_[number], static_cast<int>(number));
    for (BlockStore& store : stores_[number]->nodes) {
      if (std::string fault = store.fault(sum); !fault.empty()) return fault;
    }
  }
  return {};
}

}  // namespace allport
