// SPDX-License-Identifier: Apache-2.0
#include "traffic/theory/route_load.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "rtl_model/base/stop_flag.h"

namespace allport {

namespace {

// Calls `action` with each pair of different nodes.
template <class Action>
void for_each_pair(const Routing& routing, Action action) {
  const std::size_t nodes = routing.topology().node_count();
  for (std::size_t from = 0; from < nodes; ++from) {
    heed_stop();
    for (std::size_t to = 0; to < nodes; ++to) {
      if (from != to) action(node_id(from), node_id(to));
    }
  }
}

// The largest matching of senders and receivers, which are joined by pairs: by augmenting paths.
class CrossingPairs {
 public:
  using Pairs = std::vector<std::pair<NodeId, NodeId>>;

  CrossingPairs(const Pairs& pairs, std::size_t nodes)
      : receivers_(nodes), sender_of_(nodes, nobody) {
    for (const auto& [from, to] : pairs) receivers_[index(from)].push_back(index(to));
    for (std::size_t from = 0; from < nodes; ++from) {
      is_tried_.assign(nodes, false);
      if (!receivers_[from].empty() && augment(from)) ++size_;
    }
  }
  std::size_t size() const { return size_; }
  Pairs pairs() const {
    Pairs pairs;
    for (std::size_t to = 0; to < sender_of_.size(); ++to) {
      if (sender_of_[to] != nobody) pairs.emplace_back(node_id(sender_of_[to]), node_id(to));
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

 private:
  static constexpr std::size_t nobody = SIZE_MAX;

  // It calls itself once for each node at most.
  bool augment(std::size_t from) {
    for (const std::size_t to : receivers_[from]) {
      if (is_tried_[to]) continue;
      is_tried_[to] = true;
      if (sender_of_[to] == nobody || augment(sender_of_[to])) {
        sender_of_[to] = from;
        return true;
      }
    }
    return false;
  }

  std::vector<std::vector<std::size_t>> receivers_;  // by sender
  std::vector<std::size_t> sender_of_;               // by receiver
  std::vector<bool> is_tried_;                       // by receiver
  std::size_t size_ = 0;
};

}  // namespace

double RouteLoad::mean_hops() const {
  double hops = 0;
  for (std::size_t i = 0; i < pairs_by_hops.size(); ++i) {
    hops += static_cast<double>(i) * static_cast<double>(pairs_by_hops[i]);
  }
  return hops / static_cast<double>(pair_count());
}

Channel RouteLoad::busiest() const {
  std::size_t most = 0;
  for (std::size_t i = 1; i < pairs.size(); ++i) {
    if (pairs[i] * phits[i] > pairs[most] * phits[most]) most = i;
  }
  return {node_id(most / ports), port_id(most % ports)};
}

RouteLoad route_load(const Routing& routing, const ChannelPhits& phits) {
  const Topology& topology = routing.topology();
  RouteLoad load;
  load.nodes = topology.node_count();
  load.ports = topology.port_count();
  if (load.pair_count() > max_followed_pairs) {
    throw std::invalid_argument(topology.name() + " has " + std::to_string(load.pair_count()) +
                                " pairs of nodes; the routes of up to " +
                                std::to_string(max_followed_pairs) + " are followed");
  }
  load.pairs.resize(topology.router_count() * load.ports);
  load.phits.assign(load.pairs.size(), 1);
  for (const Channel channel : topology.channels()) {
    load.phits[index(channel.node) * load.ports + index(channel.port)] =
        static_cast<std::uint8_t>(phits(channel));
  }
  for_each_pair(routing, [&](NodeId from, NodeId to) {
    std::size_t hops = 0;
    routing.walk(from, to, routing.default_ties(from, to, 0), [&](Channel channel) {
      ++load.pairs[index(channel.node) * load.ports + index(channel.port)];
      ++hops;
    });
    if (hops >= load.pairs_by_hops.size()) load.pairs_by_hops.resize(hops + 1);
    ++load.pairs_by_hops[hops];
  });
  return load;
}

std::optional<WorstPermutation> worst_permutation(const Routing& routing,
                                                  const ChannelPhits& phits) {
  const Topology& topology = routing.topology();
  const std::size_t nodes = topology.node_count();
  const std::size_t ports = topology.port_count();
  if (nodes > max_matched_nodes) return std::nullopt;
  std::vector<CrossingPairs::Pairs> over(topology.router_count() * ports);
  for_each_pair(routing, [&](NodeId from, NodeId to) {
    routing.walk(from, to, routing.default_ties(from, to, 0), [&](Channel channel) {
      over[index(channel.node) * ports + index(channel.port)].emplace_back(from, to);
    });
  });
  WorstPermutation worst;
  for (std::size_t i = 0; i < over.size(); ++i) {
    heed_stop();
    if (over[i].empty()) continue;
    const Channel channel{node_id(i / ports), port_id(i % ports)};
    const auto cycles = static_cast<std::size_t>(phits(channel));
    if (over[i].size() * cycles <= worst.cycles) continue;
    const CrossingPairs matching(over[i], nodes);
    if (matching.size() * cycles <= worst.cycles) continue;
    worst = {channel, matching.size(), matching.size() * cycles, matching.pairs()};
  }
  return worst;
}

}  // namespace allport
