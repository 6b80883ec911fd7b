// SPDX-License-Identifier: Apache-2.0
// A RouteLog keeps which external channels each message took, if the routing does not determine
// them.
#pragma once

#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/systemc/observers.h"

namespace allport {

class RouteLog final : public FlitObserver {
 public:
  explicit RouteLog(const RouterConfig& config) : config_(config) {}

  void on_sent(NodeId node, int output, const Flit& flit, Cycle on_channel) override;

  void reset() { routes_.clear(); }
  /// `message` is another one from now on, which has taken none.
  void forget(MessageId message) {
    const auto at = static_cast<std::size_t>(message);
    if (at < routes_.size()) routes_[at].clear();
  }
  /// The channels that the head of `message` has taken so far, in order.
  const std::vector<Channel>& of(MessageId message) const;

 private:
  const RouterConfig& config_;
  std::vector<std::vector<Channel>> routes_;  // by message
};

}  // namespace allport
