// SPDX-License-Identifier: Apache-2.0
#include "traffic/theory/timing_model.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "rtl_model/base/in_order.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/topology/group_routes.h"

namespace allport {

namespace {

// A node and a cycle, absolute or counted from the message's start.
using Delivery = std::pair<Cycle, NodeId>;

// How long every router holds a head that comes to the front as it arrives: for its route or, where
// it branches, `replicated` cycles, then for its virtual channel, or until the rest of its message
// is there, and in the crossbar.
Cycle held(const TimingParameters& timing, Cycle replicated = 0) {
  const Cycle asks = std::max<Cycle>(timing.route_delay, replicated);
  const Cycle rest = timing.switching == Switching::store_and_forward ? timing.flits - 1 : 0;
  return std::max(asks + timing.vc_delay, rest) + timing.exit_delay();
}

std::vector<Delivery> tree_deliveries(const Routing& routing, const Unicast& tree,
                                      const TimingParameters& timing) {
  std::vector<Delivery> deliveries;
  for (const NodeId node : receivers(tree, routing)) {
    const RouteLength way =
        routing.table() == nullptr
            ? length_between(tree.u, node, routing, timing)
            : length_over(tree_path(routing, tree.u, node), routing.topology(), timing);
    const bool is_leaf = tree_outputs(routing, node, tree.u, tree.free) == 0;
    const Cycle replicated = held(timing, timing.replication_delay);
    const Cycle last = is_leaf ? held(timing) : replicated;
    deliveries.emplace_back(
        way.hops * (1 + replicated) + way.wires + last + timing.flits + timing.tr, node);
  }
  return deliveries;
}

// Then the length of a way follows from its hops.
bool has_equal_channels(const TimingParameters& timing) {
  return timing.link_delays.empty() && timing.phits.empty() && timing.links == nullptr;
}

bool is_circuit(const TimingParameters& timing) {
  return timing.switching == Switching::circuit && timing.flits > 1;
}

// The head goes there, the acknowledgement back, and the body follows.
Cycle setup(const RouteLength& way, const TimingParameters& timing) {
  if (!is_circuit(timing)) return 0;
  return 2 * (way.hops + way.wires) + way.phits + 3 + (way.hops + 1) * held(timing);
}

// What narrow channels add to the time of the flits behind the first that goes: on the slowest
// channel they follow one another, but with store-and-forward on each.
Cycle spacing(const RouteLength& way, const TimingParameters& timing) {
  if (timing.switching == Switching::store_and_forward) return (timing.flits - 1) * way.phits;
  const int followers = timing.flits - (is_circuit(timing) ? 2 : 1);
  return followers * Cycle{way.slowest - 1};
}

// Calls `visit` with how long after `unicast`'s message entered the router a node receives it, and
// the node, for each that does.
template <class Visit>
void visit_deliveries(const Unicast& unicast, const Routing& routing,
                      const TimingParameters& timing, const Visit& visit) {
  if (unicast.kind == MessageKind::unicast) {
    static_cast<void>(ties_of(unicast, routing));  // throws if the route is not valid
    visit(transit(length_of(unicast, routing, timing), timing), unicast.v);
    return;
  }
  const std::string fault = goes_to_all(unicast.kind) ? route_fault(unicast, routing) : "";
  if (!fault.empty()) throw std::invalid_argument(fault);
  if (unicast.kind == MessageKind::tree) {
    for (const auto& [delay, node] : tree_deliveries(routing, unicast, timing)) visit(delay, node);
    return;
  }
  const bool copies_all = unicast.kind == MessageKind::deposit || unicast.kind == MessageKind::path;
  const std::vector<NodeId> stops = destinations(unicast);
  auto stop = stops.begin();
  RouteLength way;
  for (const Channel channel : channels(unicast, routing)) {
    const NodeId node = *routing.topology().neighbour(channel.node, channel.port);
    way.add(channel, routing.topology(), timing);
    if (!copies_all && node != *stop) continue;
    if (!copies_all) ++stop;
    visit(transit(way, timing), node);
  }
}

// The unicasts by sender, each sender's in the order of its program.
class Programs {
 public:
  Programs(const Schedule& schedule, std::size_t nodes)
      : begins_(nodes + 1), sends_(schedule.unicasts.size()) {
    for (const Unicast& unicast : schedule.unicasts) ++begins_[index(unicast.u) + 1];
    for (std::size_t node = 0; node < nodes; ++node) begins_[node + 1] += begins_[node];
    std::vector<std::size_t> next = begins_;
    for (const Unicast& unicast : schedule.unicasts) sends_[next[index(unicast.u)]++] = &unicast;
    const auto is_before = [](const Unicast* a, const Unicast* b) { return a->order < b->order; };
    for (std::size_t node = 0; node < nodes; ++node) {
      put_in_order(place(begins_[node]), place(begins_[node + 1]), is_before);
    }
  }

  template <class Visit>
  void visit(NodeId node, const Visit& visit) const {
    for (std::size_t at = begins_[index(node)]; at < begins_[index(node) + 1]; ++at) {
      visit(*sends_[at]);
    }
  }

 private:
  std::vector<const Unicast*>::iterator place(std::size_t at) {
    return sends_.begin() + static_cast<std::ptrdiff_t>(at);
  }

  std::vector<std::size_t> begins_;  // by node
  std::vector<const Unicast*> sends_;
};

// An external channel on the way of a message.
struct WayChannel {
  Cycle phits = 1;
  Cycle delay = 0;
};

// How long the tail, `followers` flits behind the head, comes after a head that no router holds,
// while each holds it `held` cycles (docs/timing.md, a message alone). What sets the tail's time
// goes with the head up to router m, then back to router p and on from there; every step back takes
// a round trip of a channel, for as many flits as the buffer has, and the other flits follow one
// another, or take round trips, where this takes longest behind p.
Cycle wait_of_tail(const std::vector<WayChannel>& hops, Cycle followers, Cycle held,
                   const TimingParameters& timing) {
  const Cycle depth = timing.buffer_depth;
  const auto routers = static_cast<Cycle>(hops.size()) + 1;
  std::vector<Cycle> round_trips;
  for (const WayChannel& hop : hops) {
    round_trips.push_back(hop.phits + 1 + 2 * hop.delay + timing.exit_delay());
  }
  Cycle spacing = 1;
  Cycle round_trip = 2 + timing.exit_delay();  // of the ejection channel
  Cycle longest = 0;
  const auto try_from = [&](Cycle p) {
    Cycle back = 0;
    Cycle flits = followers;
    for (Cycle m = p; m < routers && flits >= 0; ++m, flits -= depth) {
      const Cycle rest =
          std::max(flits * spacing, flits / depth * round_trip + flits % depth * spacing);
      longest = std::max(longest, (m + 1) * held + back + rest);
      if (m + 1 < routers) back += round_trips[static_cast<std::size_t>(m)];
    }
  };
  try_from(routers - 1);
  for (Cycle p = routers - 2; p >= 0; --p) {
    const auto number = static_cast<std::size_t>(p);
    if (hops[number].phits <= spacing && round_trips[number] <= round_trip) continue;
    spacing = std::max(spacing, hops[number].phits);
    round_trip = std::max(round_trip, round_trips[number]);
    try_from(p);
  }
  return longest;
}

// With store-and-forward a head also waits for its tail, which comes as channels before let it.
Cycle stored_reception(const std::vector<WayChannel>& hops, const TimingParameters& timing) {
  const Cycle followers = timing.flits - 1;
  const Cycle held = Cycle{timing.head_delay()};
  Cycle head = std::max(held, followers);
  for (const WayChannel& hop : hops) {
    head += timing.exit_delay() + hop.phits + hop.delay + std::max(held, followers * hop.phits);
  }
  return head + timing.exit_delay() + 1 + followers;
}

}  // namespace

bool TimingParameters::has_narrow_channels() const {
  return links == nullptr ? !phits.empty() : links->has_narrow_channels();
}

Cycle TimingParameters::least_delay() const {
  if (links != nullptr) return *std::min_element(links->delays.begin(), links->delays.end());
  return link_delays.empty() ? link_delay
                             : *std::min_element(link_delays.begin(), link_delays.end());
}

Cycle TimingParameters::least_hop() const {
  if (links != nullptr) {
    Cycle least = INT64_MAX;
    for (std::size_t i = 0; i < links->delays.size(); ++i) {
      least = std::min<Cycle>(least, 1 + links->further_phits[i] + links->delays[i]);
    }
    return least;
  }
  if (phits.empty()) return 1 + least_delay();
  Cycle least = phits_of(0) + delay_of(0);
  for (std::size_t i = 1; i < phits.size(); ++i) {
    least = std::min(least, phits_of(i) + delay_of(i));
  }
  return least;
}

void RouteLength::add(Channel channel, const Topology& topology, const TimingParameters& timing) {
  const int more = timing.phits_of(channel, topology);
  ++hops;
  wires += timing.delay_of(channel, topology);
  phits += more - 1;
  slowest = std::max(slowest, more);
}

RouteLength length_over(const std::vector<Channel>& channels, const Topology& topology,
                        const TimingParameters& timing) {
  RouteLength way;
  for (const Channel channel : channels) way.add(channel, topology, timing);
  return way;
}

RouteLength length_between(NodeId from, NodeId to, const Routing& routing,
                           const TimingParameters& timing) {
  if (!has_equal_channels(timing)) {
    return length_over(routing.path(from, to), routing.topology(), timing);
  }
  const int hops = routing.distance(from, to);
  return {hops, hops * timing.link_delay, 0, 1};
}

RouteLength length_of(const Unicast& unicast, const Routing& routing,
                      const TimingParameters& timing) {
  if (unicast.kind == MessageKind::unicast && has_equal_channels(timing)) {
    return length_between(unicast.u, unicast.v, routing, timing);
  }
  return length_over(channels(unicast, routing), routing.topology(), timing);
}

Cycle transit(const RouteLength& way, const TimingParameters& timing) {
  const Cycle in_router = is_circuit(timing) ? timing.exit_delay() : held(timing);
  return way.hops + way.wires + way.phits + (way.hops + 1) * in_router + setup(way, timing) +
         spacing(way, timing) + timing.flits + timing.tr;
}

Cycle reception_alone(const std::vector<Channel>& channels, const Topology& topology,
                      const TimingParameters& timing) {
  std::vector<WayChannel> hops;
  for (const Channel channel : channels) {
    hops.push_back({timing.phits_of(channel, topology), timing.delay_of(channel, topology)});
  }
  if (timing.switching == Switching::store_and_forward) return stored_reception(hops, timing);
  const bool has_setup = is_circuit(timing);
  const int followers = timing.flits - (has_setup ? 2 : 1);
  Cycle head = (static_cast<Cycle>(hops.size()) + 1) * (1 + timing.exit_delay());
  for (const WayChannel& hop : hops) head += hop.phits - 1 + hop.delay;
  if (!has_setup) {
    return head + wait_of_tail(hops, followers, timing.head_delay(), timing);
  }
  // The first flit behind the head goes alone, and no head is before the others.
  return head + 1 + setup(length_over(channels, topology, timing), timing) +
         wait_of_tail(hops, followers, 0, timing);
}

Cycle occupancy(const RouteLength& way, const TimingParameters& timing) {
  // A head comes to the front when the tail before it has left; the tail of a circuit is not kept.
  const Cycle to_leave = is_circuit(timing) ? 0 : timing.head_delay();
  return timing.flits + to_leave + setup(way, timing) + (way.slowest - 1) * Cycle{timing.flits};
}

std::vector<Cycle> predicted_latency(const Schedule& schedule, const Routing& routing,
                                     const std::vector<NodeId>& sources,
                                     const TimingParameters& timing, const AddressFields& fields) {
  const Programs programs(schedule, routing.topology().node_count());
  TimingParameters of_message = timing;
  std::vector<Cycle> latency(routing.topology().node_count(), -1);
  std::priority_queue<Delivery, std::vector<Delivery>, std::greater<>> arrivals;
  for (const NodeId source : sources) arrivals.emplace(0, source);
  while (!arrivals.empty()) {
    const auto [ready, node] = arrivals.top();
    arrivals.pop();
    heed_stop();
    if (latency[index(node)] >= 0) continue;
    latency[index(node)] = ready;
    Cycle start = ready;
    programs.visit(node, [&](const Unicast& send) {
      start += timing.ts;
      of_message.flits = timing.flits + fields.flits_of(send);
      visit_deliveries(send, routing, of_message, [&](Cycle delay, NodeId receiver) {
        arrivals.emplace(start + delay, receiver);
      });
    });
  }
  return latency;
}

std::vector<Cycle> predicted_worm_latency(const Routing& routing, NodeId source, MessageKind kind,
                                          const TimingParameters& timing, DimensionMask free) {
  std::vector<Cycle> latency(routing.topology().node_count(), 0);
  Unicast worm;
  worm.u = source;
  worm.kind = kind;
  worm.free = free;
  visit_deliveries(worm, routing, timing,
                   [&](Cycle delay, NodeId node) { latency[index(node)] = timing.ts + delay; });
  return latency;
}

}  // namespace allport
