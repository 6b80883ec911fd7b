// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/routing.h"

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/label_order.h"

namespace allport {

namespace {

int highest_bit(std::size_t bits) {
  return 63 - __builtin_clzll(static_cast<unsigned long long>(bits));
}

int lowest_bit(std::size_t bits) { return __builtin_ctzll(static_cast<unsigned long long>(bits)); }

// From coordinate `from` to `to` of a dimension, the shorter way round.
int offset_between(const Topology& topology, int from, int to, std::size_t dimension,
                   TieMask ties) {
  const int direct = to - from;
  if (!topology.wraps()) return direct;
  const int side = topology.sides()[dimension];
  const int up = direct < 0 ? direct + side : direct;
  if (2 * up == side) return (ties >> dimension & 1U) != 0 ? -up : up;
  return 2 * up < side ? up : up - side;
}

}  // namespace

Routing::Routing(std::shared_ptr<const Topology> topology, RoutingOrder order, TieBreak tie_break,
                 VcUse vc_use)
    : topology_(std::move(topology)), order_(order), tie_break_(tie_break), vc_use_(vc_use) {
  if (order == RoutingOrder::table) {
    throw std::invalid_argument("routing table: a table has a rule or a file, as in table:updown");
  }
  if (topology_->is_graph()) {
    throw std::invalid_argument(
        std::string("routing ") + to_string(order) + ": " + topology_->name() +
        " has no dimensions; it takes table:updown, table:shortest or a file");
  }
  const bool ecube = order != RoutingOrder::dimension_ordered;
  if (ecube != topology_->is_hypercube()) {
    throw std::invalid_argument(
        std::string("routing ") + to_string(order) + ": " + topology_->name() + " takes " +
        (ecube ? "dimension-ordered only" : "descending, ascending or adaptive"));
  }
  if (tie_break.rule != TieBreak::Rule::positive && !topology_->wraps()) {
    throw std::invalid_argument("ties " + tie_break.in_words() + ": they are for rings and tori; " +
                                topology_->name() + " has no ring with two ways round");
  }
  if (vc_use != VcUse::strict && !topology_->wraps()) {
    throw std::invalid_argument(std::string("vc use ") + to_string(vc_use) +
                                ": it is for rings and tori; the virtual channels of " +
                                topology_->name() + " have no classes");
  }
}

Routing::Routing(std::shared_ptr<const Topology> topology,
                 std::shared_ptr<const RoutingTable> table, TieBreak tie_break)
    : topology_(std::move(topology)),
      table_(std::move(table)),
      order_(RoutingOrder::table),
      tie_break_(tie_break),
      vc_use_(VcUse::strict) {}

std::string Routing::name() const { return table_ ? table_->name() : to_string(order_); }

int Routing::default_vcs() const {
  if (table_) return table_->layers();
  return topology_->wraps() || is_adaptive() ? 2 : 1;
}

int Routing::layers_among(int vcs) const {
  if (!table_) return topology_->wraps() && vcs > 1 ? 2 : 1;
  int layers = table_->layers();
  while (layers <= vcs && vcs % layers != 0) ++layers;
  return layers <= vcs ? layers : 0;
}

Routing Routing::of_ranks(std::shared_ptr<const Topology> ranks) const {
  const bool has_order = !table_ && ranks->is_hypercube() == topology_->is_hypercube();
  const bool has_ways = ranks->wraps();
  const RoutingOrder order = has_order ? order_ : default_order(*ranks);
  return {std::move(ranks), order, has_ways ? tie_break_ : TieBreak{},
          has_ways ? vc_use_ : VcUse::strict};
}

RoutingOrder Routing::default_order(const Topology& topology) {
  return topology.is_hypercube() ? RoutingOrder::descending : RoutingOrder::dimension_ordered;
}

std::optional<Hop> Routing::route(NodeId here, NodeId destination, TieMask ties,
                                  VcClass arrival) const {
  const std::size_t difference = index(here) ^ index(destination);
  if (difference == 0) return std::nullopt;
  if (order_ != RoutingOrder::dimension_ordered) {
    if (order_ == RoutingOrder::table) return hop_of_table(here, destination, arrival);
    const bool is_ascending = order_ == RoutingOrder::ascending;
    const int port = is_ascending ? lowest_bit(difference) : highest_bit(difference);
    return Hop{port_id(static_cast<std::size_t>(port)), VcClass::h_or_l};
  }
  std::size_t dimension = 0;
  int from = 0;
  int to = 0;
  for (;; ++dimension) {
    from = topology_->coordinate(here, dimension);
    to = topology_->coordinate(destination, dimension);
    if (from != to) break;
  }
  const bool up = offset_between(*topology_, from, to, dimension, ties) > 0;
  // The wraparound link is still ahead exactly when the target lies behind the direction of travel.
  const bool wraparound_ahead = up ? to < from : to > from;
  return Hop{port_id(2 * dimension + (up ? 0 : 1)),
             wraparound_ahead ? VcClass::p : VcClass::h_or_l};
}

Hop Routing::hop_of_table(NodeId here, NodeId destination, VcClass arrival) const {
  const RoutingTable::Entry entry = arrival == VcClass::injected
                                        ? table_->at_injection(here, destination)
                                        : table_->at(here, layer_of(arrival), destination);
  if (entry.is_hop()) return Hop{port_id(entry.port), class_of_layer(entry.layer)};
  throw std::logic_error("routing " + table_->name() + ": it has no hop from node " +
                         std::to_string(index(here)) + " to node " +
                         std::to_string(index(destination)) + ", so it was not proved");
}

// A head that turns into a dimension chooses; one that goes straight on keeps its class, except
// behind the wraparound link, up to which it was p.
VcClass Routing::balanced_class(NodeId here, PortId port, std::size_t input,
                                VcClass arrival) const {
  if (input != index(topology_->arrival_port(here, port))) return VcClass::either;
  const std::size_t dimension = topology_->dimension_of(port);
  const int behind_wraparound = index(port) % 2 == 0 ? 0 : topology_->sides()[dimension] - 1;
  const bool has_crossed = topology_->coordinate(here, dimension) == behind_wraparound;
  return has_crossed ? VcClass::h_or_l : arrival;
}

std::optional<Hop> Routing::label_route(NodeId here, NodeId destination, TieMask chosen) const {
  if (here == destination) return std::nullopt;
  const PortId port = chosen == 0 ? label_port(*topology_, here, destination)
                                  : *label_step(*topology_, here, destination,
                                                static_cast<std::size_t>(lowest_bit(chosen)));
  return Hop{port, VcClass::h_or_l};
}

std::optional<Hop> Routing::next_hop(MessageKind kind, NodeId here, NodeId destination,
                                     TieMask ties, VcClass arrival) const {
  if (kind == MessageKind::path) {
    const std::optional<PortId> port = path_branch(here, destination);
    return port ? std::optional<Hop>(Hop{*port, VcClass::h_or_l}) : std::nullopt;
  }
  if (kind == MessageKind::label) {
    return label_route(here, destination, arrival == VcClass::injected ? ties : 0);
  }
  return route(here, destination, ties, arrival);
}

Hop Routing::first_hop(MessageKind kind, NodeId sender, NodeId destination, TieMask ties) const {
  return *next_hop(kind, sender, destination, ties, VcClass::injected);
}

std::vector<Channel> Routing::path(NodeId from, NodeId to, TieMask ties, MessageKind kind) const {
  heed_stop();
  std::vector<Channel> channels;
  NodeId here = from;
  VcClass arrival = VcClass::injected;
  while (const std::optional<Hop> hop = next_hop(kind, here, to, ties, arrival)) {
    channels.push_back({here, hop->port});
    here = *topology_->neighbour(here, hop->port);
    arrival = hop->vc_class;
  }
  return channels;
}

int Routing::distance(NodeId from, NodeId to) const {
  int hops = 0;
  if (table_) {
    walk(from, to, 0, [&](Channel) { ++hops; });
    return hops;
  }
  if (topology_->is_hypercube()) return __builtin_popcountll(index(from) ^ index(to));
  for (std::size_t i = 0; i < topology_->dimension_count(); ++i) {
    hops += std::abs(signed_offset(from, to, i, 0));
  }
  return hops;
}

std::size_t Routing::path_position(NodeId here, NodeId source) const {
  std::size_t position =
      index(here) ^ index(source);  // the code word; then the number it stands for
  for (std::size_t shift = 1; shift < topology_->port_count(); shift *= 2) {
    position ^= position >> shift;
  }
  return position;
}

std::optional<PortId> Routing::path_branch(NodeId here, NodeId source) const {
  const std::size_t next = path_position(here, source) + 1;
  if (next == topology_->node_count()) return std::nullopt;
  return port_id(static_cast<std::size_t>(lowest_bit(next)));
}

std::optional<TieMask> Routing::ties_of(NodeId from, NodeId to,
                                        const std::vector<int>& displacement) const {
  const bool has_ways = !table_ && !topology_->is_hypercube();
  if (!has_ways || displacement.size() != topology_->dimension_count()) {
    return std::nullopt;
  }
  TieMask ties = 0;
  for (std::size_t i = 0; i < displacement.size(); ++i) {
    const TieMask bit = TieMask{1} << i;
    if (displacement[i] == signed_offset(from, to, i, 0)) continue;
    if (displacement[i] != signed_offset(from, to, i, bit)) return std::nullopt;
    ties |= bit;
  }
  return ties;
}

std::vector<int> Routing::displacement(NodeId from, NodeId to, TieMask ties) const {
  std::vector<int> offsets;
  for (std::size_t i = 0; i < topology_->dimension_count(); ++i) {
    offsets.push_back(signed_offset(from, to, i, ties));
  }
  return offsets;
}

int Routing::signed_offset(NodeId from, NodeId to, std::size_t dimension, TieMask ties) const {
  return offset_between(*topology_, topology_->coordinate(from, dimension),
                        topology_->coordinate(to, dimension), dimension, ties);
}

}  // namespace allport
