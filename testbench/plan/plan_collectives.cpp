// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/plan_collectives.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"
#include "rtl_model/topology/channel_words.h"
#include "testbench/plan/counts.h"
#include "testbench/plan/load_schedule.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/plan_traffic.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/processes/interrupt.h"
#include "traffic/planning/pieces.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

// Only multicasts have relays: in other operations every node takes part, or every one of a group.
void add_relays(RunPlan& plan, const Schedule& schedule, const Multicast& goal) {
  std::set<NodeId> all(plan.relays.begin(), plan.relays.end());
  for (const NodeId node : relays(schedule, goal)) all.insert(node);
  plan.relays.assign(all.begin(), all.end());
}

// Blocks may pass nodes outside the group.
void add_outsiders(RunPlan& plan, const Schedule& schedule, const NodeGroup& group) {
  std::set<NodeId> all(plan.relays.begin(), plan.relays.end());
  for (const Unicast& unicast : schedule.unicasts) {
    if (!group.has(unicast.v)) all.insert(unicast.v);
  }
  plan.relays.assign(all.begin(), all.end());
}

// If the file does not determine the root, the user must. If the default is a possible root, the
// other candidates are reported as senders that have no message.
void find_source(RunPlan& plan, const Schedule& schedule, const RunRequest& request) {
  if (!request.traffic.sources.empty()) return;
  const std::vector<NodeId> roots =
      possible_roots(schedule, request.traffic.collective, plan.routing);
  if (roots.size() == 1) {
    plan.sources = roots;
    if (!plan.groups.empty()) require_member(roots.front(), request, *plan.groups.front());
  }
  const bool has_default =
      std::find(roots.begin(), roots.end(), plan.sources.front()) != roots.end();
  if (roots.size() < 2 || has_default) return;
  const bool is_to_root = request.traffic.collective == Operation::gather ||
                          request.traffic.collective == Operation::reduce;
  throw std::invalid_argument(
      fmt::format("--source is missing: the schedule {} has {} nodes that {}: {}",
                  shown_path(request.traffic.schedule), roots.size(),
                  is_to_root ? "receive and never send" : "send and never receive",
                  in_words(roots, plan.routing.topology())));
}

// Blocks that have no flit at this length are not sent.
void leave_out_empty(PlannedCollective& planned, const RunPlan& plan, bool is_program) {
  const Collective goal = planned.goal->of_length(plan.simulation.flits);
  leave_out_empty_blocks(planned.schedule, goal);
  if (is_program) close_gaps(planned.schedule);  // the lines of other files number themselves
  planned.goal = std::make_shared<Collective>(goal);
}

// Messages with lengths and starts of their own are no collective, so nothing can be asked of one.
void plan_timed_schedule(RunPlan& plan, std::shared_ptr<const TaskGraph> tasks) {
  const RunRequest& request = plan.request;
  const TrafficTable& traffic = request.traffic;
  const bool asks_for_collective =
      !traffic.sources.empty() || !traffic.destinations.is_all() || traffic.names_collective ||
      traffic.trials > 1 || request.message.blocks > 0 || request.message.parts > 0 ||
      request.message.address_flits > 0 || request.check.no_static ||
      request.check.max_violations != StaticCheckRequest{}.max_violations;
  const bool is_varied = request.node.jitter > 0 || request.node.skew > 0;
  const bool may_cross = !plan.missing.empty() && plan.routing.table() == nullptr;
  if (asks_for_collective || traffic.group || is_varied || may_cross) {
    throw std::invalid_argument(fmt::format(
        "{}: its messages have flits, at or class, so --source, --destinations, --collective, --trials, --blocks, --parts, --address-flits, --group, --jitter, --skew, --missing-links and the options of the static check do not go with it",
        shown_path(traffic.schedule)));
  }
  plan.request.traffic.graph = std::move(tasks);
  plan_graph(plan);
}

// The collective of schedule `number` of a file in a trial: that of the whole fabric or one group,
// or that of one of several groups.
PlannedCollective of_file(RunPlan& plan, const LoadedSchedule& loaded, std::size_t number,
                          const GoalSource& goals, bool is_first_trial) {
  const RunRequest& request = plan.request;
  const Schedule& schedule = loaded.schedules[number];
  const NodeGroup* group = plan.groups.empty() ? nullptr : plan.groups[number].get();
  const int ports = plan.router.internal_ports;
  PlannedCollective planned;
  planned.sources = plan.has_partition() ? std::vector<NodeId>{plan.sources[number]} : plan.sources;
  planned.destinations = goals.destinations(planned.sources);
  planned.schedule = schedule;
  if (!has_joins(schedule)) {
    planned.goal = goal_of_schedule(schedule, request, planned.sources, planned.destinations,
                                    plan.routing.shared_topology(), group, loaded.ranks_of(number));
  }
  const bool is_bcast = request.traffic.collective == Operation::bcast;
  if (is_bcast) require_pieces(piece_count(schedule), plan.simulation.flits);
  if (has_joins(schedule)) {
    require_runnable(schedule, {plan.routing, ports, planned.sources, planned.destinations});
    take_all_senders(planned, plan.routing);
    if (is_first_trial)
      require_links(planned, request.traffic.collective, plan.routing, plan.missing);
  } else if (planned.goal != nullptr) {
    planned.destinations = planned.goal->receivers();
    require_links(planned, request.traffic.collective, plan.routing, plan.missing);
    if (!is_bcast) leave_out_empty(planned, plan, loaded.is_program);
    require_achieved(planned, plan.routing);
    require_size(planned, plan.simulation, plan.routing.topology());
  } else if (is_first_trial) {
    require_runnable(schedule, {plan.routing, ports, planned.sources, planned.destinations});
    require_links(planned, request.traffic.collective, plan.routing, plan.missing);
  }
  add_address_fields(planned, nullptr, request, plan.routing.topology());
  if (schedule.has_unicasts_only() && is_bcast) {
    add_relays(plan, schedule, {planned.sources.front(), planned.destinations});
  } else if (group != nullptr) {
    add_outsiders(plan, schedule, *group);
  }
  return planned;
}

// One barrier between each two collectives; they follow all collectives in the list.
void add_barriers(const RunPlan& plan, std::vector<PlannedCollective>& collectives) {
  const PlannedCollective barrier = plan_message_barrier(plan.routing, plan.router.internal_ports);
  require_links(barrier, Operation::barrier, plan.routing, plan.missing);
  collectives.insert(collectives.end(), collectives.size() - 1, barrier);
}

}  // namespace

void plan_algorithm(RunPlan& plan, const Algorithm& algorithm) {
  plan.request.traffic.algorithm = &algorithm;
  const RunRequest& request = plan.request;
  CollectiveWork work;
  plan.relays.clear();
  PartyGoals goals(request, plan.routing.topology(), plan.groups);
  for (std::size_t i = 0; i < request.traffic.trials; ++i) {
    give_up_if_interrupted();
    std::vector<PlannedCollective> collectives;
    for (const auto& [goal, group] : goals.next_trial()) {
      PlannedCollective planned = plan_goal(
          algorithm, goal,
          {request, plan.routing, plan.router.internal_ports, group.get(), &plan.missing});
      require_size(planned, plan.simulation, plan.routing.topology());
      if (algorithm.operation == Operation::bcast) {
        add_relays(plan, planned.schedule, goal);
      } else if (algorithm.is_synthesized && group != nullptr) {
        add_outsiders(plan, planned.schedule, *group);
      }
      collectives.push_back(std::move(planned));
    }
    if (request.node.barrier_messages) add_barriers(plan, collectives);
    require_room(collectives, plan.simulation);
    work.trials.push_back(std::move(collectives));
  }
  plan.work = std::move(work);
  require_kinds(plan.trials().front(), plan.router.switching, plan.routing);
  require_joins(plan);
  if (plan.request.custom_router) {
    require_declared_kinds(*plan.request.custom_router, plan.trials().front(), plan.routing);
  }
}

void plan_schedule(RunPlan& plan) {
  const Topology& topology = plan.routing.topology();
  const LoadedSchedule loaded = load_schedule(plan.request, plan.routing, plan.groups);
  const RunRequest& request = plan.request;
  if (loaded.tasks != nullptr) {
    require_no_counts(request, "its messages have flits, at or class");
    plan_timed_schedule(plan, loaded.tasks);
    return;
  }
  require_sound(loaded, request);
  const bool has_joined = has_joins(loaded.schedules.front());
  if (has_joined && request.traffic.names_collective) {
    throw std::invalid_argument(fmt::format(
        "--collective {}: the schedule {} has joins, which say in each line what is computed",
        to_string(request.traffic.collective), shown_path(request.traffic.schedule)));
  }
  if (has_joined) require_no_counts(request, "it has joins");
  plan.sources.clear();
  std::vector<GoalSource> goals;
  for (const Party& party : parties_of(request, topology, plan.groups)) {
    plan.sources.push_back(party.source);
  }
  for (std::size_t i = 0; i < loaded.schedules.size(); ++i) {
    goals.emplace_back(request, topology,
                       plan.groups.empty() ? std::vector<NodeId>{} : plan.groups[i]->nodes);
  }
  if (!has_joined && !plan.has_partition()) find_source(plan, loaded.schedules.front(), request);
  CollectiveWork work;
  for (std::size_t trial = 0; trial < request.traffic.trials; ++trial) {
    give_up_if_interrupted();
    std::vector<PlannedCollective> collectives;
    for (std::size_t i = 0; i < loaded.schedules.size(); ++i) {
      goals[i].next_trial();
      collectives.push_back(of_file(plan, loaded, i, goals[i], trial == 0));
    }
    require_room(collectives, plan.simulation);
    work.trials.push_back(std::move(collectives));
  }
  plan.work = std::move(work);
  require_kinds(plan.trials().front(), plan.router.switching, plan.routing);
  require_joins(plan);
  if (plan.request.custom_router) {
    require_declared_kinds(*plan.request.custom_router, plan.trials().front(), plan.routing);
  }
}

// The ranks of a graph carry it out.
void plan_graph(RunPlan& plan) {
  plan.sources.clear();
  TaskWork work{plan_tasks(plan), {}};
  plan.simulation.host = work.tasks.graph->host;
  work.background = plan_background(plan);
  plan.work = std::move(work);
}

}  // namespace allport
