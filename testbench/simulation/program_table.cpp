// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/program_table.h"

#include <algorithm>

#include "rtl_model/base/split_mix.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

namespace {

void add_sends(const PlannedCollective& collective, std::size_t number, const Routing& routing,
               ProgramTable& programs) {
  if (collective.is_worm()) {
    for (const NodeId source : collective.sources) {
      programs.sends(source, number).push_back({NodeId{}, collective.worm, 0, 0, 0});
    }
    return;
  }
  for (const Unicast& unicast : collective.schedule.unicasts) {
    const TieMask ties = goes_to_all(unicast.kind) ? 0 : ties_of(unicast, routing);
    programs.sends(unicast.u, number)
        .push_back({unicast.v, unicast.kind, ties, unicast.order, 0, ViaList(unicast.via)});
  }
}

void add_block_sends(const PlannedCollective& collective, std::size_t number,
                     const Routing& routing, ProgramTable& programs) {
  const std::vector<Unicast>& unicasts = collective.schedule.unicasts;
  const BlockFlow flow(collective.schedule, *collective.goal);
  for (std::size_t i = 0; i < unicasts.size(); ++i) {
    PlannedSend send;
    send.destination = unicasts[i].v;
    send.kind = unicasts[i].kind;
    send.ties = ties_of(unicasts[i], routing);
    send.order = unicasts[i].order;
    send.via = ViaList(unicasts[i].via);
    send.unicast = &unicasts[i];
    send.after = static_cast<int>(flow.waits_for(i).size());
    programs.sends(unicasts[i].u, number).push_back(send);
  }
}

void mark_receivers(const PlannedCollective& collective, const Routing& routing,
                    std::vector<bool>& receives) {
  for (const Unicast& unicast : collective.schedule.unicasts) {
    if (goes_to_all(unicast.kind)) {
      receives.assign(receives.size(), true);
      continue;
    }
    for (const NodeId node : destinations(unicast)) receives[index(node)] = true;
    if (unicast.kind != MessageKind::deposit) continue;
    for (const Channel& hop : routing.path(unicast.u, unicast.v, ties_of(unicast, routing))) {
      if (hop.node != unicast.u) receives[index(hop.node)] = true;
    }
  }
  for (const NodeId source : collective.sources) receives[index(source)] = false;
}

}  // namespace

ProgramTable make_programs(const std::vector<PlannedCollective>& collectives,
                           const Routing& routing, Cycle jitter_max, std::uint64_t seed,
                           std::uint64_t trial) {
  const std::size_t nodes = routing.topology().node_count();
  ProgramTable programs(nodes, collectives.size());
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const bool has_blocks = collectives[i].goal != nullptr;
    (has_blocks ? add_block_sends : add_sends)(collectives[i], i, routing, programs);
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    SplitMix64 generator(node_seed(seed, trial, node));
    for (std::size_t i = 0; i < collectives.size(); ++i) {
      std::vector<PlannedSend>& sends = programs.sends(node_id(node), i);
      std::stable_sort(sends.begin(), sends.end(), [](const PlannedSend& a, const PlannedSend& b) {
        return a.order < b.order;
      });
      if (jitter_max == 0) continue;
      for (PlannedSend& send : sends) {
        const auto choices = static_cast<std::uint64_t>(jitter_max) + 1;
        send.jitter = static_cast<Cycle>(generator.next() % choices);
      }
    }
  }
  return programs;
}

std::vector<bool> receiving_nodes(const PlannedCollective& collective, const Routing& routing) {
  std::vector<bool> receives(routing.topology().node_count(), false);
  if (collective.goal == nullptr) {
    mark_receivers(collective, routing, receives);
  } else {
    for (const NodeId node : collective.goal->receivers()) receives[index(node)] = true;
  }
  return receives;
}

std::vector<std::size_t> receivers(const std::vector<PlannedCollective>& collectives,
                                   const Routing& routing) {
  std::vector<std::size_t> counts;
  for (const PlannedCollective& collective : collectives) {
    const std::vector<bool> receives = receiving_nodes(collective, routing);
    counts.push_back(static_cast<std::size_t>(std::count(receives.begin(), receives.end(), true)));
  }
  return counts;
}

}  // namespace allport
