// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/part_plan.h"

#include <utility>

#include "rtl_model/base/stop_flag.h"
#include "traffic/schedule/free_steps.h"

namespace allport {

void PartPlan::reserve(std::size_t messages, std::size_t blocks) {
  const std::size_t all = schedule_.unicasts.size() + messages;
  carried_ += blocks;
  require_plan_fits(routing_.topology(), all, carried_);
  schedule_.unicasts.reserve(all);
}

OneOrMore<BlockId> PartPlan::carried(int part, const std::vector<std::size_t>& blocks) const {
  std::vector<BlockId> parts;
  parts.reserve(blocks.size());
  for (const std::size_t block : blocks) parts.push_back(part_of(block, part));
  OneOrMore<BlockId> list;
  list = std::move(parts);
  return list;
}

void PartPlan::send(const Unicast& route, StepIndex step, int part,
                    const std::vector<std::size_t>& blocks, bool adds) {
  send(route, step, part, carried(part, blocks), adds);
}

void PartPlan::send(const Unicast& route, StepIndex step, int part, std::size_t block, bool adds) {
  OneOrMore<BlockId> carried;
  carried.push_back(part_of(block, part));
  send(route, step, part, std::move(carried), adds);
}

void PartPlan::send(const Unicast& route, StepIndex step, int part, OneOrMore<BlockId> carried,
                    bool adds) {
  heed_stop();
  Unicast& unicast = schedule_.unicasts.emplace_back(route);
  unicast.step = step;
  unicast.order = part;  // until take() numbers the programs
  unicast.adds = adds;
  unicast.blocks = std::move(carried);
}

Schedule PartPlan::take(Operation operation, NodeId root, std::size_t vector_blocks) {
  schedule_.sort();
  number_by_step(schedule_);
  const Collective goal(operation, routing_.topology().node_count(), root, vector_blocks,
                        static_cast<std::size_t>(parts_));
  if (!keeps_port_rule(schedule_, routing_, internal_ports_)) {
    assign_free_steps(schedule_, goal, routing_, internal_ports_);
    number_by_step(schedule_);
  }
  return std::move(schedule_);
}

}  // namespace allport
