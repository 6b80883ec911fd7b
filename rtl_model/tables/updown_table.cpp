// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/tables/rules.h"
#include "rtl_model/topology/spanning_tree.h"

namespace allport {

namespace {

constexpr int nowhere = INT32_MAX;

using Link = SpanningTree::Link;

struct Step {
  std::uint32_t to;
  std::uint8_t port;
};

// The channels of a fabric, each up or down.
class Updown {
 public:
  Updown(const Topology& topology, const std::vector<Channel>& missing, NodeId root)
      : steps_(topology.router_count()) {
    for_each_channel_there(topology, missing,
                           [this](std::uint32_t from, std::uint32_t to, std::uint8_t port) {
                             steps_[from].push_back({to, port});
                           });
    find_depths(static_cast<std::uint32_t>(index(root)));
    order_.resize(steps_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (depths_[a] != depths_[b]) return depths_[a] < depths_[b];
      return topology.place_in_file(node_id(a)) < topology.place_in_file(node_id(b));
    });
    places_.resize(steps_.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) places_[order_[i]] = i;
  }

  // The port of each node by which a head goes on to `destination`; Entry::none: no way leads
  // there. Nodes stand in the order of (depth, number), so that down channels lead to later ones.
  const std::vector<std::uint8_t>& ports_to(std::uint32_t destination) {
    lengths_.assign(steps_.size(), nowhere);
    ports_.assign(steps_.size(), RoutingTable::Entry::none);
    if (depths_[destination] == nowhere) return ports_;
    lengths_[destination] = 0;
    for (std::uint32_t i = places_[destination]; i-- > 0;) choose(order_[i], true);
    for (const std::uint32_t node : order_) {
      if (lengths_[node] == nowhere) choose(node, false);
    }
    return ports_;
  }

  // By router: how it is joined to the one above it in the breadth-first tree.
  const std::vector<Link>& links() const { return links_; }

 private:
  // The lowest port that leads from one router to another; null: none does.
  const Step* step_between(std::uint32_t from, std::uint32_t to) const {
    const auto found = std::find_if(steps_[from].begin(), steps_[from].end(),
                                    [to](const Step& step) { return step.to == to; });
    return found == steps_[from].end() ? nullptr : &*found;
  }

  // Breadth first from the root, over links that lead both ways.
  void find_depths(std::uint32_t root) {
    depths_.assign(steps_.size(), nowhere);
    links_.resize(steps_.size());
    depths_[root] = 0;
    std::vector<std::uint32_t> reached{root};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::uint32_t node = reached[i];
      for (const Step& step : steps_[node]) {
        if (depths_[step.to] != nowhere) continue;
        const Step* const back = step_between(step.to, node);
        if (back == nullptr) continue;
        depths_[step.to] = depths_[node] + 1;
        links_[step.to] = {node, back->port, step.port};
        reached.push_back(step.to);
      }
    }
  }

  // The shortest way from `node` by its down channels, or by its up channels.
  void choose(std::uint32_t node, bool goes_down) {
    if (depths_[node] == nowhere) return;
    for (const Step& step : steps_[node]) {
      if (depths_[step.to] == nowhere || lengths_[step.to] == nowhere) continue;
      if ((places_[step.to] > places_[node]) != goes_down) continue;
      if (lengths_[step.to] + 1 >= lengths_[node]) continue;
      lengths_[node] = lengths_[step.to] + 1;
      ports_[node] = step.port;
    }
  }

  std::vector<std::vector<Step>> steps_;  // by node, ports ascending
  std::vector<int> depths_;
  std::vector<Link> links_;            // by node
  std::vector<std::uint32_t> order_;   // nodes by (depth, number)
  std::vector<std::uint32_t> places_;  // of each node there
  std::vector<int> lengths_;           // of the way to the destination
  std::vector<std::uint8_t> ports_;
};

NodeId root_of(const Topology& topology, const std::string& name) {
  if (name.empty()) return topology.first_in_file();
  if (const auto node = topology.find_node(name)) return *node;
  throw std::invalid_argument("routing table:updown:" + shown(name, 100) + ": " + topology.name() +
                              " has no node of this name; " + topology.nodes_in_words());
}

}  // namespace

RoutingTable updown_table(const TableRequest& request, const std::string& root) {
  const Topology& topology = *request.topology;
  const std::string name = "table:updown" + (root.empty() ? "" : ":" + root);
  const NodeId top = root_of(topology, root);
  Updown ways(topology, request.missing, top);
  RoutingTable table =
      table_of_ports(name, topology, [&](std::uint32_t to) { return ways.ports_to(to); });
  table.set_tree(std::make_shared<const SpanningTree>(topology, top, ways.links()));
  return table;
}

}  // namespace allport
