// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/label_worms.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "testbench/plan/static_plan.h"
#include "testbench/processes/interrupt.h"

namespace allport {

namespace {

using Trial = std::vector<PlannedCollective>;

template <class Predicate>
bool any_message(const Trial& trial, Predicate predicate) {
  return std::any_of(trial.begin(), trial.end(), [&](const PlannedCollective& one) {
    return std::any_of(one.schedule.unicasts.begin(), one.schedule.unicasts.end(), predicate);
  });
}

bool is_label(const Unicast& unicast) { return unicast.kind == MessageKind::label; }
bool is_other(const Unicast& unicast) { return !is_label(unicast); }

// The condition that the router or the messages of `trial` do not keep; empty: they keep all.
std::string broken_condition(const Trial& trial, const RouterConfig& router) {
  if (!has_private_ejection(router)) {
    return fmt::format(
        "an ejection channel serves several inputs: freedom takes all {} ports and --vcs 1, and these routers have --ports {} and --vcs {}",
        router.external_ports, router.internal_ports, router.vcs);
  }
  if (any_message(trial, is_other)) {
    return "messages of other kinds share their channels: freedom takes messages of the kind label only, which may have one destination";
  }
  return {};
}

// Whether the routes of `trial` exclude a circle of waits. What is too large for the check is not
// proved.
bool is_proved(const Trial& trial, const RunPlan& plan) {
  const CheckedFabric fabric{
      plan.routing, plan.router.internal_ports, plan.router.vcs_of_class(), {1, nullptr}};
  try {
    const ScheduleReport report = StaticPlan(trial, fabric, succession_of(plan)).check();
    return report.worms && report.worms->circle.empty();
  } catch (const std::invalid_argument&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

bool has_private_ejection(const RouterConfig& router) {
  return router.internal_ports == router.external_ports && router.vcs == router.classes;
}

bool has_label_worms(const RunPlan& plan) {
  return std::any_of(plan.trials().begin(), plan.trials().end(),
                     [](const Trial& trial) { return any_message(trial, is_label); });
}

void require_label_freedom(const RunPlan& plan) {
  if (!has_label_worms(plan)) return;
  const bool is_from_file = !plan.request.traffic.schedule.empty();  // all trials send the same
  for (std::size_t i = 0; i < (is_from_file ? 1 : plan.trials().size()); ++i) {
    const Trial& trial = plan.trials()[i];
    if (!any_message(trial, is_label)) continue;
    const std::string broken = broken_condition(trial, plan.router);
    if (broken.empty()) continue;
    give_up_if_interrupted();
    if (!plan.is_scheduled()) {
      throw std::invalid_argument(fmt::format(
          "the label worms of a load, of which many are under way at once, can deadlock, because {}",
          broken));
    }
    if (is_proved(trial, plan)) continue;
    throw std::invalid_argument(fmt::format(
        "the label worms can deadlock, because {}; nor is freedom proved by the routes of trial {}",
        broken, i));
  }
}

}  // namespace allport
