// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/worm_faults.h"

#include <fmt/format.h>

#include <vector>

#include "rtl_model/topology/message_kind.h"
#include "testbench/plan/plan_run.h"

namespace allport {

namespace {

// The kinds of the messages of a collective, one by one.
std::vector<MessageKind> kinds_of(const PlannedCollective& collective) {
  if (collective.is_one_message()) return {collective.kind};
  std::vector<MessageKind> kinds;
  for (const Unicast& unicast : collective.schedule.unicasts) kinds.push_back(unicast.kind);
  return kinds;
}

// Why the fabric of worms does not explain messages of this kind; empty: it does.
std::string explanation_fault(MessageKind kind) {
  if (kind == MessageKind::unicast) return {};
  return fmt::format(
      "explains the latencies of unicasts only, and this run has {}; --model systemc explains them",
      is_join(kind) ? "joins" : fmt::format("{} worms", to_string(kind)));
}

}  // namespace

std::string transaction_level_fault(const RouterParameters& router, const Routing& routing) {
  if (router.combine_order == CombineOrder::arrival) {
    return "combines nothing where contributions meet, so it has no --combine arrival; the model systemc has it";
  }
  if (router.retry) {
    return "moves worms over channels that never err, so it has no --retry and no errors on links; the model systemc has them";
  }
  if (!routing.is_adaptive()) return {};
  return "supports deterministic routing only, not adaptive routing; the models systemc and rtl support it";
}

std::string worm_kind_fault(const RouterParameters& router, MessageKind kind) {
  const bool is_stored = router.switching == Switching::store_and_forward;
  if (kind != MessageKind::tree || !is_stored || router.replication_delay == 0) return {};
  return "does not have both --replication-delay and store-and-forward switching for tree worms; the models systemc and rtl have them";
}

std::string network_fault(const RunPlan& plan) {
  const std::string fault = worms_fault(plan);
  return fault.substr(0, fault.find("; the model"));
}

std::string worms_fault(const RunPlan& plan) {
  std::string fault = transaction_level_fault(plan.router, plan.routing);
  if (!fault.empty()) return fault;
  if (plan.simulation.errors.has_any()) {
    return "loses no credits, so it has no --lose-credit; the model systemc has it";
  }
  const NodeModel& model = plan.request.node.model;
  if (model.limits_ports()) {
    return fmt::format(
        "has nodes whose ports send and receive in every cycle, and this run has {}; the models systemc and rtl have it",
        model.port_limit());
  }
  const bool is_beside_ranks = plan.kind().has_ranks() && plan.traffic() != nullptr;
  if (plan.router.classes > 1 && (model.send_blocks || is_beside_ranks)) {
    return fmt::format(
        "tells no processor of a tail on its injection channel within the cycle where classes take turns, and this run has --classes {} and {}; the model systemc has both",
        plan.router.classes, model.send_blocks ? "--send blocking" : "a pattern beside tasks");
  }
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) {
      if (!one.is_one_message() && one.schedule.has_unicasts_only()) continue;
      for (const MessageKind kind : kinds_of(one)) {
        std::string of_one = worm_kind_fault(plan.router, kind);
        if (of_one.empty() && plan.request.explain.is_any()) of_one = explanation_fault(kind);
        if (!of_one.empty()) return of_one;
      }
    }
  }
  return {};
}

}  // namespace allport
