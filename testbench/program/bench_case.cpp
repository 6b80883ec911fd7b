// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/bench_case.h"

#include <optional>

#include "rtl_model/verilated/verilated_fabric.h"
#include "testbench/lockstep/rtl_nodes.h"
#include "testbench/program/plan_run.h"
#include "testbench/program/rtl_fabric.h"
#include "testbench/program/verdict.h"

namespace allport {

namespace {

RunPlan plan_of(const BenchCase& one) {
  Options options;
  options.topology = parse_topology(one.topology);
  return plan_fabric(options);
}

int payload_bits(const RunPlan& plan) { return 8 * plan.simulation.flit_bytes; }

double ratio(double number, double count) { return count > 0 ? number / count : 0; }

/// What stands in the places of the routers while a case runs.
class Stand {
 public:
  Stand(const RunPlan& plan, std::string_view model, const ModelLibrary* library)
      : plan_(plan), model_(model), library_(library) {
    if (library != nullptr && model != "rtl-fabric") {
      nodes_.emplace(*library, plan.router, plan.routing, payload_bits(plan));
    }
  }

  void equip(Fabric& fabric) {
    std::vector<NodeId> all;
    for (std::size_t i = 0; i < fabric.node_count(); ++i) all.push_back(node_id(i));
    if (model_ == "rtl") nodes_->replace(fabric, all);
    if (model_ == "lockstep") nodes_->shadow(fabric, all);
    if (model_ == "rtl-fabric") whole_.emplace(library_->create(), fabric, payload_bits(plan_));
  }

 private:
  const RunPlan& plan_;
  std::string_view model_;
  const ModelLibrary* library_;
  std::optional<RtlNodes> nodes_;
  std::optional<VerilatedFabric> whole_;
};

}  // namespace

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<BenchCase> cases{
      {"6-cube uniform 0.05", "hypercube:6", 0.05, 100'000, true},
      {"6-cube uniform 0.2", "hypercube:6", 0.2, 50'000, true},
      {"8x8 torus uniform 0.05", "torus:8x8", 0.05, 100'000, true},
      {"8x8 torus uniform 0.2", "torus:8x8", 0.2, 50'000, true},
      {"10-cube uniform 0.05", "hypercube:10", 0.05, 10'000, false},
      {"10-cube uniform 0.2", "hypercube:10", 0.2, 5'000, false}};
  return cases;
}

std::vector<std::string_view> bench_models() {
  return {"systemc", "rtl", "rtl-fabric", "lockstep"};
}

std::unique_ptr<ModelLibrary> bench_library(const BenchCase& one, std::string_view model) {
  if (model == "systemc") return nullptr;
  const RunPlan plan = plan_of(one);
  const int data_width = payload_bits(plan) + PinLayout::message_bits;
  return std::make_unique<ModelLibrary>(
      build_library(model == "rtl-fabric" ? fabric_source(plan.router, plan.routing, data_width)
                                          : twin_source(plan.router, plan.routing, data_width)));
}

Json measure(const BenchCase& one, std::string_view model, const ModelLibrary* library) {
  const RunPlan plan = plan_of(one);
  Stand stand(plan, model, library);
  Simulation simulation(plan.simulation, plan.routing, true,
                        [&](Fabric& fabric) { stand.equip(fabric); });
  const Results results = simulation.run_uniform(one.rate, one.cycles);
  if (const std::string problem = fault(results); !problem.empty()) {
    throw std::runtime_error(problem);
  }
  const double nanoseconds = results.wall_seconds * 1e9;
  const double router_cycles = static_cast<double>(results.cycles) *
                               static_cast<double>(plan.routing.topology().node_count());
  return {{"case", one.name},
          {"model", model},
          {"cycles_per_second", ratio(static_cast<double>(results.cycles), results.wall_seconds)},
          {"ns_per_router_cycle", ratio(nanoseconds, router_cycles)},
          {"ns_per_flit_hop", ratio(nanoseconds, static_cast<double>(results.flit_hops))},
          {"flit_hops", results.flit_hops},
          {"digest", results.digest},
          {"startup_seconds", results.startup_seconds},
          {"peak_bytes", 0}};
}

}  // namespace allport
