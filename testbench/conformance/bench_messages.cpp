// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/bench_messages.h"

#include <set>
#include <tuple>

namespace allport {

int BenchMessages::first_vc(VcClass vc_class) const {
  return config_->vc_classes && vc_class == VcClass::p ? config_->vcs / 2 : 0;
}

int BenchMessages::vcs_of(VcClass) const {
  return config_->vc_classes ? config_->vcs / 2 : config_->vcs;
}

void BenchMessages::arrive(BenchMessage& message, Channel last, VcClass vc_class) const {
  message.input = static_cast<int>(index(routing_->topology().arrival_port(last.port)));
  message.vc = first_vc(vc_class);
}

std::optional<BenchMessage> BenchMessages::unicast(NodeId source, NodeId destination, TieMask ties,
                                                   bool is_deposit) const {
  BenchMessage message;
  message.kind = is_deposit ? MessageKind::deposit : MessageKind::unicast;
  message.address = destination;
  message.ties = ties;
  std::optional<Channel> last;
  VcClass last_class = VcClass::h_or_l;
  NodeId here = source;
  while (here != node_) {
    const auto hop = routing_->route(here, destination, ties);
    if (!hop) return std::nullopt;
    last = Channel{here, hop->port};
    last_class = hop->vc_class;
    here = *routing_->topology().neighbour(here, hop->port);
  }
  const auto hop = routing_->route(node_, destination, ties);
  if (last) arrive(message, *last, last_class);
  if (hop) {
    const int output = static_cast<int>(index(hop->port));
    message.outputs = PortMask{1} << output;
    message.vc_class = hop->vc_class;
    if (!last) message.input = config_->external_ports + config_->internal_port(output);
  }
  if (last && (!hop || is_deposit)) {
    message.outputs |= PortMask{1} << config_->ejection_output(message.input);
  }
  return message;
}

std::optional<BenchMessage> BenchMessages::tree(NodeId root) const {
  BenchMessage message;
  message.kind = MessageKind::tree;
  message.address = root;
  message.outputs = routing_->tree_branches(node_, root);
  if (root == node_) {
    message.input = config_->external_ports;
    return message;
  }
  const std::vector<Channel> path = routing_->path(root, node_);
  arrive(message, path.back(), VcClass::h_or_l);
  message.outputs |= PortMask{1} << config_->ejection_output(message.input);
  return message;
}

std::optional<BenchMessage> BenchMessages::draw(MessageKind kind, int flits,
                                                SplitMix64& generator) const {
  const std::size_t nodes = routing_->topology().node_count();
  for (int attempt = 0; attempt < 20000; ++attempt) {
    std::optional<BenchMessage> message;
    const NodeId source = node_id(generator.next() % nodes);
    if (kind == MessageKind::tree) {
      message = tree(source);
    } else {
      const NodeId destination = node_id(generator.next() % nodes);
      const auto all_ties = TieMask{1} << routing_->topology().dimension_count();
      const auto ties = static_cast<TieMask>(generator.next() % all_ties);
      if (source == destination) continue;
      message = unicast(source, destination, routing_->topology().wraps() ? ties : 0,
                        kind == MessageKind::deposit);
    }
    if (!message) continue;
    message->flits = flits;
    if (config_->is_external(message->input)) {
      message->vc +=
          static_cast<int>(generator.next() % static_cast<std::uint64_t>(vcs_of(VcClass::h_or_l)));
    }
    return message;
  }
  return std::nullopt;
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
