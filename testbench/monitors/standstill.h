// SPDX-License-Identifier: Apache-2.0
// A Standstill knows since when the routers stand still. When nothing in a fabric can move any
// more, its routers sleep; the fabric then reports how long each has slept with flits in its
// buffers.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "rtl_model/systemc/observers.h"
#include "rtl_model/systemc/router_state.h"

namespace allport {

class Standstill final : public StallObserver {
 public:
  void on_stalled(const RouterState& router, Cycle first, Cycle) override {
    since_[index(router.node())] = first;
  }
  /// The cycle from which no flit of the router of `node` has moved; `otherwise` if it is not
  /// known.
  Cycle since(NodeId node, Cycle otherwise) const {
    const auto found = since_.find(index(node));
    return found == since_.end() ? otherwise : found->second;
  }

 private:
  std::unordered_map<std::size_t, Cycle> since_;
};

}  // namespace allport
