// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/program_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "rtl_model/base/in_order.h"
#include "rtl_model/base/range.h"
#include "rtl_model/base/split_mix.h"
#include "tlm/processor/jitter.h"

namespace allport {

namespace {

void add_sends(const PlannedCollective& collective, int number, const Routing& routing,
               ProgramTable& programs) {
  if (collective.is_one_message()) {
    for (const NodeId source : collective.sources) {
      programs.add(source, {{collective.kind, 0, {}, 0, number, collective.free}});
    }
    return;
  }
  for (const Unicast& unicast : collective.schedule.unicasts) {
    const TieMask ties = goes_to_all(unicast.kind) ? 0 : ties_of(unicast, routing);
    programs.add(unicast.u,
                 {{unicast.kind, ties, ViaList(unicast.via), unicast.order, number, unicast.free,
                   unicast.join, collective.address_fields.flits_of(unicast)},
                  unicast.v});
  }
}

void add_block_sends(const PlannedCollective& collective, int number, const Routing& routing,
                     ProgramTable& programs) {
  std::vector<std::size_t> counts(programs.nodes());
  for (const Unicast& unicast : collective.schedule.unicasts) ++counts[index(unicast.u)];
  for (std::size_t node = 0; node < counts.size(); ++node) {
    if (counts[node] == 0) continue;
    programs.sends(node_id(node), static_cast<std::size_t>(number)).reserve(counts[node]);
  }
  for (const Unicast& unicast : collective.schedule.unicasts) {
    programs.add(unicast.u, {{unicast.kind, ties_of(unicast, routing), ViaList(unicast.via),
                              unicast.order, number},
                             unicast.v,
                             0,
                             &unicast});
  }
}

// In a collective with joins a message waits for all receptions of earlier steps at its sender.
void add_steps(const PlannedCollective& collective, int number, const Routing& routing,
               ProgramTable& programs) {
  programs.set_steps(static_cast<std::size_t>(number));
  std::map<NodeId, std::vector<StepIndex>> receptions;
  for (const Unicast& unicast : collective.schedule.unicasts) {
    if (is_join(unicast.kind) && unicast.u != unicast.v) continue;  // the root's stands for all
    for (const NodeId node : receivers(unicast, routing)) {
      receptions[node].push_back(unicast.step);
    }
  }
  for (auto& [node, steps] : receptions) std::sort(steps.begin(), steps.end());
  std::map<std::pair<NodeId, int>, StepIndex> steps;  // of lines, by sender and order
  for (const Unicast& unicast : collective.schedule.unicasts) {
    steps[{unicast.u, unicast.order}] = unicast.step;
  }
  for (std::size_t node = 0; node < programs.nodes(); ++node) {
    const std::vector<StepIndex>& received = receptions[node_id(node)];
    for (PlannedSend& send : programs.sends(node_id(node), static_cast<std::size_t>(number))) {
      send.step = steps[{node_id(node), send.order}];
      const auto end = std::lower_bound(received.begin(), received.end(), send.step);
      send.awaits = static_cast<int>(end - received.begin());
    }
  }
}

// A load has many collectives of a few nodes each.
PairPlaces places_for(const std::vector<PlannedCollective>& collectives, std::size_t nodes) {
  constexpr std::size_t few = std::size_t{1} << 20;
  std::size_t messages = 0;
  for (const PlannedCollective& one : collectives) messages += one.schedule.unicasts.size();
  const std::size_t pairs = nodes * collectives.size();
  return pairs > few && collectives.size() > 1 && messages < pairs / 8 ? PairPlaces::used
                                                                       : PairPlaces::all;
}

using CollectivesOfNodes = std::vector<std::vector<std::size_t>>;  // in which each node sends

CollectivesOfNodes collectives_of(const std::vector<PlannedCollective>& collectives,
                                  std::size_t nodes) {
  CollectivesOfNodes list(nodes);
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const auto add = [&](NodeId node) {
      std::vector<std::size_t>& own = list[index(node)];
      if (own.empty() || own.back() != i) own.push_back(i);
    };
    if (collectives[i].is_one_message()) {
      for (const NodeId source : collectives[i].sources) add(source);
    } else {
      for (const Unicast& unicast : collectives[i].schedule.unicasts) add(unicast.u);
    }
  }
  return list;
}

void mark_receivers(const PlannedCollective& collective, const Routing& routing,
                    std::vector<bool>& receives) {
  for (const Unicast& unicast : collective.schedule.unicasts) {
    if (is_join(unicast.kind) && unicast.u != unicast.v) continue;
    for (const NodeId node : receivers(unicast, routing)) receives[index(node)] = true;
  }
  if (collective.has_joins()) return;  // those who contribute receive as well
  for (const NodeId source : collective.sources) receives[index(source)] = false;
}

}  // namespace

ProgramTable make_programs(const std::vector<PlannedCollective>& collectives,
                           const Routing& routing, Cycle jitter_max, std::uint64_t seed,
                           std::uint64_t trial) {
  const std::size_t nodes = routing.topology().node_count();
  ProgramTable programs(nodes, collectives.size(), places_for(collectives, nodes));
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const bool has_blocks = collectives[i].goal != nullptr;
    (has_blocks ? add_block_sends : add_sends)(collectives[i], static_cast<int>(i), routing,
                                               programs);
    if (collectives[i].has_joins()) {
      add_steps(collectives[i], static_cast<int>(i), routing, programs);
    }
  }
  const bool is_sparse = programs.places() == PairPlaces::used;
  const auto senders = is_sparse ? collectives_of(collectives, nodes) : CollectivesOfNodes{};
  for (std::size_t node = 0; node < nodes; ++node) {
    SplitMix64 generator(node_seed(seed, trial, node));
    const auto settle = [&](std::size_t collective) {
      std::vector<PlannedSend>& sends = programs.sends(node_id(node), collective);
      put_in_order(sends.begin(), sends.end(),
                   [](const PlannedSend& a, const PlannedSend& b) { return a.order < b.order; });
      for (PlannedSend& send : sends) send.jitter = draw_jitter(generator, jitter_max);
    };
    if (is_sparse) {
      for (const std::size_t i : senders[node]) settle(i);
    } else {
      for (std::size_t i = 0; i < collectives.size(); ++i) settle(i);
    }
  }
  return programs;
}

std::vector<Cycle> draw_starts(std::size_t nodes, Cycle skew_max, std::uint64_t seed,
                               std::uint64_t trial) {
  // Numbers beyond all trials and the pattern's, so that starts repeat no other draws.
  const std::uint64_t number = static_cast<std::uint64_t>(limits::trials.high) + 1 + trial;
  std::vector<Cycle> starts;
  if (skew_max == 0) return starts;
  starts.reserve(nodes);
  for (std::size_t node = 0; node < nodes; ++node) {
    SplitMix64 generator(node_seed(seed, number, node));
    starts.push_back(draw_jitter(generator, skew_max));
  }
  return starts;
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
