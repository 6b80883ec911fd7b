// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/worm_routes.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/bits.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

std::size_t internal_port_at(const Topology& topology, NodeId node, PortId port, std::size_t all) {
  return static_cast<std::size_t>(internal_port_of(topology, node, port, static_cast<int>(all)));
}

}  // namespace

WormRoutes::WormRoutes(const Routing& routing, int internal_ports, int vcs, bool has_tree_lane)
    : routing_(routing),
      ports_(routing.topology().port_count()),
      internal_ports_(static_cast<std::size_t>(internal_ports)),
      vcs_(vcs),
      layers_(static_cast<std::size_t>(routing.layers_among(vcs))),
      lanes_(layers_ + (has_tree_lane ? 1 : 0)),
      lane_vcs_(vcs / static_cast<int>(layers_)),
      is_all_port_(internal_ports_ == ports_ && !has_own_internal_ports(routing.topology())),
      channel_count_(routing.topology().router_count() * ports_),
      ejection_count_(routing.topology().router_count() * internal_ports_) {}

std::size_t WormRoutes::add(const Unicast& unicast, Choices choices) {
  std::size_t injection = 0;
  std::size_t chosen = 0;
  if (unicast.kind == MessageKind::tree) {
    add_branches(unicast.u, unicast, none);
  } else if (unicast.kind == MessageKind::path) {
    add_path(unicast.u);
  } else {
    chosen = add_row(unicast, choices);
    const PortId first = channel(begins_.back()).port;
    injection = internal_port_at(routing_.topology(), unicast.u, first, internal_ports_);
  }
  const std::size_t place = index(unicast.u) * internal_ports_ + injection;
  injections_.push_back(static_cast<std::uint32_t>(place));
  begins_.push_back(static_cast<std::uint32_t>(hops_.size()));
  return chosen;
}

Channel WormRoutes::channel(std::uint32_t hop) const {
  const std::size_t lane = hops_[hop].lane;
  if (!is_ejection(hop)) return {node_id(lane / lanes_ / ports_), port_id(lane / lanes_ % ports_)};
  const std::size_t ejection = lane - lanes_ * channel_count_;
  return {node_id(ejection / internal_ports_), port_id(ports_ + ejection % internal_ports_)};
}

NodeId WormRoutes::node_behind(std::uint32_t hop) const {
  const Channel taken = channel(hop);
  if (is_ejection(hop)) return taken.node;
  return *routing_.topology().neighbour(taken.node, taken.port);
}

std::uint32_t WormRoutes::buffer_before(std::uint32_t hop) const {
  if (hops_[hop].parent != none) return hops_[hops_[hop].parent].lane;
  return static_cast<std::uint32_t>(lane_count()) + injections_[hops_[hop].message];
}

std::uint32_t WormRoutes::push(std::size_t lane, std::uint32_t parent) {
  if (hops_.size() == max_worm_hops) {
    throw std::invalid_argument("the routes of the worms have more than " +
                                std::to_string(max_worm_hops) +
                                " hops in all, which is the limit of the check");
  }
  const auto hop = static_cast<std::uint32_t>(hops_.size());
  const auto message = static_cast<std::uint32_t>(begins_.size() - 1);
  hops_.push_back({static_cast<std::uint32_t>(lane), parent, hop + 1, message});
  return hop;
}

std::uint32_t WormRoutes::push_channel(Channel channel, VcClass vc_class, std::uint32_t parent) {
  const std::size_t number = index(channel.node) * ports_ + index(channel.port);
  const std::size_t own = layers_ > 1 ? static_cast<std::size_t>(layer_of(vc_class)) : 0;
  return push(lanes_ * number + (vc_class == VcClass::tree ? layers_ : own), parent);
}

void WormRoutes::push_copy(std::uint32_t hop) {
  const Topology& topology = routing_.topology();
  const Channel last = channel(hop);
  const PortId arrival = topology.arrival_port(last.node, last.port);
  const NodeId node = node_behind(hop);
  const std::size_t ejection =
      index(node) * internal_ports_ + internal_port_at(topology, node, arrival, internal_ports_);
  push(lanes_ * channel_count_ + ejection, hop);
}

// Adds a message of any kind with destinations leg after leg; returns the number of choices.
std::size_t WormRoutes::add_row(const Unicast& unicast, Choices choices) {
  const TieMask ties = ties_of(unicast, routing_);
  const std::size_t begin = hops_.size();
  NodeId here = unicast.u;
  std::uint32_t parent = none;
  std::size_t input = ports_;  // of the router here: an injection channel
  std::size_t chosen = 0;
  VcClass vc_class = VcClass::injected;
  for (const NodeId to : destinations(unicast)) {
    while (const auto hop = routing_.next_hop(unicast.kind, here, to, ties, vc_class)) {
      vc_class = routing_.requested_class(here, *hop, input, vc_class);
      if (vc_class == VcClass::either) {
        const bool is_set = (chosen++ >> choices.bit & 1U) != 0;
        vc_class = is_set != choices.is_inverted ? VcClass::p : VcClass::h_or_l;
      }
      parent = push_channel({here, hop->port}, vc_class, parent);
      input = index(routing_.topology().arrival_port(here, hop->port));
      here = node_behind(parent);
      if (here == to || unicast.kind == MessageKind::deposit) push_copy(parent);
    }
  }
  close_row(begin);
  return chosen;
}

// The channels of one row: all hops that follow come after them.
void WormRoutes::close_row(std::size_t begin) {
  for (std::size_t i = begin; i < hops_.size(); ++i) {
    if (is_ejection(static_cast<std::uint32_t>(i))) continue;
    hops_[i].end = static_cast<std::uint32_t>(hops_.size());
  }
}

void WormRoutes::add_path(NodeId source) {
  const std::size_t begin = hops_.size();
  NodeId here = source;
  std::uint32_t parent = none;
  while (const std::optional<PortId> port = routing_.path_branch(here, source)) {
    parent = push_channel({here, *port}, VcClass::h_or_l, parent);
    here = node_behind(parent);
    push_copy(parent);
  }
  close_row(begin);
}

void WormRoutes::add_branches(NodeId here, const Unicast& tree, std::uint32_t parent) {
  const PortMask outputs = tree_outputs(routing_, here, tree.u, tree.free);
  const PortMask of_class_p = tree_outputs_of_class_p(routing_.topology(), here, tree.u, outputs);
  for (const int bit : bits(outputs)) {
    const auto port = static_cast<std::size_t>(bit);
    const bool is_p = (of_class_p >> port & 1U) != 0;
    const VcClass vc_class = lanes_ > layers_ ? VcClass::tree : is_p ? VcClass::p : VcClass::h_or_l;
    const std::uint32_t hop = push_channel({here, port_id(port)}, vc_class, parent);
    if (index(node_behind(hop)) < routing_.topology().node_count()) push_copy(hop);
    add_branches(node_behind(hop), tree, hop);
    hops_[hop].end = static_cast<std::uint32_t>(hops_.size());
  }
}

}  // namespace allport
