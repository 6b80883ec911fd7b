// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/custom_fabric.h"

#include <fmt/format.h>

#include <utility>

#include "testbench/conformance/circular_logic.h"

namespace allport {

namespace {

int payload_bits(const RunPlan& plan) { return 8 * plan.simulation.flit_bytes; }

RtlSource fitted_to(const RunPlan& plan, const RtlSource& source, int max_via) {
  return fitted(source, *plan.request.custom_router, plan.router, plan.routing,
                payload_bits(plan) + PinLayout::message_bits, max_via);
}

int data_width(const NodeLibraries& libraries, const RunPlan& plan, int max_via) {
  return check_pins(libraries, plan.request.custom_router->top, plan.router, plan.routing,
                    payload_bits(plan), max_via);
}

std::vector<NodeId> nodes_of(const Topology& topology) {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < topology.node_count(); ++i) nodes.push_back(node_id(i));
  return nodes;
}

}  // namespace

RunRequest run_of_custom(RunRequest run, const RtlRequest& rtl,
                         std::shared_ptr<const RouterDeclaration> declared) {
  if (!rtl.chooses_mode) run.router.switching = declared->first_mode();
  if (!rtl.chooses_depth) {
    run.router.buffer_depth = declared->fixed_depth.value_or(run.router.buffer_depth);
  }
  if (rtl.has_all_ports && run.fabric.topology) {
    run.fabric.ports = static_cast<int>(run.fabric.topology->port_count());
  }
  run.custom_router = std::move(declared);
  return run;
}

int places_for(const RunPlan& plan) {
  return plan.request.custom_router->has(MessageKind::multidestination) ||
                 plan.request.custom_router->has(MessageKind::label)
             ? max_via(plan)
             : 0;
}

CustomFabric::CustomFabric(const RunPlan& plan, const RtlSource& source, int max_via,
                           ModelWatch& watch, const BuildHooks& hooks)
    : all_(nodes_of(plan.routing.topology())),
      libraries_(fitted_to(plan, source, max_via),
                 parameters_by_node(*plan.request.custom_router, plan.routing.topology(), all_),
                 hooks),
      nodes_(libraries_, plan.router, plan.routing, payload_bits(plan),
             data_width(libraries_, plan, max_via), max_via,
             plan.request.custom_router->hop_cycles) {
  if (const auto circles = libraries_.circles(); !circles.empty() && hooks.say) {
    hooks.say(fmt::format(
        "router {}: it has circular logic, which Verilator at times simulates wrongly, so believe these results only if its sheet by `allport cosim` says that the contract is kept: {}",
        plan.request.custom_router->top, circles_in_words(circles)));
  }
  for (ModelLibrary& library : libraries_.all()) {
    library.rest_after_reset(plan.request.custom_router->reset_cycles);
    library.wrap([&](auto model) { return watch.over(std::move(model)); });
  }
  watch.expect_traffic(plan.router, true);
}

RtlPart CustomFabric::part() { return {nodes_, all_}; }

}  // namespace allport
