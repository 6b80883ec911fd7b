// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "rtl_model/base/words.h"

namespace allport {

namespace {

std::optional<ScheduleReport> check_trial(const RunPlan& plan, std::size_t trial) {
  if (trial >= plan.trials.size() || plan.trials[trial].size() != 1) return std::nullopt;
  const PlannedCollective& one = plan.trials[trial].front();
  const auto is_worm = [](const Unicast& unicast) { return unicast.kind != MessageKind::unicast; };
  const std::vector<Unicast>& unicasts = one.schedule.unicasts;
  if (one.is_worm() || std::any_of(unicasts.begin(), unicasts.end(), is_worm)) {
    return std::nullopt;
  }
  return check_schedule(one.schedule, {plan.routing, plan.router.internal_ports, one.sources,
                                       one.destinations, one.goal.get()});
}

// Whether every sender's program is in the order of its steps, as Theorem 1 takes it.
bool is_in_order(const Schedule& schedule) {
  std::vector<const Unicast*> programs;
  for (const Unicast& unicast : schedule.unicasts) programs.push_back(&unicast);
  std::sort(programs.begin(), programs.end(), [](const Unicast* a, const Unicast* b) {
    return std::tie(a->u, a->order, a->step) < std::tie(b->u, b->order, b->step);
  });
  return std::is_sorted(programs.begin(), programs.end(), [](const Unicast* a, const Unicast* b) {
    return std::tie(a->u, a->step) < std::tie(b->u, b->step);
  });
}

// Theorem 1 speaks of deterministic routes.
bool is_proved_free(const RunPlan& plan, std::size_t trial) {
  if (plan.routing.is_adaptive()) return false;
  const std::optional<ScheduleReport> report = check_trial(plan, trial);
  return report && report->exactly_once.ok() && report->causality.ok() && report->theorem1.ok() &&
         is_in_order(plan.trials[trial].front().schedule);
}

}  // namespace

std::optional<ScheduleReport> static_check(const RunPlan& plan) {
  if (plan.trials.empty()) return std::nullopt;
  return check_trial(plan, plan.trials.size() - 1);
}

std::string contradiction(const RunPlan& plan, const Results& results) {
  std::set<int> trials;
  for (const ContentionEvent& event : results.contention.list) {
    const bool is_new = trials.insert(event.trial).second;
    if (!is_new || !is_proved_free(plan, static_cast<std::size_t>(event.trial))) continue;
    return fmt::format(
        "contradiction: Theorem 1 proves the schedule free of contention, yet there is an event in "
        "cycle {} of trial {} at node {} port {}; one of the two is wrong, please report it",
        event.cycle, event.trial, index(event.channel.node), index(event.channel.port));
  }
  return {};
}

std::string fault(const Results& results) {
  if (!results.broken_invariant.empty()) return "broken invariant: " + results.broken_invariant;
  if (results.deadlock) {
    return fmt::format("deadlock in cycle {}: {} can never be delivered", results.deadlock->cycle,
                       counted(results.deadlock->stuck_messages, "message"));
  }
  return results.was_interrupted ? "interrupted" : "";
}

}  // namespace allport
