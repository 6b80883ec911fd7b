// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/link_errors.h"

#include <stdexcept>
#include <string>

#include "rtl_model/base/range.h"

namespace allport {

void require_channel(const Topology& topology, Channel channel) {
  const std::string node = "node " + topology.node_name(channel.node);
  if (index(channel.port) < topology.port_count() &&
      topology.neighbour(channel.node, channel.port)) {
    return;
  }
  std::string outputs;
  for (std::size_t port = 0; port < topology.port_count(); ++port) {
    if (!topology.neighbour(channel.node, port_id(port))) continue;
    outputs += (outputs.empty() ? "" : ", ") + std::to_string(port);
  }
  throw std::invalid_argument(node + " of " + topology.name() + " has no channel at output " +
                              std::to_string(index(channel.port)) +
                              (outputs.empty() ? "" : "; its external outputs are " + outputs));
}

void require_errors(const LinkErrors& errors, const RouterConfig& config,
                    const Topology& topology) {
  const bool is_rate = errors.rate >= 0 && errors.rate <= LinkErrors::most_rate;
  if (!is_rate) {
    throw std::invalid_argument("flit error rate " + std::to_string(errors.rate) +
                                ": must be 0..0.5");
  }
  if (errors.has_flit_errors() && !config.retry) {
    throw std::invalid_argument("flits are in error: the channels must have retry");
  }
  for (const FlitError& one : errors.listed) require_channel(topology, one.channel);
  for (const LostCredit& one : errors.lost_credits) {
    require_channel(topology, one.channel);
    require_range("the virtual channel of a lost credit", one.vc, {0, config.vcs - 1});
  }
}

}  // namespace allport
