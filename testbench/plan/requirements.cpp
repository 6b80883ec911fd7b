// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/requirements.h"

#include <algorithm>
#include <stdexcept>
#include <string>

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

}  // namespace

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
