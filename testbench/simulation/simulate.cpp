// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/simulate.h"

#include <optional>
#include <stdexcept>

#include "testbench/processes/child_process.h"
#include "testbench/results/results_archive.h"
#include "testbench/simulation/rtl_fabric.h"
#include "testbench/simulation/simulation.h"

namespace allport {

Results simulate_here(const RunPlan& plan, const Progress& progress,
                      const std::atomic<bool>* stop) {
  std::optional<RtlFabric> rtl;
  if (plan.request.model == Model::rtl) rtl.emplace(plan, false, BuildHooks{{}, stop});
  Equip equip;
  if (rtl) equip = [&rtl](Fabric& fabric) { rtl->replace_all(fabric); };
  Simulation simulation(plan.simulation, plan.routing, plan.traffic.has_value(), equip);
  if (progress) simulation.on_progress(progress);
  simulation.stop_when(stop);
  return plan.traffic ? simulation.run_pattern(*plan.traffic) : simulation.run(plan.trials);
}

Results simulate(const RunPlan& plan) {
  const ChildText ended = text_of_child([&plan] { return to_bytes(simulate_here(plan)); });
  if (!ended.problem.empty()) throw std::runtime_error("the simulation: " + ended.problem);
  return results_of(ended.text);
}

}  // namespace allport
