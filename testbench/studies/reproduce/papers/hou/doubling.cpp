// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/hou/doubling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "testbench/studies/reproduce/papers/hou/passages.h"
#include "testbench/studies/reproduce/planned_tree.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/patterns/sampling.h"

namespace allport {

namespace {

using ClassOfChannel = std::tuple<NodeId, PortId, VcClass>;

std::vector<ClassOfChannel> classes_of(const Unicast& one, const Routing& routing) {
  std::vector<ClassOfChannel> classes;
  const TieMask ties = ties_of(one, routing);
  NodeId here = one.u;
  while (const std::optional<Hop> hop = routing.route(here, one.v, ties)) {
    classes.emplace_back(here, hop->port, hop->vc_class);
    here = *routing.topology().neighbour(here, hop->port);
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

bool have_one_in_common(const std::vector<ClassOfChannel>& a,
                        const std::vector<ClassOfChannel>& b) {
  return std::any_of(a.begin(), a.end(), [&](const ClassOfChannel& one) {
    return std::binary_search(b.begin(), b.end(), one);
  });
}

}  // namespace

bool is_free_by_classes(const PlannedTree& tree) {
  const std::vector<Unicast>& all = tree.schedule.unicasts;
  std::map<NodeId, NodeId> parent;
  std::vector<std::vector<ClassOfChannel>> classes;
  for (const Unicast& one : all) {
    parent[one.v] = one.u;
    classes.push_back(classes_of(one, tree.routing));
  }
  const auto is_served_by = [&](NodeId node, NodeId server) {
    while (node != server && node != tree.goal.source) node = parent.at(node);
    return node == server;
  };
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      if (a == b || all[a].step > all[b].step || !have_one_in_common(classes[a], classes[b])) {
        continue;
      }
      if (all[a].step == all[b].step || !is_served_by(all[b].u, all[a].u)) return false;
    }
  }
  return true;
}

namespace {

struct Count {
  std::size_t sets = 0;
  std::size_t by_classes = 0;  // sets that may contend for a class of virtual channels
  std::size_t by_channels = 0;

  void add(const Routing& routing, NodeId source, const std::vector<NodeId>& destinations) {
    const Multicast goal = multicast(routing.topology(), source, destinations);
    const PlannedTree tree{routing, 1, goal, plan(find_algorithm("utorus"), {routing, 1, goal})};
    ++sets;
    if (!tree.checked().definition4.ok()) ++by_channels;
    if (!is_free_by_classes(tree)) ++by_classes;
  }
};

Routing torus_of(const char* shape) {
  return {parse_topology(shape), RoutingOrder::dimension_ordered};
}

// Every set of destinations from every source.
void add_all(Count& count, const char* shape) {
  const Routing routing = torus_of(shape);
  const std::size_t nodes = routing.topology().node_count();
  for (std::size_t source = 0; source < nodes; ++source) {
    for (std::size_t set = 1; set < std::size_t{1} << nodes; ++set) {
      if ((set >> source & 1U) != 0) continue;
      std::vector<NodeId> chosen;
      for (std::size_t node = 0; node < nodes; ++node) {
        if ((set >> node & 1U) != 0) chosen.push_back(node_id(node));
      }
      count.add(routing, node_id(source), chosen);
    }
  }
}

constexpr std::size_t drawn_sets_of_a_torus = 300;

void add_drawn(Count& count, const char* shape) {
  const Routing routing = torus_of(shape);
  const std::size_t others = routing.topology().node_count() - 1;
  SplitMix64 generator(1);
  for (std::size_t i = 0; i < drawn_sets_of_a_torus; ++i) {
    const NodeId source = node_id(generator.next() % (others + 1));
    SetSampler sampler(others, 1 + generator.next() % others);
    std::vector<NodeId> chosen;
    for (const std::uint32_t one : sampler.draw(generator)) {
      chosen.push_back(routing.topology().absolute(one, source));
    }
    count.add(routing, source, chosen);
  }
}

}  // namespace

Claim doubling_claim() {
  Count all;
  for (const char* shape : {"torus:3x3", "ring:4", "ring:5", "ring:8"}) add_all(all, shape);
  Count drawn;
  for (const char* shape : {"torus:4x4", "torus:5x5", "torus:4x6", "torus:8x8", "torus:3x4x5"}) {
    add_drawn(drawn, shape);
  }
  const auto in_words = [](const Count& count, const char* what) {
    return fmt::format("{} of {} {} may contend for a class of virtual channels, {} for a channel",
                       count.by_classes, count.sets, what, count.by_channels);
  };
  return {
      "the recursive doubling process was extended to tori, and proved to be depth contention-free",
      hou::doubling,
      fmt::format(
          "by utorus on one port, by Definition 4 of [Robinson93]: {}; {}",
          in_words(all,
                   "sets of all, from all sources, of the 3x3 torus and the rings of 4, 5 and 8"),
          in_words(drawn, "sets drawn on 4x4, 5x5, 4x6, 8x8 and 3x4x5 tori")),
      Outcome::not_tested,
      "The paper of the extension is not at hand. That the chain of utorus has the addresses in ascending order is allport's reading. It is free where the virtual channels of figure 2 count as channels, and not where two messages may not share a link"};
}

}  // namespace allport
