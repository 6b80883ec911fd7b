// SPDX-License-Identifier: Apache-2.0
// These functions make fabrics that deadlock, and check that the report is consistent.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

#include "tests/testbench/simulation/experiment.h"

namespace allport::test {

inline std::string cube(int dimension) { return "hypercube:" + std::to_string(dimension); }

inline PlannedCollective tree_from(std::size_t root, const Routing& routing) {
  return collective("tree", routing, broadcast_from(root, routing));
}

/// What is wrong with the wait-for graph of `deadlock`; empty if it contains the cycle, edge by
/// edge, and every message in it is stuck.
inline std::string fault_of_graph(const Deadlock& deadlock) {
  std::set<std::string> stuck;
  for (const MessageName& name : deadlock.messages) stuck.insert(printed(name));
  if (stuck.size() != deadlock.stuck_messages) return "a message is there twice, or not at all";
  std::size_t in_cycle = 0;
  for (const WaitingFlit& flit : deadlock.flits) {
    if (stuck.count(printed(flit.message)) == 0) return "a flit of nobody";
    for (const WaitEdge& edge : flit.waits) {
      if (stuck.count(printed(edge.held_by)) == 0) return "held by one that is not stuck";
      const bool is_late = edge.since > deadlock.cycle && !flit.is_queued;
      if (edge.since < 0 || is_late) return "a wait of another time";
      if (edge.is_in_cycle) ++in_cycle;
    }
  }
  for (const DeadlockWait& wait : deadlock.waits) {
    const WaitingFlit& flit = deadlock.flits.at(wait.flit);
    const auto is_it = [&](const WaitEdge& edge) {
      return edge.is_in_cycle && edge.waits_for == wait.waits_for && edge.vc == wait.vc &&
             printed(edge.held_by) == printed(wait.held_by) && edge.since == wait.since;
    };
    if (printed(flit.message) != printed(wait.message)) return "another message's flit";
    if (!std::any_of(flit.waits.begin(), flit.waits.end(), is_it)) return "not an edge of its flit";
  }
  return in_cycle == deadlock.waits.size() ? "" : "more edges in the cycle than it has";
}

}  // namespace allport::test
