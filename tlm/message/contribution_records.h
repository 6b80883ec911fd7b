// SPDX-License-Identifier: Apache-2.0
// What the nodes of a run contributed to its joins, in the order in which they began it: a record
// for each, by join and node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rtl_model/systemc/flit.h"

namespace allport {

/// `Record`: that of a message, whose source is the node that contributes.
template <class Record>
class ContributionRecords {
 public:
  struct Entry {
    MessageId join = no_message;
    std::size_t before = 0;  ///< messages begun before it
    Record record;
  };

  void add(MessageId join, const Record& record, std::size_t before) {
    places_.emplace(key_of(join, record.source), entries_.size());
    entries_.push_back({join, before, record});
  }
  /// What `node` contributed to `join`; null: nothing yet.
  const Record* find(MessageId join, NodeId node) const {
    const auto found = places_.find(key_of(join, node));
    return found == places_.end() ? nullptr : &entries_[found->second].record;
  }
  const std::vector<Entry>& entries() const { return entries_; }
  void clear() {
    entries_.clear();
    places_.clear();
  }

 private:
  static std::uint64_t key_of(MessageId join, NodeId node) {
    return std::uint64_t{static_cast<std::uint32_t>(join)} << 32 | index(node);
  }

  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

}  // namespace allport
