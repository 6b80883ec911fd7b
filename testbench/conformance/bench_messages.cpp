// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/bench_messages.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "rtl_model/router/vc_choice.h"
#include "rtl_model/topology/group_routes.h"
#include "rtl_model/topology/label_order.h"

namespace allport {

void BenchMessages::arrive(BenchMessage& message, Channel last, VcClass vc_class) const {
  message.input = static_cast<int>(index(routing_->topology().arrival_port(last.node, last.port)));
  message.arrival = vc_class;
  const bool has_layer = config_->layers > 1 && vc_class != VcClass::either;
  message.vc = has_layer ? layer_of(vc_class) * config_->vcs_of_layer() : 0;
}

VcClass BenchMessages::class_beyond(const BenchMessage& message, const Hop& hop) const {
  return routing_->requested_class(node_, hop, static_cast<std::size_t>(message.input),
                                   message.arrival);
}

std::optional<BenchMessage> BenchMessages::unicast(NodeId source, NodeId destination, TieMask ties,
                                                   bool is_deposit) const {
  BenchMessage message;
  message.kind = is_deposit ? MessageKind::deposit : MessageKind::unicast;
  message.address = destination;
  message.ties = ties;
  std::optional<Channel> last;
  VcClass last_class = VcClass::injected;
  NodeId here = source;
  while (here != node_) {
    const auto hop = routing_->route(here, destination, ties, last_class);
    if (!hop) return std::nullopt;
    const std::size_t input = last
                                  ? index(routing_->topology().arrival_port(last->node, last->port))
                                  : static_cast<std::size_t>(config_->external_ports);
    last = Channel{here, hop->port};
    last_class = routing_->requested_class(here, *hop, input, last_class);
    here = *routing_->topology().neighbour(here, hop->port);
  }
  const auto hop = routing_->route(node_, destination, ties, last_class);
  if (last) arrive(message, *last, last_class);
  if (hop) {
    const int output = static_cast<int>(index(hop->port));
    message.outputs = PortMask{1} << output;
    if (!last) message.input = config_->external_ports + config_->internal_port(output);
    message.vc_class = class_beyond(message, *hop);
  }
  if (last && (!hop || is_deposit)) {
    message.outputs |= PortMask{1} << config_->ejection_output(message.input);
  }
  return message;
}

// Any dimension in which the node does not differ from the destination may have been the last one;
// the message arrives on its VC 0 only if that was the e-cube route.
std::optional<BenchMessage> BenchMessages::adaptive(NodeId destination,
                                                    SplitMix64& generator) const {
  const PortMask useful = Routing::useful_ports(node_, destination);
  const std::uint64_t input = generator.next() % static_cast<std::uint64_t>(config_->ports());
  BenchMessage message;
  message.address = destination;
  message.input = static_cast<int>(input);
  message.outputs = useful;
  message.is_choice = true;
  if (config_->is_external(message.input)) {
    if ((useful >> input & 1U) != 0) return std::nullopt;
    message.vc = (useful >> input) == 0 ? 0 : 1;
    if (useful == 0) message.outputs = PortMask{1} << config_->ejection_output(message.input);
    return message;
  }
  const auto hop = routing_->route(node_, destination, 0);
  if (!hop) return std::nullopt;
  message.input =
      config_->external_ports + config_->internal_port(static_cast<int>(index(hop->port)));
  return message;
}

// The source and, behind it, some different nodes.
std::vector<NodeId> BenchMessages::draw_stops(NodeId source, SplitMix64& generator) const {
  const std::size_t nodes = routing_->topology().node_count();
  const auto most = static_cast<std::uint64_t>(max_via_) + 1;
  std::vector<NodeId> stops{source};
  for (std::uint64_t rest = 1 + generator.next() % most; rest > 0; --rest) {
    const NodeId stop = node_id(generator.next() % nodes);
    if (std::find(stops.begin(), stops.end(), stop) == stops.end()) stops.push_back(stop);
  }
  return stops;
}

// A worm on the leg from one of its stops, or its source, to the next; further legs may follow.
std::optional<BenchMessage> BenchMessages::multidestination(NodeId source,
                                                            SplitMix64& generator) const {
  const std::vector<NodeId> stops = draw_stops(source, generator);
  if (stops.size() == 1) return std::nullopt;
  auto message = unicast(source, stops[1], 0, false);
  if (!message) return std::nullopt;
  message->kind = MessageKind::multidestination;
  message->via = ViaList(std::vector<NodeId>(stops.begin() + 2, stops.end()));
  if (stops[1] != node_ || message->via.empty()) return message;
  const auto hop = routing_->route(node_, stops[2], 0);
  message->outputs |= PortMask{1} << index(hop->port);
  message->vc_class = class_beyond(*message, *hop);
  return message;
}

// A label worm on its first leg, or on one that begins at a destination, which is then `source`.
std::optional<BenchMessage> BenchMessages::label(NodeId source, SplitMix64& generator) const {
  const Topology& mesh = routing_->topology();
  std::vector<NodeId> stops = draw_stops(source, generator);
  if (stops.size() == 1) return std::nullopt;
  const auto is_lower = [&](NodeId a, NodeId b) { return label_of(mesh, a) < label_of(mesh, b); };
  const bool goes_up = is_lower(source, stops[1]);
  std::sort(stops.begin() + 1, stops.end(),
            [&](NodeId a, NodeId b) { return goes_up ? is_lower(a, b) : is_lower(b, a); });
  stops.erase(stops.begin());
  const auto chosen = (TieMask{1} << generator.next() % 4) >> 1;
  if (!label_fault(mesh, source, stops, chosen).empty()) return std::nullopt;
  BenchMessage message;
  message.kind = MessageKind::label;
  message.address = stops.front();
  message.via = ViaList(std::vector<NodeId>(stops.begin() + 1, stops.end()));
  message.ties = chosen;
  const std::vector<Channel> leg = routing_->path(source, stops[0], chosen, message.kind);
  const auto here =
      std::find_if(leg.begin(), leg.end(), [&](Channel channel) { return channel.node == node_; });
  const bool ends_here = stops[0] == node_;
  if (here == leg.end() && !ends_here) return std::nullopt;
  if (here != leg.end()) message.outputs = PortMask{1} << index(here->port);
  if (ends_here && stops.size() > 1) {
    message.outputs = PortMask{1} << index(routing_->label_route(node_, stops[1], 0)->port);
  }
  if (source == node_) {
    message.input =
        config_->external_ports + config_->internal_port(static_cast<int>(index(here->port)));
    return message;
  }
  arrive(message, *(here - 1), VcClass::h_or_l);
  if (ends_here) message.outputs |= PortMask{1} << config_->ejection_output(message.input);
  return message;
}

std::optional<BenchMessage> BenchMessages::path(NodeId source) const {
  BenchMessage message;
  message.kind = MessageKind::path;
  message.address = source;
  if (const auto next = routing_->path_branch(node_, source)) {
    message.outputs = PortMask{1} << index(*next);
  }
  message.input = config_->external_ports;
  const std::size_t position = routing_->path_position(node_, source);
  if (position == 0) return message;
  message.input = __builtin_ctzll(position);  // in the last step this bit of the Gray word changed
  message.outputs |= PortMask{1} << config_->ejection_output(message.input);
  return message;
}

std::optional<BenchMessage> BenchMessages::tree(NodeId root, DimensionMask free) const {
  const Topology& topology = routing_->topology();
  if (!is_in_group(topology, node_, root, free)) return std::nullopt;
  BenchMessage message;
  message.kind = MessageKind::tree;
  message.address = root;
  message.ties = free;
  message.outputs = tree_outputs(*routing_, node_, root, free);
  if (root == node_) {
    message.input = config_->external_ports;
    return message;
  }
  const Channel last = routing_->path(root, node_).back();
  const PortMask branch = PortMask{1} << index(last.port);
  const bool is_p = tree_outputs_of_class_p(topology, last.node, root, branch) != 0;
  arrive(message, last, is_p ? VcClass::p : VcClass::h_or_l);
  message.outputs |= PortMask{1} << config_->ejection_output(message.input);
  return message;
}

std::optional<BenchMessage> BenchMessages::attempt(MessageKind kind, SplitMix64& generator) const {
  if (is_join(kind)) return std::nullopt;  // it needs all of its contributions
  const std::size_t nodes = routing_->topology().node_count();
  const NodeId source = node_id(generator.next() % nodes);
  if (kind == MessageKind::tree) {
    const std::size_t masks = std::size_t{1} << routing_->topology().dimension_count();
    const bool has_mask = groups_ != PinGroups::none;
    return tree(source, has_mask ? static_cast<DimensionMask>(generator.next() % masks) : 0);
  }
  if (kind == MessageKind::path) return path(source);
  if (kind == MessageKind::multidestination) return multidestination(source, generator);
  if (kind == MessageKind::label) return max_via_ > 0 ? label(source, generator) : std::nullopt;
  const NodeId destination = node_id(generator.next() % nodes);
  const auto all_ties = TieMask{1} << routing_->topology().dimension_count();
  const auto ties = static_cast<TieMask>(generator.next() % all_ties);
  if (source == destination) return std::nullopt;
  if (routing_->is_adaptive()) return adaptive(destination, generator);
  const bool may_tie = routing_->topology().wraps() && has_ties_ && routing_->table() == nullptr;
  return unicast(source, destination, may_tie ? ties : 0, kind == MessageKind::deposit);
}

std::optional<BenchMessage> BenchMessages::draw(MessageKind kind, int flits,
                                                SplitMix64& generator) const {
  for (int attempt = 0; attempt < 20000; ++attempt) {
    auto message = this->attempt(kind, generator);
    if (!message) continue;
    message->flits = flits;
    if (config_->is_external(message->input)) draw_vc(*message, generator);
    if (config_->classes > 1) draw_message_class(*message, generator);
    return message;
  }
  return std::nullopt;
}

// Its VC has been drawn as one of message class 0.
void BenchMessages::draw_message_class(BenchMessage& message, SplitMix64& generator) const {
  const auto classes = static_cast<std::uint64_t>(config_->classes);
  const auto drawn = static_cast<int>(generator.next() % classes);
  message.vc += drawn * (config_->is_external(message.input) ? config_->vcs_of_class() : 1);
}

// A message that came in on either class and goes straight on keeps the class of its VC.
void BenchMessages::draw_vc(BenchMessage& message, SplitMix64& generator) const {
  const int unicast_vcs = config_->vcs_of_class();
  if (message.kind == MessageKind::tree && config_->join_vcs > 0) {
    message.vc = config_->vcs - 1;
    return;
  }
  const bool is_cut = config_->layers > 1 && message.arrival != VcClass::either;
  const int vcs =
      (is_cut ? config_->vcs_of_layer() : unicast_vcs) - (routing_->is_adaptive() ? message.vc : 0);
  message.vc += static_cast<int>(generator.next() % static_cast<std::uint64_t>(vcs));
  if (message.vc_class != VcClass::either) return;
  const PortMask straight = PortMask{1} << index(routing_->topology().arrival_port(
                                node_, port_id(static_cast<std::size_t>(message.input))));
  if ((message.outputs & straight) != 0) message.vc_class = class_of(*config_, message.vc);
}

std::vector<BenchMessage> BenchMessages::all_ways(int flits) const {
  std::vector<BenchMessage> ways;
  std::set<std::tuple<int, int, PortMask>> seen;
  SplitMix64 generator(1);
  for (int i = 0; i < 4000; ++i) {
    const auto message = draw(MessageKind::unicast, flits, generator);
    if (!message) break;
    if (seen.insert({message->input, message->vc, message->outputs}).second)
      ways.push_back(*message);
  }
  return ways;
}

NodeId busiest_node(const Topology& topology) {
  NodeId best{};
  std::size_t most = 0;
  for (std::size_t i = 0; i < topology.node_count(); ++i) {
    const NodeId node = node_id((i + topology.node_count() / 2) % topology.node_count());
    std::size_t neighbours = 0;
    for (std::size_t port = 0; port < topology.port_count(); ++port) {
      if (topology.neighbour(node, port_id(port))) ++neighbours;
    }
    if (neighbours > most) {
      most = neighbours;
      best = node;
    }
  }
  return best;
}

}  // namespace allport
