// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/block_store.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace allport {

void fill_block(unsigned char* data, std::size_t bytes, int collective, NodeId origin,
                BlockId block) {
  std::uint64_t word = (static_cast<std::uint64_t>(collective) << 52) ^
                       (static_cast<std::uint64_t>(index(origin)) << 32) ^ block;
  for (std::size_t at = 0; at < bytes; at += 8) {
    word = (word + 0x9e3779b97f4a7c15U) * 0xbf58476d1ce4e5b9U;
    word ^= word >> 29;
    std::memcpy(data + at, &word, std::min<std::size_t>(bytes - at, 8));
  }
}

void add_integers(unsigned char* sum, const unsigned char* other, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 8) {
    const std::size_t width = std::min<std::size_t>(bytes - at, 8);
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::memcpy(&a, sum + at, width);
    std::memcpy(&b, other + at, width);
    a += b;
    std::memcpy(sum + at, &a, width);
  }
}

BlockStore::BlockStore(const Collective& collective, const BlockLengths& lengths, int number,
                       NodeId node, BlockBytes kept, const BlockFlow* flow)
    : collective_(collective),
      lengths_(lengths),
      number_(number),
      node_(node),
      kept_(kept),
      flow_(flow) {
  if (is_sum()) {
    if (!collective.is_member(node)) return;  // it has no contribution
    bytes_.resize(begin_of(collective.block_count()));
    for (BlockId block = 0; block < collective.block_count(); ++block) {
      if (lengths.flits(block) == 0) continue;  // most are empty where a vector is short
      fill_block(bytes_.data() + begin_of(block), bytes_of(block), number, node, block);
    }
    return;
  }
  std::vector<unsigned char> own;
  for (const BlockId block : collective.blocks_before(node)) {
    own.resize(bytes_of(block));
    // A moved block is the same wherever it comes from; a contribution differs from node to node.
    fill_block(own.data(), own.size(), number, NodeId{}, block);
    put(block, own.data(), 0);
  }
}

void BlockStore::put(BlockId block, const unsigned char* data, Cycle now) {
  const std::size_t bytes = bytes_of(block);
  const auto [place, is_new] = places_.emplace(block, Place{bytes_.size(), now});
  if (is_new) bytes_.resize(bytes_.size() + bytes);
  std::copy_n(data, bytes, bytes_.data() + place->second.at);
}

bool BlockStore::can_send(const Unicast& send) const {
  if (awaited_ != &send) {
    awaited_ = &send;
    present_ = 0;
  }
  const auto count = [this](const auto& awaited, const auto& here) {
    while (present_ < awaited.size() && here.count(awaited.begin()[present_]) > 0) ++present_;
    return present_ == awaited.size();
  };
  if (!is_sum()) return count(send.blocks, places_);
  return !bytes_.empty() && count(waits_for(send), received_);
}

Cycle BlockStore::complete_since(const Unicast& send) const {
  Cycle latest = 0;
  if (is_sum()) {
    for (const std::uint32_t i : waits_for(send)) latest = std::max(latest, received_.at(i));
  } else {
    for (const BlockId block : send.blocks) latest = std::max(latest, places_.at(block).since);
  }
  return latest;
}

void BlockStore::read(const Unicast& send, unsigned char* data) {
  if (is_sum()) add_arrivals_for(send);
  for (const BlockId block : send.blocks) {
    const std::size_t at = is_sum() ? begin_of(block) : places_.at(block).at;
    data = std::copy_n(bytes_.data() + at, bytes_of(block), data);
  }
}

void BlockStore::receive(const Unicast& sent, const unsigned char* data, Cycle now) {
  if (!is_sum()) {
    for (const BlockId block : sent.blocks) {
      put(block, data, now);
      data += bytes_of(block);
    }
    return;
  }
  if (bytes_.empty()) bytes_.resize(begin_of(collective_.block_count()));  // sums of nothing
  received_.emplace(flow_->number_of(sent), now);
  std::size_t bytes = 0;
  for (const BlockId block : sent.blocks) bytes += bytes_of(block);
  const auto place = std::find_if(arrivals_.begin(), arrivals_.end(),
                                  [&](const Arrival& one) { return one.sent->step > sent.step; });
  arrivals_.insert(place, {&sent, sent.blocks.values(), {data, data + bytes}});
}

void BlockStore::add(const Arrival& arrival, BlockId block, const unsigned char* data) {
  unsigned char* const sum = bytes_.data() + begin_of(block);
  if (arrival.sent->adds) {
    add_integers(sum, data, bytes_of(block));
  } else {
    std::copy_n(data, bytes_of(block), sum);
  }
}

// Adds `arrival` to the sums of `send`; the rest of its blocks stay in it.
void BlockStore::add_to(const Unicast& send, Arrival& arrival) {
  const OneOrMore<BlockId>& sent = send.blocks;
  const bool ascend = std::is_sorted(sent.begin(), sent.end());
  const auto is_sent = [&](BlockId block) {
    return ascend ? std::binary_search(sent.begin(), sent.end(), block)
                  : std::find(sent.begin(), sent.end(), block) != sent.end();
  };
  const bool are_alike =
      std::equal(sent.begin(), sent.end(), arrival.blocks.begin(), arrival.blocks.end());
  std::size_t left = 0;  // blocks that stay
  const unsigned char* from = arrival.bytes.data();
  unsigned char* to = arrival.bytes.data();
  for (const BlockId block : arrival.blocks) {
    const std::size_t bytes = bytes_of(block);
    if (are_alike || is_sent(block)) {
      add(arrival, block, from);
    } else {
      arrival.blocks[left++] = block;
      to = std::copy_n(from, bytes, to);
    }
    from += bytes;
  }
  arrival.blocks.resize(left);
}

// What is sent contains the receptions that it waits for, in the order of their steps.
void BlockStore::add_arrivals_for(const Unicast& send) {
  const UnicastRange awaited = waits_for(send);
  for (Arrival& arrival : arrivals_) {
    const std::uint32_t number = flow_->number_of(*arrival.sent);
    if (std::binary_search(awaited.begin(), awaited.end(), number)) add_to(send, arrival);
  }
  arrivals_.erase(std::remove_if(arrivals_.begin(), arrivals_.end(),
                                 [](const Arrival& one) { return one.blocks.empty(); }),
                  arrivals_.end());
}

void BlockStore::add_arrivals() {
  for (const Arrival& arrival : arrivals_) {
    const unsigned char* from = arrival.bytes.data();
    for (const BlockId block : arrival.blocks) {
      add(arrival, block, from);
      from += bytes_of(block);
    }
  }
  arrivals_.clear();
}

bool BlockStore::is_right(BlockId block, const unsigned char* data) const {
  std::vector<unsigned char> made(bytes_of(block));
  fill_block(made.data(), made.size(), number_, NodeId{}, block);
  return std::equal(made.begin(), made.end(), data);
}

std::string BlockStore::describe(BlockId block) const {
  return "node " + std::to_string(index(node_)) + ": block " + std::to_string(block) + " of the " +
         std::string(to_string(collective_.operation()));
}

std::string BlockStore::fault(const std::vector<unsigned char>& totals) {
  add_arrivals();
  if (is_sum() && bytes_ == totals) return {};
  for (const BlockId block : collective_.blocks_after(node_)) {
    if (is_sum()) {
      const auto begin = static_cast<std::ptrdiff_t>(begin_of(block));
      const auto end = begin + static_cast<std::ptrdiff_t>(bytes_of(block));
      if (std::equal(totals.begin() + begin, totals.begin() + end, bytes_.begin() + begin))
        continue;
      return describe(block) + " is not the sum of all contributions";
    }
    const auto place = places_.find(block);
    if (place == places_.end()) return describe(block) + " is missing at the end";
    if (!is_right(block, bytes_.data() + place->second.at)) {
      return describe(block) + " does not have the bytes with which it began";
    }
  }
  return {};
}

}  // namespace allport
