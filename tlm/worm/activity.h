// SPDX-License-Identifier: Apache-2.0
// WormActivity says when the routers of a fabric of worms last had something to do: with a flit
// that came, left or was held, with a credit of a virtual channel that a worm owned, or with a
// grant. Worms of unicasts never stand still for ever, so it is known from the first tree or join
// on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

class WormActivity {
 public:
  void reset() {
    last_.clear();
    last_movement_ = -1;
  }
  /// From now on it is known for `nodes` routers.
  void begin(std::size_t nodes) {
    if (last_.empty()) last_.assign(nodes, -1);
  }
  bool is_known() const { return !last_.empty(); }

  /// Notes that router `node` was called in `cycle`.
  void note(std::uint32_t node, Cycle cycle) { last_[node] = std::max(last_[node], cycle); }
  /// Notes that a flit left in `cycle`.
  void note_movement(Cycle cycle) { last_movement_ = std::max(last_movement_, cycle); }

  /// The last cycle in which router `node` was called; -1: it never was.
  Cycle last_of(std::uint32_t node) const { return is_known() ? last_[node] : -1; }
  /// The last cycle in which a flit left a node or a router; -1: none did.
  Cycle last_movement() const { return last_movement_; }

 private:
  std::vector<Cycle> last_;  // by node
  Cycle last_movement_ = -1;
};

}  // namespace allport
