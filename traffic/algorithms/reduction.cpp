// SPDX-License-Identifier: Apache-2.0
#include "traffic/algorithms/reduction.h"

#include <utility>

#include "traffic/algorithms/rows.h"

namespace allport {

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

namespace {

Routing opposite(const Routing& routing) {
  const bool is_ascending = routing.order() == RoutingOrder::ascending;
  return {routing.shared_topology(),
          is_ascending ? RoutingOrder::descending : RoutingOrder::ascending};
}

Schedule tree_of(std::string_view algorithm, const PlanRequest& request) {
  return find_algorithm(algorithm).plan(request);
}

// Up the tree that `algorithm` plans under `tree_routing`.
Schedule reduction(std::string_view algorithm, const PlanRequest& request,
                   const Routing& tree_routing) {
  return summed_up(tree_of(algorithm, {tree_routing, request.internal_ports, request.goal}));
}

// Over the spanning binomial tree.
Schedule plan_sbt_reduce(const PlanRequest& request) {
  return reduction("sbt", request, request.routing);
}

Schedule plan_sbt_allreduce(const PlanRequest& request) {
  return summed_up_and_down(plan_sbt_reduce(request), tree_of("sbt", request));
}

// Over W-sort's tree [Robinson93], planned for the opposite routing order: the routes v -> u under
// the fabric's order are then its routes u -> v reversed, so no two sends of a step share a
// channel.
Schedule plan_wsort_reduce(const PlanRequest& request) {
  return reduction("wsort", request, opposite(request.routing));
}

Schedule plan_wsort_allreduce(const PlanRequest& request) {
  return summed_up_and_down(plan_wsort_reduce(request), tree_of("wsort", request));
}

}  // namespace

Rows reduction_rows() {
  return {Row("sbt-reduce", "sums up the spanning binomial tree", "baseline", hypercubes,
              plan_sbt_reduce, Operation::reduce),
          Row("sbt-allreduce", "sums up the spanning binomial tree, then their broadcast",
              "baseline", hypercubes, plan_sbt_allreduce, Operation::allreduce),
          Row("sbt-barrier", "one-flit messages up the spanning binomial tree and down", "baseline",
              hypercubes, plan_sbt_allreduce, Operation::barrier),
          Row("wsort-reduce", "sums up the reverse of W-sort's tree", "Robinson93", hypercubes,
              plan_wsort_reduce, Operation::reduce),
          Row("wsort-allreduce", "sums up the reverse of W-sort's tree, then W-sort", "Robinson93",
              hypercubes, plan_wsort_allreduce, Operation::allreduce)};
}

}  // namespace allport
