// SPDX-License-Identifier: Apache-2.0
// What `allport show` says of messages: their routes, and their tree.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/words.h"
#include "rtl_model/router/vc_choice.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/program/report/show_report.h"
#include "testbench/program/report/show_words.h"

namespace allport {

namespace {

// The number of shortest ways from `from` to `to`, as far as a number of 64 bits goes: each order
// of the hops, and two ways around a ring where the node lies opposite.
double shortest_ways(const Routing& routing, NodeId from, NodeId to) {
  const Topology& topology = routing.topology();
  double ways = 1;
  int hops = 0;
  const std::vector<int> offsets = routing.displacement(from, to, 0);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const int distance = std::abs(offsets[i]);
    for (int k = 1; k <= distance; ++k) ways = ways * (hops + k) / k;
    hops += distance;
    const bool is_opposite = topology.wraps() && 2 * distance == topology.sides()[i];
    if (is_opposite) ways *= 2;
  }
  return ways;
}

// The virtual channels that a message of class `asked` to `to` may take by `port` of `here`.
std::vector<int> vcs_of(const Routing& routing, const RouterConfig& router, NodeId here, NodeId to,
                        PortId port, VcClass asked) {
  const auto output = static_cast<int>(index(port));
  const std::uint32_t set = routing.is_adaptive()
                                ? adaptive_vcs(router, output, Routing::useful_ports(here, to))
                                : class_vcs(router, output, asked);
  std::vector<int> list;
  for (int vc = 0; vc < router.vcs; ++vc) {
    if ((set >> vc & 1U) != 0) list.push_back(vc);
  }
  return list;
}

// `, VC 1`, `, VCs 0..3`; empty: a channel has only one.
std::string vcs_in_words(const std::vector<int>& vcs, const RouterConfig& router) {
  if (router.vcs == 1) return "";
  if (vcs.size() == 1) return fmt::format(", VC {}", vcs.front());
  return fmt::format(", VCs {}..{}", vcs.front(), vcs.back());
}

// The route from `from` to `to`, hop by hop.
Shown hops_of(const Routing& routing, const RouterConfig& router, NodeId from, NodeId to,
              TieMask ties) {
  const Topology& topology = routing.topology();
  Shown shown{"", Json::array()};
  NodeId here = from;
  std::size_t input = topology.port_count();
  const bool has_table = routing.table() != nullptr;
  VcClass asked = VcClass::injected;
  for (int hop = 1; here != to; ++hop) {
    const Hop next = *routing.route(here, to, ties, asked);
    const NodeId there = *topology.neighbour(here, next.port);
    asked = routing.requested_class(here, next, input, asked);
    input = index(topology.arrival_port(here, next.port));
    const bool has_classes = topology.wraps() && !has_table;
    const std::string_view vc_class = has_classes ? class_in_words(asked, next.port) : "";
    const bool has_layers = has_table && router.layers > 1;
    const std::vector<int> vcs = vcs_of(routing, router, here, to, next.port, asked);
    shown.text += fmt::format("{:<12}{}: {} to {}{}{}\n", fmt::format("hop {}", hop),
                              output_in_words(topology, {here, next.port}),
                              in_words(here, topology), in_words(there, topology),
                              has_layers         ? fmt::format(", layer {}", layer_of(asked))
                              : vc_class.empty() ? ""
                                                 : fmt::format(", class {}", vc_class),
                              vcs_in_words(vcs, router));
    shown.json.push_back({{"from", node_json(here, topology)},
                          {"port", index(next.port)},
                          {"to", node_json(there, topology)},
                          {"class", vc_class.empty() ? Json() : Json(vc_class)},
                          {"vcs", vcs}});
    if (has_table) shown.json.back()["layer"] = layer_of(asked);
    here = there;
  }
  return shown;
}

}  // namespace

Shown show_route(const Routing& routing, const RouterConfig& router, NodeId from, NodeId to) {
  const Topology& topology = routing.topology();
  const int hops = routing.distance(from, to);
  // The ties are those of its sender's first message.
  const Shown route = hops_of(routing, router, from, to, routing.default_ties(from, to, 0));
  Shown shown{
      fmt::format("route       {} to {}: {} on {}, {} routing", in_words(from, topology),
                  in_words(to, topology), counted(hops, "hop"), topology.name(), routing.name()),
      {{"topology", topology.name()},
       {"from", node_json(from, topology)},
       {"to", node_json(to, topology)},
       {"hops", hops}}};
  if (routing.table() == nullptr) {
    const double ways = shortest_ways(routing, from, to);
    shown.text += fmt::format("; one of {:.0f} shortest", ways);
    shown.json["shortest_ways"] = ways;
  }
  shown.text += "\n" + route.text;
  shown.json["route"] = route.json;
  return shown;
}

Shown show_routes(const Routing& routing, const RouterConfig& router, const Schedule& schedule) {
  Shown shown;
  Json messages = Json::array();
  for (const Unicast& unicast : schedule.unicasts) {
    if (unicast.kind != MessageKind::unicast && unicast.kind != MessageKind::deposit) {
      throw std::invalid_argument(describe(unicast, routing.topology()) +
                                  ": routes are shown of messages to one node only");
    }
    const Shown route = hops_of(routing, router, unicast.u, unicast.v, ties_of(unicast, routing));
    shown.text += fmt::format("message     {}: {}\n", describe(unicast, routing.topology()),
                              counted(route.json.size(), "hop")) +
                  route.text;
    messages.push_back({{"u", node_json(unicast.u, routing.topology())},
                        {"v", node_json(unicast.v, routing.topology())},
                        {"step", unicast.step},
                        {"order", unicast.order},
                        {"route", route.json}});
  }
  shown.json = {{"topology", routing.topology().name()}, {"messages", std::move(messages)}};
  return shown;
}

namespace {

// The messages of a multicast by their senders, as a tree.
class Tree {
 public:
  Tree(const Topology& topology, NodeId source, const Schedule& schedule)
      : topology_(topology),
        source_(source),
        sends_(topology.node_count()),
        reached_(topology.node_count()) {
    std::vector<bool> has_it(topology.node_count());
    has_it[index(source)] = true;
    for (const Unicast& unicast : schedule.unicasts) {
      sends_[index(unicast.u)].push_back(&unicast);
      if (!has_it[index(unicast.v)]) {
        has_it[index(unicast.v)] = true;
        continue;
      }
      throw std::invalid_argument(fmt::format(
          "{}: node {} {}, so the messages are not a tree", describe(unicast, topology),
          topology.node_name(unicast.v),
          unicast.v == source ? "has the message from the beginning" : "receives twice"));
    }
    gather(source);
    for (const Unicast& unicast : schedule.unicasts) {
      if (!reached_[index(unicast.u)].empty()) continue;
      throw std::invalid_argument(fmt::format(
          "{}: nothing leads from node {}, the source, to node {}, so the messages are not a tree",
          describe(unicast, topology), topology.node_name(source), topology.node_name(unicast.u)));
    }
  }

  Shown shown() {
    Shown shown{in_words(source_, topology_) + "\n", {}};
    Json edges = Json::array();
    print(source_, 1, shown.text, edges);
    shown.json = {{"topology", topology_.name()},
                  {"source", node_json(source_, topology_)},
                  {"edges", std::move(edges)}};
    return shown;
  }

 private:
  // The set that is reached through `node`, itself included. It calls itself for each level.
  void gather(NodeId node) {
    std::vector<NodeId>& own = reached_[index(node)];
    own = {node};
    for (const Unicast* send : sends_[index(node)]) {
      gather(send->v);
      const std::vector<NodeId>& other = reached_[index(send->v)];
      own.insert(own.end(), other.begin(), other.end());
    }
    std::sort(own.begin(), own.end());
  }

  // Children come after their parents.
  void print(NodeId node, int depth, std::string& text, Json& edges) const {
    for (const Unicast* send : sends_[index(node)]) {
      const std::vector<NodeId>& set = reached_[index(send->v)];
      text += fmt::format(
          "{}step {}: {}, {}\n", std::string(static_cast<std::size_t>(2 * depth), ' '), send->step,
          in_words(send->v, topology_),
          set.size() == 1 ? "a leaf"
                          : fmt::format("through which {} {}", counted(set.size() - 1, "node"),
                                        set.size() == 2 ? "gets it" : "get it"));
      edges.push_back({{"u", node_json(node, topology_)},
                       {"v", node_json(send->v, topology_)},
                       {"step", send->step},
                       {"reached", nodes_json(set, topology_)}});
      print(send->v, depth + 1, text, edges);
    }
  }

  const Topology& topology_;
  NodeId source_;
  std::vector<std::vector<const Unicast*>> sends_;  // by sender
  std::vector<std::vector<NodeId>> reached_;        // through each node; empty: it has nothing
};

}  // namespace

Shown show_tree(const Topology& topology, NodeId source, const Schedule& schedule) {
  return Tree(topology, source, schedule).shown();
}

}  // namespace allport
