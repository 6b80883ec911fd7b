// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/tables/rules.h"
#include "rtl_model/topology/routing.h"

namespace allport {

namespace {

RoutingOrder order_of(const Topology& topology, const std::string& order) {
  if (topology.is_graph()) {
    throw std::invalid_argument(
        "routing table:dimension: " + topology.name() +
        " has no dimensions; a graph takes table:updown, table:shortest or a file");
  }
  if (order.empty()) return Routing::default_order(topology);
  if (order == "ascending" && topology.is_hypercube()) return RoutingOrder::ascending;
  throw std::invalid_argument("routing table:dimension:" + order + ": " + topology.name() +
                              " takes table:dimension" +
                              (topology.is_hypercube() ? " or table:dimension:ascending" : ""));
}

}  // namespace

RoutingTable dimension_table(const TableRequest& request, const std::string& order) {
  const Topology& topology = *request.topology;
  if (request.ties.rule == TieBreak::Rule::random) {
    throw std::invalid_argument("ties " + request.ties.in_words() +
                                ": they are drawn by message, and a table knows none; routing "
                                "table:dimension takes positive, negative or alternate");
  }
  const Routing routing(request.topology, order_of(topology, order), request.ties);
  const int vcs = request.vcs == 0 ? routing.default_vcs() : request.vcs;
  const std::string name = "table:dimension" + (order.empty() ? "" : ":" + order);
  RoutingTable table(name, topology.node_count(), topology.node_count(), routing.layers_among(vcs));
  for (std::size_t here = 0; here < topology.node_count(); ++here) {
    heed_stop();
    for (std::size_t there = 0; there < topology.node_count(); ++there) {
      const NodeId node = node_id(here);
      const NodeId to = node_id(there);
      // A message that enters a dimension has not moved in it, so that the ties of its sender are
      // those of the node where it enters.
      const auto hop = routing.route(node, to, routing.default_ties(node, to, 0));
      RoutingTable::Entry entry{RoutingTable::Entry::local, 0};
      if (hop) {
        entry.port = static_cast<std::uint8_t>(index(hop->port));
        entry.layer = static_cast<std::uint8_t>(table.layers() > 1 ? layer_of(hop->vc_class) : 0);
        table.set_injection(node, to, entry);
      }
      for (int layer = 0; layer < table.layers(); ++layer) table.set(node, layer, to, entry);
    }
  }
  return table;
}

}  // namespace allport
