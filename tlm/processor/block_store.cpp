// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/block_store.h"

#include <algorithm>
#include <cstring>
#include <limits>
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
                       NodeId node, BlockBytes kept)
    : collective_(collective),
      lengths_(lengths),
      number_(number),
      node_(node),
      kept_(kept),
      sums_(is_sum() && collective.is_member(node) ? collective.block_count() : 0) {
  std::vector<unsigned char> own;
  for (const BlockId block : collective.blocks_before(node)) {
    own.resize(bytes_of(block));
    // A moved block is the same wherever it comes from; a contribution differs from node to node.
    fill_block(own.data(), own.size(), number, is_sum() ? node : NodeId{}, block);
    put(block, own.data(), 0);
  }
}

void BlockStore::put(BlockId block, const unsigned char* data, Cycle now) {
  const std::size_t bytes = bytes_of(block);
  const auto [place, is_new] = places_.emplace(block, Place{bytes_.size(), now});
  if (is_new) bytes_.resize(bytes_.size() + bytes);
  std::copy_n(data, bytes, bytes_.data() + place->second.at);
}

bool BlockStore::can_send(const Unicast& send, int after) const {
  if (is_sum()) {
    if (sums_.empty()) return false;  // the node has no contribution, and nothing has come
    int present = 0;
    for (const BlockId block : send.blocks) {
      const Sum& sum = sums_[block];
      present += sum.added;
      for (const Arrival& arrival : sum.arrivals) present += arrival.step < send.step ? 1 : 0;
    }
    return present == after;
  }
  if (awaited_ != &send) {
    awaited_ = &send;
    present_ = 0;
  }
  const OneOrMore<BlockId>& blocks = send.blocks;
  while (present_ < blocks.size() && places_.count(blocks[present_]) > 0) ++present_;
  return present_ == blocks.size();
}

Cycle BlockStore::complete_since(const Unicast& send) const {
  Cycle latest = 0;
  if (is_sum()) {
    for (const BlockId block : send.blocks) {
      latest = std::max(latest, sums_[block].added_until);
      for (const Arrival& arrival : sums_[block].arrivals) {
        if (arrival.step < send.step) latest = std::max(latest, arrival.cycle);
      }
    }
    return latest;
  }
  for (const BlockId block : send.blocks) latest = std::max(latest, places_.at(block).since);
  return latest;
}

void BlockStore::read(const Unicast& send, unsigned char* data) {
  for (const BlockId block : send.blocks) {
    if (is_sum()) add_arrivals_before(send.step, block);
    const std::size_t bytes = bytes_of(block);
    data = std::copy_n(bytes_.data() + places_.at(block).at, bytes, data);
  }
}

void BlockStore::receive(const Unicast& sent, const unsigned char* data, Cycle now) {
  if (is_sum() && sums_.empty()) sums_.resize(collective_.block_count());
  for (const BlockId block : sent.blocks) {
    const std::size_t bytes = bytes_of(block);
    if (is_sum()) {
      sums_[block].arrivals.push_back({sent.step, sent.adds, now, {data, data + bytes}});
    } else {
      put(block, data, now);
    }
    data += bytes;
  }
}

void BlockStore::add_arrivals_before(StepIndex step, BlockId block) {
  Sum& sum = sums_[block];
  std::stable_sort(sum.arrivals.begin(), sum.arrivals.end(),
                   [](const Arrival& a, const Arrival& b) { return a.step < b.step; });
  auto arrival = sum.arrivals.begin();
  for (; arrival != sum.arrivals.end() && arrival->step < step; ++arrival) {
    if (arrival->adds && places_.count(block) > 0) {
      add_integers(bytes_.data() + places_.at(block).at, arrival->bytes.data(),
                   arrival->bytes.size());
    } else {
      put(block, arrival->bytes.data(), arrival->cycle);
    }
    ++sum.added;
    sum.added_until = std::max(sum.added_until, arrival->cycle);
  }
  sum.arrivals.erase(sum.arrivals.begin(), arrival);
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

std::string BlockStore::fault(const std::vector<std::vector<unsigned char>>& totals) {
  for (const BlockId block : collective_.blocks_after(node_)) {
    if (is_sum()) {
      add_arrivals_before(std::numeric_limits<StepIndex>::max(), block);
      const std::vector<unsigned char>& total = totals[block];
      if (std::equal(total.begin(), total.end(), bytes_.data() + places_.at(block).at)) continue;
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
