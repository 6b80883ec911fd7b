// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/from_msccl.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "traffic/msccl/chunk_flow.h"
#include "traffic/msccl/sum_steps.h"

namespace allport {

namespace {

// The unicast of each message, with the time of its send as its step.
std::vector<Unicast> unicasts_of(const StepOrder& order, const ChunkFlow& flow, std::size_t gpus) {
  std::vector<int> sends(gpus);
  std::vector<Unicast> unicasts;
  for (const ChunkMessage& message : flow.messages()) {
    Unicast unicast;
    unicast.u = node_id(order.gpu(message.send));
    unicast.v = node_id(order.gpu(order.receiver(message.send)));
    unicast.order = sends[index(unicast.u)]++;
    unicast.step = static_cast<StepIndex>(order.time(message.send) + 1);
    unicast.displacement = order.step(message.send).displacement;
    for (const ValueId id : message.values) unicast.blocks.push_back(flow.value(id).block);
    std::vector<BlockId> sorted = unicast.blocks.values();
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      throw std::invalid_argument(order.describe(message.send) + ": it sends block " +
                                  std::to_string(*twice) +
                                  " twice, but a message of a schedule carries a block once");
    }
    unicasts.push_back(std::move(unicast));
  }
  return unicasts;
}

}  // namespace

Schedule from_msccl(const MscclProgram& program, const Collective& goal, Finding& findings) {
  const StepOrder order(program, findings);
  if (!findings.ok()) return {};
  const ChunkFlow flow(program, goal, order, findings);
  if (!findings.ok()) return {};
  Schedule schedule;
  schedule.unicasts = unicasts_of(order, flow, program.gpus.size());
  if (goal.is_reduction()) SumSteps(order, flow, goal, schedule.unicasts);
  if (goal.operation() == Operation::bcast && goal.block_count() == 1) {
    for (Unicast& unicast : schedule.unicasts) unicast.blocks.clear();  // the whole message
  }
  schedule.sort();
  return schedule;
}

}  // namespace allport
