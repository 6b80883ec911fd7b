// SPDX-License-Identifier: Apache-2.0
// A PairTable has a value for each collective and node: in one row of all nodes for each
// collective, or, where most pairs have the default value, as in a load of many collectives of a
// few nodes each, for the other pairs alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

/// Which pairs a table has a place for.
enum class PairPlaces : std::uint8_t { all, used };

template <class Value>
class PairTable {
 public:
  PairTable() = default;
  PairTable(std::size_t nodes, std::size_t collectives, PairPlaces places, Value default_value = {})
      : nodes_(nodes), places_(places), default_(std::move(default_value)) {
    if (places == PairPlaces::all) all_.assign(nodes * collectives, default_);
  }

  /// The value of the pair, which has a place from now on.
  Value& at(NodeId node, std::size_t collective) {
    const std::size_t pair = collective * nodes_ + index(node);
    if (places_ == PairPlaces::all) return all_[pair];
    return used_.try_emplace(pair, default_).first->second;
  }
  /// The value of the pair: the default if it has no place.
  const Value& of(NodeId node, std::size_t collective) const {
    const std::size_t pair = collective * nodes_ + index(node);
    if (places_ == PairPlaces::all) return all_[pair];
    const auto found = used_.find(pair);
    return found == used_.end() ? default_ : found->second;
  }
  PairPlaces places() const { return places_; }

 private:
  std::size_t nodes_ = 0;
  PairPlaces places_ = PairPlaces::all;
  Value default_{};
  std::vector<Value> all_;  // by collective, then node
  std::unordered_map<std::size_t, Value> used_;
};

}  // namespace allport
