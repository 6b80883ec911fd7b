// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/free_steps.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "rtl_model/base/in_order.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/graphs/node_ports.h"
#include "traffic/schedule/block_flow.h"

namespace allport {

namespace {

// The place of the injection port that `unicast` takes, among those of all nodes.
std::size_t port_of(const Unicast& unicast, const Routing& routing, int internal_ports) {
  const PortId first = routing.route(unicast.u, unicast.v, ties_of(unicast, routing))->port;
  return index(unicast.u) * static_cast<std::size_t>(internal_ports) +
         static_cast<std::size_t>(
             internal_port_of(routing.topology(), unicast.u, first, internal_ports));
}

// Of sums, the sends of a node that do not contain a reception, by reception: it must not come in
// an earlier step. Empty lists for blocks that are moved.
std::vector<UnicastIndices> sends_without(const Schedule& schedule, const BlockFlow& flow,
                                          const Collective& collective) {
  std::vector<UnicastIndices> sends(schedule.unicasts.size());
  for (std::size_t node = 0; collective.is_reduction() && node < collective.node_count(); ++node) {
    std::unordered_map<BlockId, UnicastIndices> sent;  // by block
    for (const std::uint32_t i : flow.program(node_id(node))) {
      for (const BlockId block : schedule.unicasts[i].blocks) sent[block].push_back(i);
    }
    for (const std::uint32_t i : flow.receptions(node_id(node))) {
      heed_stop();
      for (const BlockId block : schedule.unicasts[i].blocks) {
        for (const std::uint32_t send : sent[block]) {
          if (schedule.unicasts[send].step <= schedule.unicasts[i].step) sends[i].push_back(send);
        }
      }
    }
  }
  return sends;
}

// The least such steps. A node's sums are sent in the order of its program.
std::vector<StepIndex> least_steps(const Schedule& schedule, const BlockFlow& flow,
                                   const Collective& collective, const Routing& routing,
                                   int internal_ports) {
  const std::vector<UnicastIndices> not_before = sends_without(schedule, flow, collective);
  const UnicastIndices order = flow.execution_order();
  std::vector<StepIndex> steps(schedule.unicasts.size());
  for (std::size_t pass = 0;; ++pass) {
    if (pass > steps.size()) throw std::logic_error("the steps of the sums have no order");
    const std::vector<StepIndex> before = steps;
    std::vector<StepIndex> last_step(collective.node_count() *
                                     static_cast<std::size_t>(internal_ports));
    std::vector<StepIndex> program(collective.node_count());  // the step of the last send
    for (const std::uint32_t i : order) {
      heed_stop();
      const Unicast& unicast = schedule.unicasts[i];
      StepIndex& last = last_step[port_of(unicast, routing, internal_ports)];
      for (const auto reception : flow.waits_for(i)) last = std::max(last, steps[reception]);
      last = std::max(last + 1, steps[i]);
      if (collective.is_reduction()) last = std::max(last, program[index(unicast.u)]);
      for (const std::uint32_t send : not_before[i]) last = std::max(last, steps[send]);
      steps[i] = program[index(unicast.u)] = last;
    }
    if (!collective.is_reduction() || steps == before) return steps;
  }
}

}  // namespace

bool keeps_port_rule(const Schedule& schedule, const Routing& routing, int internal_ports) {
  std::vector<const Unicast*> sorted;
  sorted.reserve(schedule.unicasts.size());
  for (const Unicast& unicast : schedule.unicasts) sorted.push_back(&unicast);
  put_in_order(sorted.begin(), sorted.end(),
               [](const Unicast* a, const Unicast* b) { return a->step < b->step; });
  std::vector<StepIndex> last_step(routing.topology().node_count() *
                                   static_cast<std::size_t>(internal_ports));
  return std::all_of(sorted.begin(), sorted.end(), [&](const Unicast* unicast) {
    StepIndex& last = last_step[port_of(*unicast, routing, internal_ports)];
    const bool is_free = last < unicast->step;
    last = unicast->step;
    return is_free;
  });
}

void assign_free_steps(Schedule& schedule, const Collective& collective, const Routing& routing,
                       int internal_ports) {
  const BlockFlow flow(schedule, collective);
  const std::vector<StepIndex> steps =
      least_steps(schedule, flow, collective, routing, internal_ports);
  for (std::size_t i = 0; i < steps.size(); ++i) schedule.unicasts[i].step = steps[i];
  schedule.sort();
}

}  // namespace allport
