// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/adaptive_deadlock.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "rtl_model/base/circle.h"

namespace allport {

namespace {

PortMask highest(PortMask useful) {
  return PortMask{1} << (63 - __builtin_clzll(static_cast<unsigned long long>(useful)));
}
PortMask all(PortMask useful) { return useful; }

int port_of(PortMask bit) { return __builtin_ctzll(static_cast<unsigned long long>(bit)); }

// A graph whose vertices are numbers.
class Graph {
 public:
  explicit Graph(std::size_t vertices) : successors_(vertices) {}

  void add(std::size_t from, std::size_t to) {
    successors_[from].insert(static_cast<std::uint32_t>(to));
  }

  // The vertices of a cycle in order; empty if there is none.
  std::vector<std::uint32_t> find_cycle() const {
    return find_circle(successors_.size(), [this](std::uint32_t vertex, auto is_done) {
      const auto& next = successors_[vertex];
      const auto found = std::find_if_not(next.begin(), next.end(), is_done);
      return found == next.end() ? no_vertex : *found;
    });
  }

 private:
  std::vector<std::set<std::uint32_t>> successors_;
};

// Vertex node * n + port is a channel.
std::vector<ChannelClass> channels_of(const std::vector<std::uint32_t>& vertices, std::size_t n) {
  std::vector<ChannelClass> channels;
  channels.reserve(vertices.size());
  for (const std::uint32_t vertex : vertices) {
    channels.push_back({{node_id(vertex / n), port_id(vertex % n)}, VcClass::h_or_l});
  }
  return channels;
}

// The dimensions that a message may still have to cross when it next requests an escape channel, if
// `useful` are left now: adaptive channels may have taken it over any of them in between.
std::set<PortMask> reachable(const AdaptiveRelation& relation, PortMask useful) {
  std::set<PortMask> seen{useful};
  std::vector<PortMask> open{useful};
  while (!open.empty()) {
    const PortMask left = open.back();
    open.pop_back();
    for (PortMask rest = left & relation.adaptive(left); rest != 0; rest &= rest - 1) {
      const PortMask next = left & ~(rest & (~rest + 1));
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return seen;
}

// The cube looks the same from each of its nodes: a dependency found for destination 0 holds for
// all others, with every node shifted.
void add_everywhere(Graph& graph, std::size_t n, Channel from, Channel to) {
  for (std::size_t shift = 0; shift < std::size_t{1} << n; ++shift) {
    graph.add((index(from.node) ^ shift) * n + index(from.port),
              (index(to.node) ^ shift) * n + index(to.port));
  }
}

Graph escape_graph(const AdaptiveRelation& relation, std::size_t n) {
  Graph graph(n << n);
  for (PortMask useful = 1; useful < PortMask{1} << n; ++useful) {
    for (PortMask taken = relation.escape(useful) & useful; taken != 0; taken &= taken - 1) {
      const PortMask bit = taken & (~taken + 1);
      const Channel from{node_id(useful), port_id(static_cast<std::size_t>(port_of(bit)))};
      for (const PortMask left : reachable(relation, useful & ~bit)) {
        const PortMask offered = left == 0 ? 0 : relation.escape(left) & left;
        for (PortMask rest = offered; rest != 0; rest &= rest - 1) {
          add_everywhere(graph, n, from,
                         {node_id(left), port_id(static_cast<std::size_t>(port_of(rest)))});
        }
      }
    }
  }
  return graph;
}

// A cycle of dimensions: of two dimensions that a message has to cross, the one that it does not
// take first follows the other.
std::vector<ChannelClass> find_dimension_cycle(const AdaptiveRelation& relation, std::size_t n) {
  Graph graph(n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const PortMask both = PortMask{1} << a | PortMask{1} << b;
      const PortMask first = relation.escape(both) & both;
      if ((first >> a & 1U) != 0) graph.add(a, b);
      if ((first >> b & 1U) != 0) graph.add(b, a);
    }
  }
  std::vector<ChannelClass> channels;
  std::size_t node = 0;
  for (const std::uint32_t port : graph.find_cycle()) {
    channels.push_back({{node_id(node), port_id(port)}, VcClass::h_or_l});
    node ^= std::size_t{1} << port;
  }
  return channels;
}

}  // namespace

AdaptiveRelation adaptive_relation() { return {highest, all}; }

PortMask find_missing_escape(const AdaptiveRelation& relation, std::size_t dimensions) {
  for (PortMask useful = 1; useful < PortMask{1} << dimensions; ++useful) {
    const PortMask offered = relation.escape(useful);
    if (offered == 0 || (offered & ~useful) != 0) return useful;
  }
  return 0;
}

std::vector<ChannelClass> find_escape_cycle(const AdaptiveRelation& relation,
                                            std::size_t dimensions) {
  if (dimensions > max_exhaustive_dimensions) return find_dimension_cycle(relation, dimensions);
  return channels_of(escape_graph(relation, dimensions).find_cycle(), dimensions);
}

std::vector<ChannelClass> find_adaptive_cycle(std::size_t dimensions) {
  const std::size_t n = std::min<std::size_t>(dimensions, 2);  // a face of the cube has a cycle
  return channels_of(escape_graph({all, all}, n).find_cycle(), n);
}

}  // namespace allport
