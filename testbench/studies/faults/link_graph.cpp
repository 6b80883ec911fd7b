// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/faults/link_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "rtl_model/graphs/parts.h"
#include "testbench/processes/interrupt.h"

namespace allport {

namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

bool has(const LinkSet& links, std::size_t link) {
  return std::binary_search(links.begin(), links.end(), link);
}

LinkSet with(LinkSet links, std::size_t link) {
  links.insert(std::upper_bound(links.begin(), links.end(), link), link);
  return links;
}

}  // namespace

LinkGraph::LinkGraph(const Topology& topology)
    : topology_(topology), out_(topology.router_count()), in_(topology.router_count()) {
  if (topology.router_count() > most_routers) {
    throw std::invalid_argument(
        fmt::format("sets of links are looked at in fabrics of at most {} routers, and {} has {}",
                    most_routers, topology.name(), topology.router_count()));
  }
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Channel>> channels;
  for (const Channel channel : topology.channels()) {
    const std::size_t from = index(channel.node);
    const std::size_t to = index(*topology.neighbour(channel.node, channel.port));
    if (from != to) channels[std::minmax(from, to)].push_back(channel);
  }
  for (auto& [ends, list] : channels) {
    const auto [u, v] = ends;
    const auto leads_from = [&list = list](std::size_t end) {
      return std::any_of(list.begin(), list.end(),
                         [end](Channel channel) { return index(channel.node) == end; });
    };
    const auto add_arc = [this](std::size_t from, std::size_t to) {
      out_[from].push_back({to, links_.size()});
      in_[to].push_back({from, links_.size()});
    };
    if (leads_from(u)) add_arc(u, v);
    if (leads_from(v)) add_arc(v, u);
    is_two_way_ = is_two_way_ && leads_from(u) && leads_from(v);
    links_.push_back({node_id(u), node_id(v)});
    channels_.push_back(std::move(list));
  }
}

std::string LinkGraph::in_words(const LinkSet& links) const {
  std::string words;
  for (const std::size_t link : links) {
    words += (words.empty() ? "" : ",") + topology_.node_name(links_[link].u) + "-" +
             topology_.node_name(links_[link].v);
  }
  return words;
}

std::vector<std::string> LinkGraph::names(const std::vector<NodeId>& nodes) const {
  std::vector<std::string> list;
  for (const NodeId node : nodes) list.push_back(topology_.node_name(node));
  return list;
}

std::vector<NodeId> LinkGraph::cut_off(const LinkSet& missing) const {
  std::vector<Channel> channels;
  for (const std::size_t link : missing) {
    channels.insert(channels.end(), channels_[link].begin(), channels_[link].end());
  }
  std::sort(channels.begin(), channels.end());
  const std::vector<std::size_t> part_of = parts_of(topology_, {}, channels);
  std::vector<std::size_t> nodes(part_of.size());  // of each part
  for (std::size_t node = 0; node < topology_.node_count(); ++node) ++nodes[part_of[node]];
  const auto largest =
      static_cast<std::size_t>(std::max_element(nodes.begin(), nodes.end()) - nodes.begin());
  std::vector<NodeId> list;
  for (std::size_t node = 0; node < topology_.node_count(); ++node) {
    if (part_of[node] != largest) list.push_back(node_id(node));
  }
  return list;
}

// Links that lead both ways, by a search in depth: a link is a bridge if nothing below it leads to
// above it.
std::vector<LinkGraph::Cutting> LinkGraph::bridges(const LinkSet& missing) const {
  struct Visit {
    std::size_t router;
    std::size_t link;  // by which it was reached
    std::size_t next = 0;
  };
  std::vector<std::size_t> order(out_.size(), nowhere);  // in which routers were reached
  std::vector<std::size_t> low(out_.size());             // the first one that is reached from below
  std::vector<std::size_t> below(out_.size());           // nodes there
  std::vector<Cutting> found;
  std::size_t count = 0;
  std::vector<Visit> path;
  const auto enter = [&](std::size_t router, std::size_t link) {
    order[router] = low[router] = count++;
    below[router] = router < topology_.node_count() ? 1 : 0;
    path.push_back({router, link});
  };
  enter(0, nowhere);
  while (!path.empty()) {
    Visit& at = path.back();
    if (at.next < out_[at.router].size()) {
      const Arc& arc = out_[at.router][at.next++];
      if (arc.link == at.link || has(missing, arc.link)) continue;
      if (order[arc.to] == nowhere) {
        enter(arc.to, arc.link);
      } else {
        low[at.router] = std::min(low[at.router], order[arc.to]);
      }
      continue;
    }
    const Visit done = at;
    path.pop_back();
    if (path.empty()) break;
    const std::size_t above = path.back().router;
    low[above] = std::min(low[above], low[done.router]);
    below[above] += below[done.router];
    const std::size_t nodes = below[done.router];
    if (low[done.router] <= order[above] || nodes == 0) continue;
    found.push_back({done.link, std::min(nodes, topology_.node_count() - nodes)});
  }
  return found;
}

// Where links lead one way: those of ways from the first node to all others, and back, are tried.
std::vector<LinkGraph::Cutting> LinkGraph::one_way_bridges(const LinkSet& missing) const {
  std::vector<bool> is_on_a_way(links_.size());
  for (const Arcs* arcs : {&out_, &in_}) {
    std::vector<bool> is_reached(arcs->size());
    std::vector<std::size_t> list{0};
    is_reached[0] = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (const Arc& arc : (*arcs)[list[i]]) {
        if (is_reached[arc.to] || has(missing, arc.link)) continue;
        is_reached[arc.to] = is_on_a_way[arc.link] = true;
        list.push_back(arc.to);
      }
    }
  }
  std::vector<Cutting> found;
  for (std::size_t link = 0; link < links_.size(); ++link) {
    if (!is_on_a_way[link]) continue;
    const std::size_t nodes = cut_off(with(missing, link)).size();
    if (nodes > 0) found.push_back({link, nodes});
  }
  return found;
}

std::vector<LinkGraph::Cutting> LinkGraph::cutting(const LinkSet& missing) const {
  give_up_if_interrupted();
  std::vector<Cutting> found = is_two_way_ ? bridges(missing) : one_way_bridges(missing);
  std::sort(found.begin(), found.end(),
            [](const Cutting& a, const Cutting& b) { return a.link < b.link; });
  return found;
}

// Flow from one router to another, of at most 1 on each way of each link.
class LinkGraph::Flow {
 public:
  Flow(const LinkGraph& graph, std::size_t from, std::size_t to)
      : graph_(graph), from_(from), to_(to), flow_(graph.links_.size()) {}

  // Up to `limit`.
  std::size_t most(std::size_t limit) {
    std::size_t flow = 0;
    while (flow < limit && has_more()) ++flow;
    return flow;
  }
  // The links from what is still reached to the rest, when no more could flow.
  LinkSet cut() const {
    LinkSet links;
    for (std::size_t router = 0; router < before_.size(); ++router) {
      if (before_[router] == nowhere) continue;
      for (const Arc& arc : graph_.out_[router]) {
        if (before_[arc.to] == nowhere) links = with(std::move(links), arc.link);
      }
    }
    return links;
  }

 private:
  // 1 if `link` leads flow away from `router`, -1 if to it.
  int sign(std::size_t router, std::size_t link) const {
    return index(graph_.links_[link].u) == router ? 1 : -1;
  }
  // One more way, on which what flows the other way is taken back.
  bool has_more() {
    before_.assign(graph_.out_.size(), nowhere);
    link_.assign(graph_.out_.size(), nowhere);
    std::vector<std::size_t> list{from_};
    before_[from_] = from_;
    for (std::size_t i = 0; i < list.size() && before_[to_] == nowhere; ++i) {
      const std::size_t router = list[i];
      const auto reach = [&](const Arc& arc, int limit) {
        const bool is_full = sign(router, arc.link) * flow_[arc.link] >= limit;
        if (before_[arc.to] != nowhere || is_full) return;
        before_[arc.to] = router;
        link_[arc.to] = arc.link;
        list.push_back(arc.to);
      };
      for (const Arc& arc : graph_.out_[router]) reach(arc, 1);
      for (const Arc& arc : graph_.in_[router]) reach(arc, 0);
    }
    if (before_[to_] == nowhere) return false;
    for (std::size_t at = to_; at != from_; at = before_[at]) {
      flow_[link_[at]] += sign(before_[at], link_[at]);
    }
    return true;
  }

  const LinkGraph& graph_;
  std::size_t from_;
  std::size_t to_;
  std::vector<int> flow_;            // of each link from its first node to the other
  std::vector<std::size_t> before_;  // the router before each that is reached
  std::vector<std::size_t> link_;    // and the link between them
};

LinkCut LinkGraph::smallest_cut() const {
  LinkCut smallest;
  std::size_t least = nowhere;
  for (std::size_t node = 1; node < topology_.node_count(); ++node) {
    give_up_if_interrupted();
    for (const bool goes_back : {false, true}) {
      if (goes_back && is_two_way_) continue;
      Flow flow(*this, goes_back ? node : 0, goes_back ? 0 : node);
      const std::size_t most = flow.most(least);
      if (most == least) continue;
      least = most;
      smallest.links = flow.cut();
    }
  }
  smallest.cut_off = cut_off(smallest.links);
  return smallest;
}

LinkCuts LinkGraph::cuts(std::size_t most_links, std::size_t most) const {
  struct Found {
    LinkSet links;
    std::size_t nodes;
  };
  LinkCuts cuts;
  std::vector<Found> list;
  const auto shorten = [&] {
    std::stable_sort(list.begin(), list.end(), [](const Found& a, const Found& b) {
      return a.links.size() != b.links.size() ? a.links.size() < b.links.size() : a.nodes > b.nodes;
    });
    if (list.size() > most) list.resize(most);
  };
  const auto add = [&](LinkSet links, std::size_t nodes) {
    ++cuts.count;
    list.push_back({std::move(links), nodes});
    if (list.size() >= 2 * most) shorten();
  };
  LinkSet alone;  // links that cut nodes off by themselves
  for (const Cutting& one : cutting({})) {
    alone.push_back(one.link);
    add({one.link}, one.nodes);
  }
  for (std::size_t first = 0; most_links > 1 && first < links_.size(); ++first) {
    if (has(alone, first)) continue;
    for (const Cutting& second : cutting({first})) {
      if (second.link > first && !has(alone, second.link)) add({first, second.link}, second.nodes);
    }
  }
  shorten();
  for (Found& one : list) {
    std::vector<NodeId> nodes = cut_off(one.links);
    cuts.list.push_back({std::move(one.links), std::move(nodes)});
  }
  return cuts;
}

}  // namespace allport
