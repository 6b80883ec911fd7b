// SPDX-License-Identifier: Apache-2.0
// A Standstill knows since when the routers stand still. When nothing in a fabric can move any
// more, its routers sleep; the fabric then reports how long each has slept with flits in its
// buffers.
#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>

#include "rtl_model/systemc/observers.h"
#include "rtl_model/systemc/router_state.h"

namespace allport {

class Standstill final : public StallObserver {
 public:
  void on_stalled(const RouterState& router, Cycle first, Cycle) override {
    since_[index(router.node())] = first;
  }
  /// The cycle since which the router of `node` has slept with flits that take part; none if it has
  /// not.
  std::optional<Cycle> since(NodeId node) const {
    const auto found = since_.find(index(node));
    return found == since_.end() ? std::nullopt : std::optional<Cycle>(found->second);
  }

 private:
  std::unordered_map<std::size_t, Cycle> since_;
};

}  // namespace allport
