// SPDX-License-Identifier: Apache-2.0
// ContributionRecords has what the nodes of a run contributed to its joins, in the order in which
// they began it: a record for each, by join and node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "rtl_model/router/flit.h"

namespace allport {

/// A key of what `node` sends of message `id`, or of where contributions to join `id` meet.
inline std::uint64_t key_at(MessageId id, NodeId node) {
  return std::uint64_t{static_cast<std::uint32_t>(id)} << 32 | index(node);
}

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
    places_.emplace(key_at(join, record.source), entries_.size());
    entries_.push_back({join, before, record});
  }
  /// What `node` contributed to `join`; null: nothing yet.
  const Record* find(MessageId join, NodeId node) const {
    const auto found = places_.find(key_at(join, node));
    return found == places_.end() ? nullptr : &entries_[found->second].record;
  }
  const std::vector<Entry>& entries() const { return entries_; }
  void clear() {
    entries_.clear();
    places_.clear();
  }

 private:
  std::vector<Entry> entries_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

}  // namespace allport
