// SPDX-License-Identifier: Apache-2.0
// This header has experiments in short form: what is simulated, and what was found in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/simulation/simulation.h"
#include "tests/support/blueprint.h"
#include "tests/support/uniform.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport::test {

/// A SimulationConfig as a chain of calls: Experiment().on(With().depth(2)).length(8).times(10, 5).
struct Experiment : SimulationConfig {
  Experiment() { length(16); }
  Experiment& on(const FabricConfig& config) {
    fabric = config;
    return *this;
  }
  Experiment& times(Cycle sender, Cycle receiver) {
    ts = sender;
    tr = receiver;
    return *this;
  }
  Experiment& length(int number) {
    flits = number;
    bytes = static_cast<std::size_t>(number) * static_cast<std::size_t>(flit_bytes);
    return *this;
  }
  Experiment& with_jitter(Cycle largest) {
    jitter = largest;
    return *this;
  }
  Experiment& with_skew(Cycle latest) {
    skew = latest;
    return *this;
  }
  Experiment& with_seed(std::uint64_t number) {
    seed = number;
    return *this;
  }
  Experiment& with_barrier(Cycle cost) {
    barrier = cost;
    return *this;
  }
  Experiment& of_patterns(bool has_pattern = true) {
    processors = has_pattern ? allport::processors_for<allport::PatternWork>
                             : allport::processors_for<allport::CollectiveWork>;
    return *this;
  }
};

inline std::string describe(const SimulationConfig& config) {
  std::ostringstream text;
  text << "L " << config.flits << " ts " << config.ts << " tr " << config.tr << " jitter "
       << config.jitter << " skew " << config.skew << " seed " << config.seed << " k "
       << config.fabric.internal_ports << " V " << config.fabric.vcs << " B "
       << config.fabric.buffer_depth << " d " << config.fabric.link_delay << " r "
       << config.fabric.replication_delay << " " << to_string(config.fabric.switching);
  return text.str();
}

inline Multicast broadcast_from(std::size_t source, const Routing& routing) {
  return broadcast(routing.topology(), node_id(source));
}

/// The plan of `algorithm` for a node with `ports` internal ports (default: all-port).
inline PlannedCollective collective(std::string_view algorithm, const Routing& routing,
                                    const Multicast& goal, int ports = 0) {
  const Schedule schedule =
      planned(algorithm, routing, goal, ports == 0 ? all_ports(routing) : ports);
  return {{goal.source}, goal.destinations, schedule, find_algorithm(algorithm).kind};
}

/// One message from u to v; the nodes on the way of a deposit count as well.
inline PlannedCollective single(std::size_t u, std::size_t v, const Routing& routing,
                                MessageKind kind = MessageKind::unicast) {
  Unicast unicast;
  unicast.u = node_id(u);
  unicast.v = node_id(v);
  unicast.kind = kind;
  PlannedCollective planned{{unicast.u}, {unicast.v}, {{unicast}}};
  if (kind != MessageKind::deposit) return planned;
  for (const Channel& channel : routing.path(unicast.u, unicast.v)) {
    if (channel.node != unicast.u) planned.destinations.push_back(channel.node);
  }
  return planned;
}

/// One message from u to the nodes of the list, one after another.
inline PlannedCollective listed(std::size_t u, const std::vector<std::size_t>& list) {
  Unicast message;
  message.u = node_id(u);
  message.kind = MessageKind::multidestination;
  std::vector<NodeId> all;
  for (const std::size_t node : list) all.push_back(node_id(node));
  message.v = all.back();
  message.via = std::vector<NodeId>(all.begin(), all.end() - 1);
  return {{message.u}, all, {{message}}};
}

/// One path worm from `source` to all others.
inline PlannedCollective path_worm(std::size_t source, const Routing& routing) {
  Unicast worm;
  worm.u = node_id(source);
  worm.kind = MessageKind::path;
  return {{worm.u}, broadcast_from(source, routing).destinations, {{worm}}};
}

/// The trials of `collectives`, one each.
inline std::vector<std::vector<PlannedCollective>> one_by_one(
    const std::vector<PlannedCollective>& collectives) {
  std::vector<std::vector<PlannedCollective>> trials;
  for (const PlannedCollective& planned : collectives) trials.push_back({planned});
  return trials;
}

inline std::string printed(const MessageName& name) {
  return std::to_string(index(name.u)) + ">" + (name.v ? std::to_string(index(*name.v)) : "all") +
         "#" + std::to_string(name.order);
}

/// One line per event: `cycle 1 for 3 at 3.1: 3>1#0 behind 7>1#0`.
inline std::string printed(const std::vector<ContentionEvent>& events) {
  std::ostringstream text;
  for (const ContentionEvent& event : events) {
    text << "cycle " << event.cycle << " for " << event.cycles << " at "
         << index(event.channel.node) << "." << index(event.channel.port) << ": "
         << printed(event.waiting) << " behind " << printed(event.holding) << "\n";
  }
  return text.str();
}

/// One line per wait: `2>all#0 waits for vc 0 at 0.0 held by 0>all#0`.
inline std::string printed(const Deadlock& deadlock) {
  std::ostringstream text;
  for (const DeadlockWait& wait : deadlock.waits) {
    text << printed(wait.message) << " waits for " << wait.waits_for << " " << wait.vc << " at "
         << index(wait.channel.node) << "." << index(wait.channel.port) << " held by "
         << printed(wait.held_by) << "\n";
  }
  return text.str();
}

/// Why a run is not complete, in words; empty if it is.
inline std::string fault_of(const Results& results) {
  if (results.deadlock) {
    return "deadlock in cycle " + std::to_string(results.deadlock->cycle) + "\n" +
           printed(*results.deadlock);
  }
  return results.was_interrupted ? "interrupted" : results.broken_invariant;
}

/// Contention of either sort, in words.
inline std::string contention_of(const Results& results) {
  return printed(results.contention.list) + printed(results.reception.list);
}

}  // namespace allport::test
