// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/reduction.h"

#include <utility>

#include "traffic/algorithms/hypercube_multicast.h"
#include "traffic/algorithms/sbt.h"

namespace allport {

namespace {

using Planner = Schedule (*)(const PlanRequest&);

Routing opposite(const Routing& routing) {
  const bool is_ascending = routing.order() == RoutingOrder::ascending;
  return {routing.shared_topology(),
          is_ascending ? RoutingOrder::descending : RoutingOrder::ascending};
}

Schedule reduction(const PlanRequest& request, const Routing& tree_routing, Planner plan) {
  return summed_up(plan({tree_routing, request.internal_ports, request.goal}));
}

}  // namespace

Schedule summed_up(const Schedule& tree) {
  const StepIndex steps = tree.steps();
  Schedule schedule;
  for (const Unicast& unicast : tree.unicasts) {
    Unicast up;
    up.u = unicast.v;
    up.v = unicast.u;
    up.step = steps + 1 - unicast.step;
    up.blocks = {0};
    up.adds = true;
    schedule.unicasts.push_back(std::move(up));
  }
  schedule.sort();
  return schedule;
}

Schedule reduce_scattered(const Schedule& allgather) {
  Schedule schedule = backwards(allgather);
  for (Unicast& unicast : schedule.unicasts) unicast.adds = true;
  return schedule;
}

Schedule one_after_the_other(Schedule first, const Schedule& second) {
  const StepIndex steps = first.steps();
  for (Unicast unicast : second.unicasts) {
    unicast.step += steps;
    first.unicasts.push_back(std::move(unicast));
  }
  number_by_step(first);
  return first;
}

Schedule summed_up_and_down(Schedule up, const Schedule& tree) {
  Schedule down = tree;
  for (Unicast& unicast : down.unicasts) unicast.blocks = {0};
  return one_after_the_other(std::move(up), down);
}

Schedule plan_sbt_reduce(const PlanRequest& request) {
  return reduction(request, request.routing, plan_sbt);
}

Schedule plan_sbt_allreduce(const PlanRequest& request) {
  return summed_up_and_down(plan_sbt_reduce(request), plan_sbt(request));
}

Schedule plan_wsort_reduce(const PlanRequest& request) {
  return reduction(request, opposite(request.routing), plan_wsort);
}

Schedule plan_wsort_allreduce(const PlanRequest& request) {
  return summed_up_and_down(plan_wsort_reduce(request), plan_wsort(request));
}

}  // namespace allport
