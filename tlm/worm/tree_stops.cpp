// SPDX-License-Identifier: Apache-2.0
#include "tlm/worm/tree_stops.h"

#include <algorithm>

#include "rtl_model/base/bits.h"
#include "rtl_model/graphs/node_ports.h"
#include "rtl_model/topology/group_routes.h"
#include "tlm/worm/candidates.h"

namespace allport {

namespace {

class Way {
 public:
  Way(const WormRequest& request, const RouterConfig& config, const Routing& routing)
      : root_(request.root()),
        free_(request.group),
        message_class_(request.message_class),
        config_(config),
        routing_(routing),
        topology_(routing.topology()) {}

  std::vector<TreeStop> of_tree(int port) {
    TreeStop root{root_, true, {input_of(port)}, {}, 0};
    stops_.push_back(root);
    branch_out(0);
    return std::move(stops_);
  }

  // A deposit, path, multidestination or label worm: one router after another, with copies on the
  // way.
  std::vector<TreeStop> of_row(const WormRequest& request) {
    std::vector<NodeId> nodes = request.via.nodes();
    nodes.push_back(request.kind == MessageKind::path ? request.source : request.destination);
    auto next = nodes.begin();
    stops_.push_back({request.source, true, {input_of(request.port)}, {}, 0});
    VcClass arrived = VcClass::injected;
    for (;;) {
      const NodeId here = stops_.back().node;
      const bool is_at_source = arrived == VcClass::injected;
      const bool is_reached = here == *next && request.kind != MessageKind::path;
      if (is_reached && next + 1 != nodes.end()) ++next;
      const auto hop = routing_.next_hop(request.kind, here, *next, request.ties, arrived);
      const bool has_copy =
          goes_by_list(request.kind) ? is_reached : !is_at_source && has_processor(here);
      if (hop) go_on(*hop, static_cast<std::uint32_t>(stops_.size()));
      if (has_copy) stops_.back().hops.push_back(copy_at(stops_.back()));
      if (!hop) return std::move(stops_);
      arrived = hop->vc_class;
      stops_.push_back({*topology_.neighbour(here, hop->port),
                        false,
                        {arrival(here, static_cast<int>(index(hop->port)))},
                        {},
                        0});
    }
  }

  std::vector<TreeStop> of_join(bool is_join_tree) {
    const std::vector<NodeId> routers = join_routers(routing_, root_, free_);
    for (const NodeId router : routers) add_operands(router);
    for (TreeStop& stop : stops_) {
      if (stop.node != root_) lead_to_root(stop, routers);
    }
    const std::size_t root = place_of(root_, routers);
    if (is_join_tree) branch_out(root);
    if (is_join_tree) stops_[root].delay += config_.replication_delay;
    stops_[root].hops.push_back({input_of(0), 1, 0});  // the ejection channel has the same number
    return std::move(stops_);
  }

 private:
  std::uint8_t input_of(int port) const {
    return static_cast<std::uint8_t>(config_.external_ports + port);
  }
  static std::size_t place_of(NodeId router, const std::vector<NodeId>& routers) {
    return static_cast<std::size_t>(std::lower_bound(routers.begin(), routers.end(), router) -
                                    routers.begin());
  }
  bool has_processor(NodeId router) const { return index(router) < topology_.node_count(); }
  std::uint16_t candidates(int output, VcClass vc_class) const {
    return static_cast<std::uint16_t>(class_vcs(config_, output, vc_class, message_class_));
  }
  std::uint8_t arrival(NodeId node, int output) const {
    return static_cast<std::uint8_t>(index(topology_.arrival_port(node, port(output))));
  }
  static PortId port(int output) { return port_id(static_cast<std::size_t>(output)); }

  // The last stop is left by `hop` for stop `to`.
  void go_on(const Hop& hop, std::uint32_t to) {
    TreeStop& stop = stops_.back();
    stop.hops.push_back(
        {static_cast<std::uint8_t>(index(hop.port)),
         candidates_of(routing_, config_, stop.node, hop, stop.inputs.front(), message_class_),
         to});
  }

  // The ejection channel by which a copy leaves `stop`.
  TreeHop copy_at(const TreeStop& stop) const {
    const int ejection =
        config_.external_ports +
        internal_port_of(topology_, stop.node, port(stop.inputs.front()), config_.internal_ports);
    return {static_cast<std::uint8_t>(ejection), candidates(ejection, VcClass::either), 0};
  }

  void add_operands(NodeId router) {
    TreeStop stop{router, has_processor(router), {}, {}, 0};
    if (stop.is_fed) stop.inputs.push_back(input_of(0));
    const PortMask inputs = join_inputs(routing_, router, root_, free_);
    for (const int port : bits(inputs)) stop.inputs.push_back(static_cast<std::uint8_t>(port));
    if (inputs != 0) stop.delay = config_.combine_delay;
    stops_.push_back(stop);
  }

  void lead_to_root(TreeStop& stop, const std::vector<NodeId>& routers) const {
    const Hop hop = *join_hop(routing_, stop.node, root_);
    const auto output = static_cast<int>(index(hop.port));
    const VcClass vc_class = config_.join_vcs > 0 ? VcClass::join : hop.vc_class;
    const std::size_t to = place_of(*topology_.neighbour(stop.node, hop.port), routers);
    stop.hops.push_back({static_cast<std::uint8_t>(output), candidates(output, vc_class),
                         static_cast<std::uint32_t>(to)});
  }

  // Adds the branches of the tree from stop `first` on, and the stops to which they lead.
  void branch_out(std::size_t first) {
    add_branches(first);
    for (std::size_t at = first_leaf_; at < stops_.size(); ++at) {
      stops_[at].delay = add_branches(at) ? config_.replication_delay : 0;
      if (!has_processor(stops_[at].node)) continue;
      stops_[at].hops.push_back(copy_at(stops_[at]));
    }
  }

  bool add_branches(std::size_t at) {
    const NodeId node = stops_[at].node;
    const PortMask outputs = tree_outputs(routing_, node, root_, free_);
    const PortMask of_class_p =
        config_.layers > 1 ? tree_outputs_of_class_p(topology_, node, root_, outputs) : 0;
    if (node == root_) first_leaf_ = stops_.size();
    for (const int output : bits(outputs)) {
      const VcClass vc_class = config_.join_vcs > 0               ? VcClass::tree
                               : (of_class_p >> output & 1U) != 0 ? VcClass::p
                                                                  : VcClass::h_or_l;
      stops_[at].hops.push_back({static_cast<std::uint8_t>(output), candidates(output, vc_class),
                                 static_cast<std::uint32_t>(stops_.size())});
      stops_.push_back(
          {*topology_.neighbour(node, port(output)), false, {arrival(node, output)}, {}, 0});
    }
    return outputs != 0;
  }

  const NodeId root_;
  const DimensionMask free_;
  const int message_class_;
  const RouterConfig& config_;
  const Routing& routing_;
  const Topology& topology_;
  std::vector<TreeStop> stops_;
  std::size_t first_leaf_ = 0;  // the first stop behind the root's
};

}  // namespace

std::vector<TreeStop> tree_stops(const WormRequest& request, const RouterConfig& config,
                                 const Routing& routing) {
  Way way(request, config, routing);
  if (!has_group(request.kind)) return way.of_row(request);
  if (!is_join(request.kind)) {
    std::vector<TreeStop> stops = way.of_tree(request.port);
    if (stops.front().hops.empty()) return stops;
    stops.front().delay = config.replication_delay;
    return stops;
  }
  return way.of_join(request.kind == MessageKind::join_tree);
}

}  // namespace allport
