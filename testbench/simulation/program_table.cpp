// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/program_table.h"

#include <algorithm>

#include "rtl_model/base/split_mix.h"
#include "tlm/processor/jitter.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

namespace {

void add_sends(const PlannedCollective& collective, int number, const Routing& routing,
               ProgramTable& programs) {
  if (collective.is_one_message()) {
    for (const NodeId source : collective.sources) {
      programs.add(source, {{collective.kind, 0, {}, 0, number}});
    }
    return;
  }
  for (const Unicast& unicast : collective.schedule.unicasts) {
    const TieMask ties = goes_to_all(unicast.kind) ? 0 : ties_of(unicast, routing);
    programs.add(unicast.u,
                 {{unicast.kind, ties, ViaList(unicast.via), unicast.order, number}, unicast.v});
  }
}

void add_block_sends(const PlannedCollective& collective, int number, const Routing& routing,
                     ProgramTable& programs) {
  const std::vector<Unicast>& unicasts = collective.schedule.unicasts;
  const BlockFlow flow(collective.schedule, *collective.goal);
  for (std::size_t i = 0; i < unicasts.size(); ++i) {
    const Unicast& unicast = unicasts[i];
    programs.add(unicast.u, {{unicast.kind, ties_of(unicast, routing), ViaList(unicast.via),
                              unicast.order, number},
                             unicast.v,
                             0,
                             &unicast,
                             flow.contributions(i)});
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
    (has_blocks ? add_block_sends : add_sends)(collectives[i], static_cast<int>(i), routing,
                                               programs);
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    SplitMix64 generator(node_seed(seed, trial, node));
    for (std::size_t i = 0; i < collectives.size(); ++i) {
      std::vector<PlannedSend>& sends = programs.sends(node_id(node), i);
      std::stable_sort(sends.begin(), sends.end(), [](const PlannedSend& a, const PlannedSend& b) {
        return a.order < b.order;
      });
      for (PlannedSend& send : sends) send.jitter = draw_jitter(generator, jitter_max);
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
