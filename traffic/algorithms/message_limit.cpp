// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/message_limit.h"

#include <stdexcept>
#include <string>

#include "traffic/schedule/schedule.h"

namespace allport {

void require_plan_fits(const Topology& topology, std::size_t messages, std::size_t carried) {
  if (messages <= max_planned_messages && carried <= max_carried_blocks) return;
  throw std::invalid_argument(
      topology.name() + " is too large for this collective: it sends at least " +
      std::to_string(messages) + " messages that carry " + std::to_string(carried) +
      " blocks, and the limits are " + std::to_string(max_planned_messages) + " and " +
      std::to_string(max_carried_blocks));
}

}  // namespace allport
