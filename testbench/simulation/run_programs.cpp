// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/run_programs.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/base/range.h"
#include "testbench/plan/coherence.h"
#include "testbench/plan/places.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/plan_traffic.h"
#include "testbench/plan/rank_collectives.h"
#include "testbench/plan/requirements.h"
#include "testbench/simulation/simulation.h"

namespace allport {

namespace {

void require_own(const RunRequest& request) {
  const TrafficTable& traffic = request.traffic;
  const bool has_other =
      traffic.algorithm != nullptr || !traffic.schedule.empty() || traffic.has_tasks();
  if (has_other) {
    throw std::invalid_argument(
        "programs run beside a pattern only: leave algorithm, schedule and tasks of the request out");
  }
  if (request.model == Model::systemc || request.model == Model::worm ||
      request.model == Model::automatic) {
    return;
  }
  throw std::invalid_argument(std::string("model ") + to_string(request.model) +
                              ": programs run on the models systemc and worm");
}

const Program& made(const std::unique_ptr<Program>& program, const std::string& whose) {
  if (program == nullptr) throw std::invalid_argument(whose + ": it has no program, but null");
  return *program;
}

void require_stack(const Program& program, const std::string& whose) {
  constexpr Range range{static_cast<std::int64_t>(Program::least_stack),
                        static_cast<std::int64_t>(Program::most_stack)};
  const auto most = static_cast<std::size_t>(INT64_MAX);
  require_range((whose + ": stack_bytes").c_str(),
                static_cast<std::int64_t>(std::min(program.stack_bytes(), most)), range);
}

Results run(const RunRequest& request, const MakeProgram& make, const Host* host,
            const Progress& progress, const std::atomic<bool>* stop) {
  require_own(request);
  require_coherent(request, true);
  RunPlan plan = plan_fabric(request);
  plan.sources.clear();
  ProgramWork work;
  work.background = plan_background(plan);
  plan.work = work;
  plan.simulation.is_transaction_level = plan.request.model == Model::worm;
  settle_model(plan);
  require_movable(plan);
  require_node_model(plan);
  const NodeGroup* const group = plan.groups.empty() ? nullptr : plan.groups.front().get();
  work.nodes = nodes_of_ranks(plan.request, plan.routing.shared_topology(), group);
  std::vector<std::unique_ptr<Program>> programs;
  for (std::uint32_t rank = 0; rank < work.nodes.size(); ++rank) {
    programs.push_back(make(rank));
    work.programs.push_back(programs.back().get());
    const std::string whose = "rank " + std::to_string(rank);
    require_stack(made(programs.back(), whose), whose);
  }
  if (host != nullptr) {
    require_stack(made(host->program, "the host"), "the host");
    plan.simulation.host = host->model;
  }
  CollectivePlanner planner = collective_planner(plan.request, plan.routing, group,
                                                 static_cast<std::uint32_t>(work.nodes.size()), {});
  work.planner = &planner;
  work.host_program = host == nullptr ? nullptr : host->program.get();
  Simulation simulation(plan.simulation, plan.routing, {}, stop);
  if (progress) simulation.on_progress(progress);
  return simulation.run(work);
}

}  // namespace

Results run_programs(const RunRequest& request, const MakeProgram& make, const Progress& progress,
                     const std::atomic<bool>* stop) {
  return run(request, make, nullptr, progress, stop);
}

Results run_programs(const RunRequest& request, const MakeProgram& make, const Host& host,
                     const Progress& progress, const std::atomic<bool>* stop) {
  return run(request, make, &host, progress, stop);
}

}  // namespace allport
