// SPDX-License-Identifier: Apache-2.0
#include "traffic/block_timing.h"

#include <algorithm>

#include "traffic/step_assignment.h"

namespace allport {

std::vector<Cycle> predicted_block_latency(const Schedule& schedule, const Routing& routing,
                                           const Collective& collective,
                                           const BlockLengths& lengths, int internal_ports,
                                           const TimingParameters& timing) {
  const BlockFlow flow(schedule, collective);
  const auto ports = static_cast<std::size_t>(internal_ports);
  std::vector<Cycle> latency(collective.node_count());
  std::vector<Cycle> free_at(collective.node_count());               // the processor
  std::vector<Cycle> port_free_at(collective.node_count() * ports);  // its injection ports
  std::vector<Cycle> received(schedule.unicasts.size());
  for (const std::uint32_t i : flow.execution_order()) {
    const Unicast& unicast = schedule.unicasts[i];
    const TieMask ties = ties_of(unicast, routing);
    Cycle& prepared = free_at[index(unicast.u)];
    for (const std::uint32_t reception : flow.waits_for(i)) {
      prepared = std::max(prepared, received[reception]);
    }
    prepared += timing.ts;
    const PortId first = routing.route(unicast.u, unicast.v, ties)->port;
    Cycle& head = port_free_at[index(unicast.u) * ports + injection_port(first, internal_ports)];
    head = std::max(head, prepared);
    const Cycle hops = routing.distance(unicast.u, unicast.v);
    const Cycle flits = lengths.flits_of(unicast);
    received[i] = head + hops * (1 + timing.link_delay) + flits + timing.tr;
    head += flits;
    if (!flow.is_wanted(i)) continue;
    Cycle& all = latency[index(unicast.v)];
    all = std::max(all, received[i]);
  }
  return latency;
}

}  // namespace allport
