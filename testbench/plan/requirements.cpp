// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/requirements.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "rtl_model/base/range.h"
#include "rtl_model/topology/message_kind.h"
#include "traffic/schedule/block_lengths.h"

namespace allport {

namespace {

int longest_message(const PlannedCollective& collective, const SimulationConfig& config) {
  if (collective.goal == nullptr) return config.flits;
  const BlockLengths lengths(*collective.goal, config.flits, config.flit_bytes, config.bytes);
  int longest = 0;
  for (const Unicast& unicast : collective.schedule.unicasts) {
    longest = std::max(longest, lengths.flits_of(unicast));
  }
  return longest;
}

// Says which collective of which trial is meant, and what is wrong with it.
[[noreturn]] void refuse(std::size_t trial, std::size_t collective, const std::string& what) {
  throw std::invalid_argument("trial " + std::to_string(trial) + ", collective " +
                              std::to_string(collective) + ": " + what);
}

// What names a node that does not exist; empty: nothing does.
std::string unknown_node(const PlannedCollective& collective, std::size_t nodes) {
  const auto find = [nodes](const std::vector<NodeId>& list, const std::string& what) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [nodes](NodeId node) { return index(node) >= nodes; });
    return found == list.end() ? "" : what + " " + std::to_string(index(*found));
  };
  std::string unknown = find(collective.sources, "source");
  if (unknown.empty()) unknown = find(collective.destinations, "destination");
  for (const Unicast& unicast : collective.schedule.unicasts) {
    if (!unknown.empty()) break;
    unknown = find({unicast.u}, "sender");
    if (unknown.empty() && !goes_to_all(unicast.kind)) unknown = find({unicast.v}, "receiver");
    if (unknown.empty()) unknown = find(unicast.via, "receiver");
  }
  return unknown;
}

}  // namespace

void require_trials(const std::vector<std::vector<PlannedCollective>>& trials, std::size_t first,
                    const SimulationConfig& config, const Topology& topology) {
  if (trials.empty()) throw std::invalid_argument("there is no trial to run");
  require_range("first trial", static_cast<std::int64_t>(first),
                {0, static_cast<std::int64_t>(trials.size()) - 1});
  const std::size_t nodes = topology.node_count();
  for (std::size_t i = first; i < trials.size(); ++i) {
    const std::size_t count = trials[i].size();
    if (count == 0) throw std::invalid_argument("trial " + std::to_string(i) + ": no collective");
    const std::size_t barriers = config.barrier_messages ? count / 2 : 0;
    for (std::size_t j = 0; j < count; ++j) {
      const PlannedCollective& one = trials[i][j];
      const std::string unknown = unknown_node(one, nodes);
      if (!unknown.empty()) {
        refuse(i, j,
               unknown + ": " + topology.name() + " has nodes 0.." + std::to_string(nodes - 1));
      }
      if (one.goal == nullptr && one.sources.empty()) refuse(i, j, "it has no source");
      if (one.is_barrier == (j >= count - barriers)) continue;
      refuse(i, j,
             "of " + std::to_string(count) + " collectives the last " + std::to_string(barriers) +
                 " must be barriers of messages, no others");
    }
  }
}

void require_kinds(const std::vector<PlannedCollective>& collectives, Switching switching,
                   const Routing& routing) {
  for (const PlannedCollective& collective : collectives) {
    const std::string fault = kind_fault(collective.worm, switching, routing);
    if (!fault.empty()) throw std::invalid_argument(fault);
    for (const Unicast& unicast : collective.schedule.unicasts) {
      const std::string of_one = kind_fault(unicast.kind, switching, routing);
      if (!of_one.empty()) throw std::invalid_argument(describe(unicast) + ": " + of_one);
    }
  }
}

void require_room(const std::vector<PlannedCollective>& collectives,
                  const SimulationConfig& config) {
  if (!buffers_messages(config.fabric.switching)) return;
  for (const PlannedCollective& collective : collectives) {
    require_room(config.fabric, longest_message(collective, config));
  }
}

}  // namespace allport
