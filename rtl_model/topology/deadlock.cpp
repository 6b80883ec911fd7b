// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/deadlock.h"

#include <array>
#include <cstdint>

#include "rtl_model/base/circle.h"
#include "rtl_model/topology/channel_words.h"

namespace allport {

namespace {

// A route turns only from one dimension to a later one of its order, and within a dimension it
// keeps its direction. So a cycle lies in one dimension, goes one way, and needs a ring; all rings
// of a dimension are alike. Vertex 2*i + c is class c of the channel of the i-th node of the ring.
class RingGraph {
 public:
  RingGraph(const Routing& routing, PortId port, bool classes)
      : port_(port), classes_(classes), ring_(nodes_along(routing.topology(), port)) {
    // A dependency is a pair of first hops of a route. The class of a hop depends only on whether
    // the wraparound link is ahead, and, if a head may choose, on the class of the hop before: the
    // shortest and the longest route show every combination.
    const std::size_t longest = ring_.size() / 2;
    successors_.resize(2 * ring_.size());
    for (std::size_t i = 0; longest >= 2 && i < ring_.size(); ++i) {
      add_route(routing, i, 2);
      add_route(routing, i, longest);
    }
  }

  std::vector<ChannelClass> find_cycle() const {
    return channels_of(find_circle(successors_.size(), [this](std::uint32_t vertex, auto is_done) {
      const std::size_t after = (vertex / 2 + 1) % ring_.size();
      for (std::uint32_t c = 0; c < 2; ++c) {
        const auto next = static_cast<std::uint32_t>(2 * after) + c;
        if (successors_[vertex][c] && !is_done(next)) return next;
      }
      return no_vertex;
    }));
  }

 private:
  static std::vector<NodeId> nodes_along(const Topology& topology, PortId port) {
    std::vector<NodeId> nodes{node_id(0)};
    while (true) {
      const NodeId next = *topology.neighbour(nodes.back(), port);
      if (next == nodes.front()) return nodes;
      nodes.push_back(next);
    }
  }

  void add_route(const Routing& routing, std::size_t from, std::size_t hops) {
    const std::size_t after = (from + 1) % ring_.size();
    const NodeId to = ring_[(from + hops) % ring_.size()];
    const TieMask ties = index(port_) % 2 == 0 ? TieMask{0} : ~TieMask{0};
    const Hop first = *routing.route(ring_[from], to, ties);
    const Hop second = *routing.route(ring_[after], to, ties);
    const std::size_t injection = routing.topology().port_count();
    const std::size_t arrival = index(routing.topology().arrival_port(ring_[from], port_));
    const VcClass asked = routing.requested_class(ring_[from], first, injection, VcClass::h_or_l);
    for (const VcClass given : {VcClass::h_or_l, VcClass::p}) {
      if (asked != VcClass::either && asked != given) continue;
      const VcClass next = routing.requested_class(ring_[after], second, arrival, given);
      successors_[2 * from + number_of(given)][number_of(next)] = true;
    }
  }

  std::size_t number_of(VcClass vc_class) const {
    return classes_ ? static_cast<std::size_t>(vc_class) : 0;
  }

  std::vector<ChannelClass> channels_of(const std::vector<std::uint32_t>& vertices) const {
    std::vector<ChannelClass> channels;
    channels.reserve(vertices.size());
    for (const std::uint32_t vertex : vertices) {
      channels.push_back({{ring_[vertex / 2], port_}, static_cast<VcClass>(vertex % 2)});
    }
    return channels;
  }

  PortId port_;
  bool classes_;
  std::vector<NodeId> ring_;
  std::vector<std::array<bool, 2>> successors_;  // by class of the next channel
};

std::string describe_channel(const Topology& topology, const ChannelClass& vertex, bool classes) {
  const std::string words = link_in_words(topology, vertex.channel);
  if (!classes) return words;
  return words + " class " + std::string(class_in_words(vertex.vc_class, vertex.channel.port));
}

}  // namespace

std::vector<ChannelClass> find_dependency_cycle(const Routing& routing, bool classes) {
  const Topology& topology = routing.topology();
  for (std::size_t i = 0; topology.wraps() && i < topology.port_count(); ++i) {
    std::vector<ChannelClass> cycle = RingGraph(routing, port_id(i), classes).find_cycle();
    if (!cycle.empty()) return cycle;
  }
  return {};
}

std::string cycle_in_words(const std::vector<std::string>& names) {
  constexpr std::size_t longest = 16;  // that a readable sentence can list
  std::string words;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_left_out = names.size() > longest && i >= longest / 2 && i + 1 < names.size();
    if (!is_left_out) words += names[i] + ", ";
    if (is_left_out && i == longest / 2) words += ".., ";
  }
  return names.empty() ? words : words + names.front();
}

std::string describe_cycle(const Topology& topology, const std::vector<ChannelClass>& cycle,
                           bool classes) {
  std::vector<std::string> names;
  names.reserve(cycle.size());
  for (const ChannelClass& one : cycle) names.push_back(describe_channel(topology, one, classes));
  return cycle_in_words(names);
}

}  // namespace allport
