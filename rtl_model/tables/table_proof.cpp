// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/tables/table_proof.h"

#include <algorithm>
#include <optional>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/tables/dependencies.h"
#include "rtl_model/topology/channel_words.h"
#include "rtl_model/topology/deadlock.h"
#include "rtl_model/topology/spanning_tree.h"

namespace allport {

namespace {

using Entry = RoutingTable::Entry;
using Vertex = LayerDependencies::Vertex;

// Follows the heads of all messages to one destination after another.
class TableProof {
 public:
  TableProof(const RoutingTable& table, const Topology& topology,
             const std::vector<Channel>& missing)
      : table_(table),
        topology_(topology),
        missing_(missing),
        rows_(static_cast<std::size_t>(table.layers()) + 1),
        seen_(topology.router_count() * rows_),
        dependencies_(topology, table.layers()) {}

  std::string fault() {
    for (std::size_t to = 0; to < topology_.node_count(); ++to) {
      heed_stop();
      for (std::size_t from = 0; from < topology_.node_count(); ++from) {
        if (from == to) continue;
        std::string fault = follow(node_id(from), node_id(to));
        if (!fault.empty()) return fault;
      }
    }
    if (table_.tree() != nullptr) add_ways_of(*table_.tree());
    const std::vector<Vertex> cycle = dependencies_.find_cycle();
    if (cycle.empty()) return {};
    return topology_.name() +
           " can deadlock because its channels wait for each other in a cycle: " +
           in_words(cycle, topology_);
  }

 private:
  // The mark of a head in a row of a node: it was seen on the way of this pair, or on that of an
  // earlier one to the same destination.
  std::uint64_t& mark(NodeId node, int row) {
    return seen_[index(node) * rows_ + static_cast<std::size_t>(row)];
  }

  std::string follow(NodeId from, NodeId to) {
    const std::uint64_t first_of_destination = pair_of(to, node_id(0));
    NodeId here = from;
    int row = table_.layers();
    std::optional<Vertex> held;
    while (here != to) {
      const Entry entry = table_.at(here, row, to);
      std::string fault = entry.port == Entry::none ? way_fault(from, to, here, row)
                                                    : entry_fault(here, row, entry);
      if (!fault.empty()) return pair_in_words(from, to) + fault;
      const Vertex next{{here, port_id(entry.port)}, entry.layer};
      if (held) dependencies_.add(*held, next);
      std::uint64_t& seen = mark(here, row);
      if (seen == pair_of(to, from)) {
        return pair_in_words(from, to) + "its way comes twice to node " +
               topology_.node_name(here) + place_in_words(row) + ", so it never ends";
      }
      if (seen >= first_of_destination && seen != 0) return {};
      seen = pair_of(to, from);
      here = *topology_.neighbour(here, next.channel.port);
      row = entry.layer;
      held = next;
    }
    return {};
  }

  // Every way of trees and joins: on by all links of the tree but the one by which they came.
  void add_ways_of(const SpanningTree& tree) {
    for (std::size_t router = 0; router < topology_.router_count(); ++router) {
      const NodeId here = node_id(router);
      for (const auto* from = tree.begin(here); from != tree.end(here); ++from) {
        const Vertex held{*topology_.incoming(here, from->input), 0};
        for (const auto* to = tree.begin(here); to != tree.end(here); ++to) {
          if (to != from) dependencies_.add(held, {{here, to->output}, 0});
        }
      }
    }
  }

  // Pairs are numbered by destination, from 1.
  std::uint64_t pair_of(NodeId to, NodeId from) const {
    return index(to) * topology_.node_count() + index(from) + 1;
  }

  std::string pair_in_words(NodeId from, NodeId to) const {
    return "a message from node " + topology_.node_name(from) + " to node " +
           topology_.node_name(to) + ": ";
  }
  std::string place_in_words(int row) const {
    return row == table_.layers() ? " by injection" : " in layer " + std::to_string(row);
  }

  std::string at_in_words(NodeId here, int row) const {
    return "at node " + topology_.node_name(here) + place_in_words(row) + " ";
  }

  // What is wrong where there is no entry: the fabric has no way either, or the table leaves it
  // out.
  std::string way_fault(NodeId from, NodeId to, NodeId here, int row) const {
    if (!is_way(from, to))
      return "no way leads there, so they are cut off; --replan runs on what is connected";
    return at_in_words(here, row) +
           "the table has no entry, though a way leads there, which table:shortest takes";
  }

  // Whether channels that are there lead from one node to the other.
  bool is_way(NodeId from, NodeId to) const {
    std::vector<bool> is_reached(topology_.router_count());
    std::vector<NodeId> reached{from};
    is_reached[index(from)] = true;
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::size_t port = 0; port < topology_.port_count(); ++port) {
        const Channel channel{reached[i], port_id(port)};
        const auto next = topology_.neighbour(channel.node, channel.port);
        if (!next || is_reached[index(*next)]) continue;
        if (std::binary_search(missing_.begin(), missing_.end(), channel)) continue;
        is_reached[index(*next)] = true;
        reached.push_back(*next);
      }
    }
    return is_reached[index(to)];
  }

  // What is wrong with the entry of a head that is not at its destination.
  std::string entry_fault(NodeId here, int row, Entry entry) const {
    const std::string place = at_in_words(here, row);
    if (entry.port == Entry::local) return place + "the table says local, which is elsewhere";
    const PortId port = port_id(entry.port);
    const bool is_port = entry.port < topology_.port_count();
    if (!is_port || !topology_.neighbour(here, port)) {
      return place + "the table names port " + std::to_string(entry.port) + ", which leads nowhere";
    }
    if (entry.layer >= table_.layers()) {
      return place + "the table names layer " + std::to_string(entry.layer) + " of " +
             std::to_string(table_.layers());
    }
    if (!std::binary_search(missing_.begin(), missing_.end(), Channel{here, port})) return {};
    return place + "the table leads over the missing link " + topology_.node_name(here) + ">" +
           topology_.node_name(*topology_.neighbour(here, port));
  }

  const RoutingTable& table_;
  const Topology& topology_;
  const std::vector<Channel>& missing_;
  std::size_t rows_;                 // of a node: its layers and injection
  std::vector<std::uint64_t> seen_;  // by node and row: the last pair whose head came there
  LayerDependencies dependencies_;
};

}  // namespace

std::string in_words(const std::vector<Vertex>& cycle, const Topology& topology) {
  std::vector<std::string> names;
  names.reserve(cycle.size());
  for (const Vertex& one : cycle) {
    names.push_back(link_in_words(topology, one.channel) + " layer " + std::to_string(one.layer));
  }
  return cycle_in_words(names);
}

std::string table_fault(const RoutingTable& table, const Topology& topology,
                        const std::vector<Channel>& missing) {
  return TableProof(table, topology, missing).fault();
}

}  // namespace allport
