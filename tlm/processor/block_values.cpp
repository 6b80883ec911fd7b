// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/block_values.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace allport {

// A single block is all that there is, however long it is: only its root knows it of a broadcast.
BlockValues::BlockValues(std::shared_ptr<const PlannedCall> call, std::uint32_t place,
                         const void* data, std::size_t bytes, Add add)
    : call_(std::move(call)), place_(place), add_(add) {
  const auto* from = static_cast<const unsigned char*>(data);
  for (const BlockId block : call_->collective.blocks_before(node_id(place))) {
    const std::size_t length = is_whole() ? bytes : call_->bytes_of(block);
    blocks_[block].bytes.assign(from, from + length);
    from += length;
  }
}

BlockValues::Bytes BlockValues::message(std::uint32_t number) {
  const Unicast& send = call_->schedule.unicasts[number];
  for (const BlockId block : send.blocks) add_arrivals_before(send.step, blocks_[block]);
  return joined(send.blocks.values());
}

void BlockValues::receive(std::uint32_t number, Bytes bytes) {
  const OneOrMore<BlockId>& blocks = call_->schedule.unicasts[number].blocks;
  if (blocks.size() == 1) return put(number, blocks.front(), std::move(bytes));
  auto from = bytes.begin();
  for (const BlockId block : blocks) {
    const auto end = from + static_cast<std::ptrdiff_t>(call_->bytes_of(block));
    put(number, block, Bytes(from, end));
    from = end;
  }
}

void BlockValues::put(std::uint32_t number, BlockId block, Bytes bytes) {
  Block& one = blocks_[block];
  if (add_ == nullptr) {
    one.bytes = std::move(bytes);
  } else {
    one.arrivals.push_back({number, std::move(bytes)});
  }
}

// Numbers go up with the steps.
void BlockValues::add_arrivals_before(StepIndex step, Block& block) {
  if (block.arrivals.empty()) return;
  const std::vector<Unicast>& messages = call_->schedule.unicasts;
  std::sort(block.arrivals.begin(), block.arrivals.end(),
            [](const Arrival& a, const Arrival& b) { return a.number < b.number; });
  auto arrival = block.arrivals.begin();
  for (; arrival != block.arrivals.end(); ++arrival) {
    const Unicast& message = messages[arrival->number];
    if (message.step >= step) break;
    if (message.adds) {
      add_(block.bytes.data(), arrival->bytes.data(), arrival->bytes.size());
    } else {
      block.bytes = std::move(arrival->bytes);
    }
  }
  block.arrivals.erase(block.arrivals.begin(), arrival);
}

BlockValues::Bytes BlockValues::joined(const std::vector<BlockId>& blocks) const {
  Bytes all;
  for (const BlockId block : blocks) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) continue;  // it is empty, and so was not sent
    const Bytes& one = found->second.bytes;
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

BlockValues::Bytes BlockValues::result() {
  for (auto& [block, one] : blocks_) {
    add_arrivals_before(std::numeric_limits<StepIndex>::max(), one);
  }
  const Collective& collective = call_->collective;
  const NodeId node = node_id(place_);
  return joined(collective.operation() == Operation::reduce ? collective.blocks_before(node)
                                                            : collective.blocks_after(node));
}

}  // namespace allport
