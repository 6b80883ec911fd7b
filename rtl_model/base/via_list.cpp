// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/via_list.h"

#include <unordered_map>

namespace allport {

namespace {

// All lists ever made: each is its first node and the place of the list of the others.
class Lists {
 public:
  struct Entry {
    NodeId first{};
    std::uint32_t rest = 0;
  };

  const Entry& operator[](std::uint32_t place) const { return entries_[place]; }

  std::uint32_t place_of(NodeId first, std::uint32_t rest) {
    const std::uint64_t key = static_cast<std::uint64_t>(index(first)) << 32 | rest;
    const auto [found, is_new] =
        places_.try_emplace(key, static_cast<std::uint32_t>(entries_.size()));
    if (is_new) entries_.push_back({first, rest});
    return found->second;
  }

 private:
  std::vector<Entry> entries_{1};  // place 0: the empty list
  std::unordered_map<std::uint64_t, std::uint32_t> places_;
};

Lists& lists() {
  static Lists all;
  return all;
}

}  // namespace

ViaList::ViaList(const std::vector<NodeId>& nodes) {
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    place_ = lists().place_of(*node, place_);
  }
}

NodeId ViaList::front() const { return lists()[place_].first; }

ViaList ViaList::rest() const {
  ViaList list;
  list.place_ = lists()[place_].rest;
  return list;
}

std::vector<NodeId> ViaList::nodes() const {
  std::vector<NodeId> nodes;
  for (ViaList list = *this; !list.empty(); list = list.rest()) nodes.push_back(list.front());
  return nodes;
}

}  // namespace allport
