// SPDX-License-Identifier: Apache-2.0
#include "traffic/timing_model.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

namespace allport {

namespace {

// A node and a cycle, absolute or counted from the message's start.
using Delivery = std::pair<Cycle, NodeId>;

std::vector<Delivery> tree_deliveries(const Routing& routing, NodeId source,
                                      const TimingParameters& timing) {
  std::vector<Delivery> deliveries;
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
    const NodeId node = node_id(i);
    if (node == source) continue;
    const Cycle hops = routing.distance(source, node);
    const bool is_leaf = routing.tree_branches(node, source) == 0;
    const Cycle replications = hops + (is_leaf ? 0 : 1);
    deliveries.emplace_back(hops * (1 + timing.link_delay) +
                                replications * timing.replication_delay + timing.flits + timing.tr,
                            node);
  }
  return deliveries;
}

// Who receives `unicast`'s message, and how long after it entered the router.
std::vector<Delivery> deliveries_of(const Unicast& unicast, const Routing& routing,
                                    const TimingParameters& timing) {
  const TieMask ties = ties_of(unicast, routing);
  if (unicast.kind == MessageKind::tree) return tree_deliveries(routing, unicast.u, timing);
  std::vector<Delivery> deliveries;
  Cycle hops = 0;
  for (const Channel channel : routing.path(unicast.u, unicast.v, ties)) {
    const NodeId node = *routing.topology().neighbour(channel.node, channel.port);
    ++hops;
    if (unicast.kind != MessageKind::deposit && node != unicast.v) continue;
    deliveries.emplace_back(hops * (1 + timing.link_delay) + timing.flits + timing.tr, node);
  }
  return deliveries;
}

// The unicasts by sender, each sender's in the order of its program.
std::vector<const Unicast*> by_program(const Schedule& schedule) {
  std::vector<const Unicast*> sends;
  for (const Unicast& unicast : schedule.unicasts) sends.push_back(&unicast);
  std::stable_sort(sends.begin(), sends.end(), [](const Unicast* a, const Unicast* b) {
    return std::tie(a->u, a->order) < std::tie(b->u, b->order);
  });
  return sends;
}

}  // namespace

std::vector<Cycle> predicted_latency(const Schedule& schedule, const Routing& routing,
                                     const std::vector<NodeId>& sources,
                                     const TimingParameters& timing) {
  const std::vector<const Unicast*> sends = by_program(schedule);
  std::vector<Cycle> latency(routing.topology().node_count(), -1);
  std::priority_queue<Delivery, std::vector<Delivery>, std::greater<>> arrivals;
  for (const NodeId source : sources) arrivals.emplace(0, source);
  while (!arrivals.empty()) {
    const auto [ready, node] = arrivals.top();
    arrivals.pop();
    if (latency[index(node)] >= 0) continue;
    latency[index(node)] = ready;
    auto send = std::partition_point(sends.begin(), sends.end(),
                                     [u = node](const Unicast* other) { return other->u < u; });
    Cycle start = ready;
    for (; send != sends.end() && (*send)->u == node; ++send) {
      start += timing.ts;
      for (const auto& [delay, receiver] : deliveries_of(**send, routing, timing)) {
        arrivals.emplace(start + delay, receiver);
      }
    }
  }
  return latency;
}

std::vector<Cycle> predicted_tree_latency(const Routing& routing, NodeId source,
                                          const TimingParameters& timing) {
  std::vector<Cycle> latency(routing.topology().node_count(), 0);
  for (const auto& [delay, node] : tree_deliveries(routing, source, timing)) {
    latency[index(node)] = timing.ts + delay;
  }
  return latency;
}

}  // namespace allport
