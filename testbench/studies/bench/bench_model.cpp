// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/bench/bench_model.h"

#include <optional>

#include "rtl_model/verilated/verilated_fabric.h"
#include "testbench/files/standard_streams.h"
#include "testbench/observe/lockstep/rtl_nodes.h"
#include "testbench/processes/interrupt.h"
#include "testbench/simulation/rtl_fabric.h"
#include "testbench/simulation/simulation.h"
#include "testbench/studies/bench/network_run.h"

namespace allport {

namespace {

int payload_bits(const RunPlan& plan) { return 8 * plan.simulation.flit_bytes; }
int data_width(const RunPlan& plan) { return payload_bits(plan) + PinLayout::message_bits; }
BuildHooks hooks() { return {say, catch_interrupts()}; }

std::unique_ptr<ModelLibrary> build_routers(const RunPlan& plan) {
  return std::make_unique<ModelLibrary>(twin_source(plan.router, plan.routing, data_width(plan)),
                                        hooks());
}

std::unique_ptr<ModelLibrary> build_fabric(const RunPlan& plan) {
  return std::make_unique<ModelLibrary>(fabric_source(plan.router, plan.routing, data_width(plan)),
                                        hooks());
}

std::vector<NodeId> all_nodes(const Fabric& fabric) {
  std::vector<NodeId> all;
  for (std::size_t i = 0; i < fabric.router_count(); ++i) all.push_back(node_id(i));
  return all;
}

Results simulate_with(const RunPlan& plan, const RouterReplacement& replace_routers) {
  Simulation simulation(plan.simulation, plan.routing, replace_routers);
  return simulation.run(plan.work);
}

Results run_systemc(const RunPlan& plan, const ModelLibrary*) { return simulate_with(plan, {}); }

Results run_worms(const RunPlan& plan, const ModelLibrary*) {
  RunPlan moved = plan;
  moved.simulation.is_transaction_level = true;
  return simulate_with(moved, {});
}

Results run_driven(const RunPlan& plan, const ModelLibrary*) { return run_network(plan); }

// All causes, without a list of messages.
RunPlan explained(RunPlan plan) {
  plan.simulation.explain.causes = true;
  plan.simulation.explain.channels = true;
  return plan;
}

Results run_explained(const RunPlan& plan, const ModelLibrary*) {
  return run_systemc(explained(plan), nullptr);
}

Results run_explained_worms(const RunPlan& plan, const ModelLibrary*) {
  return run_worms(explained(plan), nullptr);
}

Results run_rtl(const RunPlan& plan, const ModelLibrary* library) {
  RtlNodes nodes(*library, plan.router, plan.routing, payload_bits(plan));
  return simulate_with(plan, [&](Fabric& fabric) { nodes.replace(fabric, all_nodes(fabric)); });
}

Results run_rtl_fabric(const RunPlan& plan, const ModelLibrary* library) {
  std::optional<VerilatedFabric> whole;
  return simulate_with(
      plan, [&](Fabric& fabric) { whole.emplace(library->create(), fabric, payload_bits(plan)); });
}

Results run_lockstep(const RunPlan& plan, const ModelLibrary* library) {
  RtlNodes nodes(*library, plan.router, plan.routing, payload_bits(plan));
  return simulate_with(plan, [&](Fabric& fabric) { nodes.shadow(fabric, all_nodes(fabric)); });
}

}  // namespace

const std::vector<BenchModel>& bench_models() {
  static const std::vector<BenchModel> models{
      {"systemc", "routers called once a cycle", nullptr, run_systemc},
      {"worm", "worms at transaction level", nullptr, run_worms},
      {"network", "worms driven message by message; patterns only", nullptr, run_driven, true},
      {"explained", "systemc, with every latency explained", nullptr, run_explained},
      {"worm-explained", "worm, with every latency explained", nullptr, run_explained_worms},
      {"rtl", "a Verilated router per node", build_routers, run_rtl},
      {"rtl-fabric", "one Verilated module for the whole fabric", build_fabric, run_rtl_fabric},
      {"lockstep", "systemc and rtl at every node, compared", build_routers, run_lockstep},
  };
  return models;
}

std::vector<std::string_view> bench_model_names() {
  std::vector<std::string_view> names;
  for (const BenchModel& model : bench_models()) names.push_back(model.name);
  return names;
}

}  // namespace allport
