// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/in_parts.h"

#include <stdexcept>
#include <string>
#include <utility>

namespace allport {

Schedule in_parts(Schedule whole, int parts) {
  if (parts == 1) return whole;
  if (whole.unicasts.size() > max_planned_messages / static_cast<std::size_t>(parts)) {
    throw std::invalid_argument(
        std::to_string(whole.unicasts.size()) + " messages in " + std::to_string(parts) +
        " parts each: the limit is messages x parts = " + std::to_string(max_planned_messages));
  }
  whole.sort();
  Schedule schedule;
  schedule.unicasts.reserve(whole.unicasts.size() * static_cast<std::size_t>(parts));
  for (const Unicast& unicast : whole.unicasts) {
    for (int part = 0; part < parts; ++part) {
      Unicast one = unicast;
      one.step = (unicast.step - 1) * parts + part + 1;
      std::vector<BlockId> blocks = unicast.blocks.values();
      for (BlockId& block : blocks) {
        block = block * static_cast<BlockId>(parts) + static_cast<BlockId>(part);
      }
      one.blocks = std::move(blocks);
      schedule.unicasts.push_back(std::move(one));
    }
  }
  number_by_step(schedule);
  return schedule;
}

}  // namespace allport
