// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/explain/fabric_channels.h"

#include <bitset>
#include <limits>
#include <stdexcept>

namespace allport {

FabricChannels::FabricChannels(const RouterConfig& config, const Topology& topology)
    : config_(config),
      nodes_(topology.router_count()),
      ports_(static_cast<Number>(config.external_ports)),
      internal_(static_cast<Number>(config.internal_ports)),
      vcs_(static_cast<Number>(config.vcs)),
      classes_(static_cast<Number>(config.classes)) {
  const std::size_t external = nodes_ * ports_ * vcs_;
  const std::size_t internal = nodes_ * internal_ * classes_;  // of either kind
  size_ = external + 2 * internal;
  if (size_ + nodes_ >= std::numeric_limits<Number>::max()) {
    throw std::invalid_argument(
        "topology " + topology.name() + ": it has " + std::to_string(size_) +
        " virtual channels, too many to be explained: together with the nodes at most 4294967294");
  }
  first_injection_ = static_cast<Number>(external);
  first_ejection_ = static_cast<Number>(external + internal);
  far_ends_.reserve(nodes_ * ports_);
  near_ends_.reserve(nodes_ * ports_);
  inputs_.reserve(nodes_);
  outputs_.reserve(nodes_);
  for (std::size_t node = 0; node < nodes_; ++node) {
    inputs_.push_back(inputs_there(config, topology, node_id(node)));
    outputs_.push_back(outputs_there(config, topology, node_id(node)));
    const PortMask injections = internal_ports_there(config, topology, node_id(node));
    channel_count_ += std::bitset<64>(outputs_.back()).count();
    channel_count_ += std::bitset<64>(injections).count();
    for (std::size_t port = 0; port < ports_; ++port) {
      const auto far = topology.neighbour(node_id(node), port_id(port));
      const auto from = topology.incoming(node_id(node), port_id(port));
      const PortId arrival = far ? topology.arrival_port(node_id(node), port_id(port)) : PortId{};
      far_ends_.push_back({far ? static_cast<std::uint32_t>(index(*far)) : no_neighbour,
                           static_cast<std::uint8_t>(index(arrival))});
      near_ends_.push_back({from ? static_cast<std::uint32_t>(index(from->node)) : no_neighbour,
                            static_cast<std::uint8_t>(from ? index(from->port) : 0)});
    }
  }
}

FabricChannels::Number FabricChannels::input(NodeId node, int input, int vc) const {
  if (!config_.is_external(input)) return internal(first_injection_, node, input, vc);
  const LinkEnd& from = near_ends_[index(node) * ports_ + static_cast<std::size_t>(input)];
  return output(node_id(from.node), from.port, vc);
}

FabricChannels::End FabricChannels::sender(Number channel) const {
  if (is_external(channel)) {
    const Number port = channel / vcs_;
    return {node_id(port / ports_), static_cast<int>(port % ports_),
            static_cast<int>(channel % vcs_)};
  }
  const Number at = channel - (is_injection(channel) ? first_injection_ : first_ejection_);
  const Number port = at / classes_;
  return {node_id(port / internal_), config_.external_ports + static_cast<int>(port % internal_),
          static_cast<int>(at % classes_)};
}

FabricChannels::End FabricChannels::receiver(Number channel) const {
  const End from = sender(channel);
  if (!is_external(channel)) return from;
  const LinkEnd& far = far_ends_[index(from.node) * ports_ + static_cast<std::size_t>(from.port)];
  return {node_id(far.node), far.port, from.vc};
}

}  // namespace allport
