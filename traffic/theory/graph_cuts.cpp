// SPDX-License-Identifier: Apache-2.0
// The maximum flow is Dinic's: as long as the sink can be reached, ways of fewest arcs are filled
// until none is left.
#include "traffic/theory/graph_cuts.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace {

class MaximumFlow {
 public:
  explicit MaximumFlow(std::size_t vertices)
      : arcs_of_(vertices), levels_(vertices), next_(vertices) {}

  void add(std::size_t from, std::size_t to, std::int64_t capacity) {
    arcs_of_[from].push_back(arcs_.size());
    arcs_.push_back({to, capacity});
    arcs_of_[to].push_back(arcs_.size());
    arcs_.push_back({from, 0});
  }

  /// The vertices that can be reached from `source` once nothing more can flow to `sink`.
  std::vector<bool> near_side(std::size_t source, std::size_t sink) {
    while (reach(source), levels_[sink] >= 0) {
      heed_stop();
      std::fill(next_.begin(), next_.end(), 0);
      fill_ways(source, sink);
    }
    std::vector<bool> near(levels_.size());
    for (std::size_t i = 0; i < near.size(); ++i) near[i] = levels_[i] >= 0;
    return near;
  }

 private:
  struct Arc {
    std::size_t to;
    std::int64_t rest;
  };

  // The arcs on the fewest from `source` to each vertex; -1: none leads there.
  void reach(std::size_t source) {
    std::fill(levels_.begin(), levels_.end(), -1);
    levels_[source] = 0;
    std::vector<std::size_t> reached{source};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (const std::size_t arc : arcs_of_[reached[i]]) {
        const std::size_t to = arcs_[arc].to;
        if (arcs_[arc].rest == 0 || levels_[to] >= 0) continue;
        levels_[to] = levels_[reached[i]] + 1;
        reached.push_back(to);
      }
    }
  }

  // Whether an arc leads on from `vertex`; it is then the last one of way_.
  bool advance(std::size_t vertex) {
    for (; next_[vertex] < arcs_of_[vertex].size(); ++next_[vertex]) {
      const std::size_t arc = arcs_of_[vertex][next_[vertex]];
      if (arcs_[arc].rest == 0 || levels_[arcs_[arc].to] != levels_[vertex] + 1) continue;
      way_.push_back(arc);
      return true;
    }
    return false;
  }
  // Fills way_, and cuts it before the first arc that has no rest.
  void fill_way() {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const std::size_t arc : way_) least = std::min(least, arcs_[arc].rest);
    for (const std::size_t arc : way_) {
      arcs_[arc].rest -= least;
      arcs_[arc ^ 1].rest += least;
    }
    way_.erase(std::find_if(way_.begin(), way_.end(),
                            [&](std::size_t arc) { return arcs_[arc].rest == 0; }),
               way_.end());
  }
  void fill_ways(std::size_t source, std::size_t sink) {
    way_.clear();
    for (;;) {
      const std::size_t vertex = way_.empty() ? source : arcs_[way_.back()].to;
      if (vertex == sink) {
        fill_way();
        continue;
      }
      if (advance(vertex)) continue;
      if (way_.empty()) return;
      ++next_[arcs_[way_.back() ^ 1].to];  // a dead end
      way_.pop_back();
    }
  }

  std::vector<std::vector<std::size_t>> arcs_of_;  // by vertex
  std::vector<Arc> arcs_;                          // each beside the one back
  std::vector<int> levels_;
  std::vector<std::size_t> next_;  // of the arcs of a vertex: the next to try
  std::vector<std::size_t> way_;
};

using Part = std::vector<NodeId>;  // of the members, by number

// The parts of those that take part which graph_cuts() holds against the others.
class Parts {
 public:
  Parts(const Graph& graph, const Part& members) : graph_(graph), members_(members) {
    std::sort(members_.begin(), members_.end());
    const std::size_t channels = std::max<std::size_t>(graph.channels().size(), 1);
    most_ = std::clamp<std::size_t>(1000000 / channels, 4, 64);
  }

  std::set<Part> all() {
    add({members_.begin(), members_.begin() + static_cast<std::ptrdiff_t>(half())});
    add_groups();
    add_nearest();
    add_leaves();
    return parts_;
  }

 private:
  std::size_t half() const { return members_.size() / 2; }
  void add(Part part) {
    std::sort(part.begin(), part.end());
    if (part.empty() || part.size() == members_.size() || parts_.size() >= most_) return;
    parts_.insert(std::move(part));
  }

  void add_groups() {
    std::map<std::string, std::size_t> places;
    std::vector<Part> groups;
    for (const NodeId node : members_) {
      const std::string& name = graph_.node_of(node).group;
      if (name.empty()) continue;
      const auto [place, is_new] = places.emplace(name, groups.size());
      if (is_new) groups.emplace_back();
      groups[place->second].push_back(node);
    }
    Part first_half;
    for (std::size_t i = 0; i < groups.size() / 2; ++i) {
      first_half.insert(first_half.end(), groups[i].begin(), groups[i].end());
    }
    add(std::move(first_half));
    for (Part& group : groups) add(std::move(group));
  }

  std::vector<int> hops_from(NodeId from) const {
    std::vector<int> hops(graph_.router_count(), std::numeric_limits<int>::max());
    hops[index(from)] = 0;
    std::vector<NodeId> reached{from};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      for (std::size_t port = 0; port < graph_.port_count(); ++port) {
        const auto next = graph_.neighbour(reached[i], port_id(port));
        if (!next || hops[index(*next)] != std::numeric_limits<int>::max()) continue;
        hops[index(*next)] = hops[index(reached[i])] + 1;
        reached.push_back(*next);
      }
    }
    return hops;
  }
  // The halves around some of them, evenly chosen.
  void add_nearest() {
    const std::size_t count = std::min<std::size_t>(members_.size(), 16);
    for (std::size_t i = 0; i < count && parts_.size() < most_; ++i) {
      heed_stop();
      const std::vector<int> hops = hops_from(members_[i * members_.size() / count]);
      Part near = members_;
      std::stable_sort(near.begin(), near.end(),
                       [&](NodeId a, NodeId b) { return hops[index(a)] < hops[index(b)]; });
      near.resize(half());
      add(std::move(near));
    }
  }
  void add_leaves() {
    const std::set<NodeId> members(members_.begin(), members_.end());
    for (std::size_t i = graph_.node_count(); i < graph_.router_count(); ++i) {
      Part leaves;
      for (std::size_t port = 0; port < graph_.port_count(); ++port) {
        const auto next = graph_.neighbour(node_id(i), port_id(port));
        if (next && members.count(*next) > 0) leaves.push_back(*next);
      }
      std::sort(leaves.begin(), leaves.end());
      leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
      add(std::move(leaves));
    }
  }

  const Graph& graph_;
  Part members_;
  std::size_t most_;
  std::set<Part> parts_;
};

}  // namespace

GraphCut least_cut(const Graph& graph, const std::vector<NodeId>& near,
                   const std::vector<NodeId>& far, const ChannelCapacity& capacity) {
  const std::size_t source = graph.router_count();
  const std::size_t sink = source + 1;
  constexpr std::int64_t no_limit = std::int64_t{1} << 50;
  MaximumFlow flow(sink + 1);
  for (const Channel channel : graph.channels()) {
    flow.add(index(channel.node), index(*graph.neighbour(channel.node, channel.port)),
             capacity(channel));
  }
  for (const NodeId node : near) flow.add(source, index(node), no_limit);
  for (const NodeId node : far) flow.add(index(node), sink, no_limit);
  GraphCut cut = flow.near_side(source, sink);
  cut.resize(graph.router_count());
  return cut;
}

std::vector<GraphCut> graph_cuts(const Graph& graph, const std::vector<NodeId>& members,
                                 const ChannelCapacity& capacity) {
  std::set<GraphCut> cuts;
  for (const Part& part : Parts(graph, members).all()) {
    Part others;
    std::vector<NodeId> sorted = members;
    std::sort(sorted.begin(), sorted.end());
    std::set_difference(sorted.begin(), sorted.end(), part.begin(), part.end(),
                        std::back_inserter(others));
    cuts.insert(least_cut(graph, part, others, capacity));
    GraphCut back = least_cut(graph, others, part, capacity);
    back.flip();
    cuts.insert(std::move(back));
  }
  return {cuts.begin(), cuts.end()};
}

}  // namespace allport
