// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/route_log.h"

namespace allport {

void RouteLog::on_sent(NodeId node, int output, const Flit& flit, Cycle) {
  if (!flit.head || !config_.is_external(output)) return;
  const auto message = static_cast<std::size_t>(flit.message);
  if (message >= routes_.size()) routes_.resize(2 * message + 1);
  routes_[message].push_back({node, port_id(static_cast<std::size_t>(output))});
}

const std::vector<Channel>& RouteLog::of(MessageId message) const {
  static const std::vector<Channel> none;
  const auto at = static_cast<std::size_t>(message);
  return at < routes_.size() ? routes_[at] : none;
}

}  // namespace allport
