// SPDX-License-Identifier: Apache-2.0
#include "traffic/theory/block_timing.h"

#include <algorithm>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/graphs/node_ports.h"

namespace allport {

namespace {

// The way from the sender to `receiver`, one of the destinations.
RouteLength length_to(NodeId receiver, const Unicast& unicast, const Routing& routing,
                      const TimingParameters& timing) {
  RouteLength way;
  NodeId here = unicast.u;
  for (const NodeId stop : receivers_of(unicast)) {
    const bool is_label = unicast.kind == MessageKind::label;
    const TieMask chosen = here == unicast.u && is_label ? ties_of(unicast, routing) : 0;
    const RouteLength leg = is_label ? length_over(routing.path(here, stop, chosen, unicast.kind),
                                                   routing.topology(), timing)
                                     : length_between(here, stop, routing, timing);
    way.hops += leg.hops;
    way.wires += leg.wires;
    way.phits += leg.phits;
    way.slowest = std::max(way.slowest, leg.slowest);
    if (stop == receiver) break;
    here = stop;
  }
  return way;
}

}  // namespace

std::vector<Cycle> predicted_block_latency(const Schedule& schedule, const Routing& routing,
                                           const Collective& collective,
                                           const BlockLengths& lengths, int internal_ports,
                                           const TimingParameters& timing) {
  const BlockFlow flow(schedule, collective);
  const auto ports = static_cast<std::size_t>(internal_ports);
  std::vector<Cycle> latency(collective.node_count());
  std::vector<Cycle> free_at(collective.node_count());  // when each processor is free
  std::vector<Cycle> port_free_at(collective.node_count() *
                                  ports);              // when each injection port is free
  std::vector<Cycle> heads(schedule.unicasts.size());  // on the injection channels
  std::vector<int> flits(schedule.unicasts.size());
  const auto received = [&](std::uint32_t i, NodeId receiver) {
    TimingParameters of_message = timing;
    of_message.flits = flits[i];
    return heads[i] +
           transit(length_to(receiver, schedule.unicasts[i], routing, timing), of_message);
  };
  for (const std::uint32_t i : flow.execution_order()) {
    heed_stop();
    const Unicast& unicast = schedule.unicasts[i];
    Cycle& prepared = free_at[index(unicast.u)];
    for (const std::uint32_t reception : flow.waits_for(i)) {
      prepared = std::max(prepared, received(reception, unicast.u));
    }
    prepared += timing.ts;
    const PortId first = first_port(unicast, routing);
    const int port = internal_port_of(routing.topology(), unicast.u, first, internal_ports);
    Cycle& head = port_free_at[index(unicast.u) * ports + static_cast<std::size_t>(port)];
    heads[i] = std::max(head, prepared);
    TimingParameters of_message = timing;
    of_message.flits = flits[i] = static_cast<int>(lengths.flits_of(unicast));
    head = heads[i] + occupancy(length_to(unicast.v, unicast, routing, timing), of_message);
    for (const NodeId node : receivers_of(unicast)) {
      if (!is_wanted(unicast, node, collective)) continue;
      latency[index(node)] = std::max(latency[index(node)], received(i, node));
    }
  }
  return latency;
}

}  // namespace allport
