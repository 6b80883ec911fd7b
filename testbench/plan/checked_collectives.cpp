// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/checked_collectives.h"

#include <stdexcept>
#include <utility>

#include "testbench/plan/counts.h"
#include "testbench/plan/missing_links.h"
#include "testbench/plan/plan_goal.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/resolve.h"
#include "traffic/schedule/joins.h"

namespace allport {

namespace {

using Groups = std::vector<std::shared_ptr<const NodeGroup>>;

// What schedule `number` of a file says of who gets what: its sound lines, and transfers whose way
// is wrong; `both` is where they stand together.
const Schedule& told(const LoadedSchedule& loaded, std::size_t number, Schedule& both) {
  const Schedule& sound = loaded.schedules[number];
  const std::vector<Unicast>& transfers = loaded.left_out[number].transfers;
  if (transfers.empty()) return sound;
  both = sound;
  both.unicasts.insert(both.unicasts.end(), transfers.begin(), transfers.end());
  both.sort();
  return both;
}

// The collective of schedule `number` of a file among the nodes of `group` (null: all), from
// `sources`.
PlannedCollective of_schedule(const LoadedSchedule& loaded, std::size_t number,
                              const RunRequest& request, const Routing& routing,
                              std::vector<NodeId> sources, const NodeGroup* group) {
  PlannedCollective given;
  given.schedule = loaded.schedules[number];
  given.left_out = std::make_shared<LeftOut>(loaded.left_out[number]);
  given.sources = std::move(sources);
  if (given.has_joins()) {
    require_no_counts(request, "it has joins");
    take_all_senders(given, routing);
  } else {
    GoalSource goals(request, routing.topology(),
                     group == nullptr ? std::vector<NodeId>{} : group->nodes);
    goals.next_trial();
    given.destinations = goals.destinations(given.sources);
    Schedule both;
    given.goal =
        goal_of_schedule(told(loaded, number, both), request, given.sources, given.destinations,
                         routing.shared_topology(), group, loaded.ranks_of(number));
    const bool has_counts = given.goal != nullptr && given.goal->has_pair_lengths();
    if (has_counts) leave_out_empty_blocks(given.schedule, *given.goal);
  }
  require_links(given, request.traffic.collective, routing, missing_channels(request, routing));
  return given;
}

// The collective of a schedule file, with all its sources, or one for each of several groups.
std::vector<PlannedCollective> collectives_of_file(const LoadedSchedule& loaded,
                                                   const RunRequest& request,
                                                   const Routing& routing, const Groups& groups) {
  const bool is_partition = request.traffic.group && request.traffic.group->is_partition;
  const std::vector<Party> parties = parties_of(request, routing.topology(), groups);
  std::vector<PlannedCollective> collectives;
  for (std::size_t i = 0; i < loaded.schedules.size(); ++i) {
    const NodeGroup* group = groups.empty() ? nullptr : groups[i].get();
    std::vector<NodeId> sources;
    for (const Party& party : parties) {
      if (!is_partition || party.group.get() == group) sources.push_back(party.source);
    }
    if (request.traffic.sources.empty() && !is_partition && !has_joins(loaded.schedules[i])) {
      Schedule both;
      const auto roots = possible_roots(told(loaded, i, both), request.traffic.collective, routing);
      if (roots.size() == 1) sources = roots;
      if (group != nullptr) require_member(sources.front(), request, *group);
    }
    collectives.push_back(of_schedule(loaded, i, request, routing, std::move(sources), group));
  }
  return collectives;
}

}  // namespace

std::vector<PlannedCollective> checked_of_file(const LoadedSchedule& loaded,
                                               const RunRequest& request, const Routing& routing,
                                               const Groups& groups) {
  try {
    return collectives_of_file(loaded, request, routing, groups);
  } catch (const std::invalid_argument&) {
    // What makes no sense without the lines that are left out is their fault.
    require_sound(loaded, request);
    throw;
  }
}

std::vector<PlannedCollective> checked_of_algorithm(const RunRequest& request,
                                                    const Routing& routing, const Groups& groups) {
  const Topology& topology = routing.topology();
  const std::vector<Channel> missing = missing_channels(request, routing);
  PartyGoals goals(request, topology, groups);
  std::vector<PlannedCollective> collectives;
  for (const auto& [goal, group] : goals.next_trial()) {
    collectives.push_back(
        plan_goal(*request.traffic.algorithm, goal,
                  {request, routing, internal_ports(request, topology), group.get(), &missing}));
  }
  return collectives;
}

}  // namespace allport
