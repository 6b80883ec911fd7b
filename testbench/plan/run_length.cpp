// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/run_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/base/run_end.h"
#include "testbench/plan/message_lengths.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/requirements.h"
#include "traffic/tasks/task_check.h"

namespace allport {

namespace {

// Cycles, which may be more than a Cycle can count.
using Length = long double;

void require(Length cycles, const std::string& what) {
  if (cycles <= static_cast<Length>(last_cycle)) return;
  const bool is_near = cycles < 10 * static_cast<Length>(last_cycle);  // then every digit tells
  throw std::invalid_argument(
      is_near ? fmt::format("{} {:.0f} cycles at least, and {}", what, cycles, end_of_run())
              : fmt::format("{} at least {:.4g} cycles, and {}", what, static_cast<double>(cycles),
                            end_of_run()));
}

Length preparation(const SimulationConfig& config, Length flits) {
  return static_cast<Length>(config.ts) + static_cast<Length>(config.model.ts_per_flit) * flits;
}

// From its start until its receiver has it.
void require_message(const SimulationConfig& config, std::int64_t count) {
  const auto flits = static_cast<Length>(count);
  const auto takeover = static_cast<Length>(config.model.takeover(config.tr, count));
  require(preparation(config, flits) + flits + takeover,
          fmt::format("a message of {} flits takes", count));
}

// What the processor of each node prepares in a trial, one message after another.
std::vector<Length> preparations(const std::vector<PlannedCollective>& trial,
                                 const SimulationConfig& config, std::size_t nodes) {
  std::vector<Length> sums(nodes, 0);
  for (const PlannedCollective& one : trial) {
    const MessageLengths lengths(one, config);
    if (one.is_one_message()) {
      for (const NodeId source : one.sources) {
        sums[index(source)] += preparation(config, static_cast<Length>(lengths.longest()));
      }
      continue;
    }
    for (const Unicast& unicast : one.schedule.unicasts) {
      const auto flits = static_cast<Length>(lengths.flits_of(unicast));
      sums[index(unicast.u)] += preparation(config, flits);
    }
  }
  return sums;
}

// The trials count together. Where ports prepare messages, all of a node do so at once.
void require_trials(const RunPlan& plan, std::int64_t longest) {
  const SimulationConfig& config = plan.simulation;
  std::size_t messages = 0;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    for (const PlannedCollective& one : trial) messages += one.schedule.unicasts.size() + 1;
  }
  const Length each = preparation(config, static_cast<Length>(longest));
  if (each * static_cast<Length>(messages) <= static_cast<Length>(last_cycle)) return;
  const int at_once = config.model.startup_per_port ? plan.router.internal_ports : 1;
  Length all = 0;
  for (const std::vector<PlannedCollective>& trial : plan.trials()) {
    const std::vector<Length> sums =
        preparations(trial, config, plan.routing.topology().node_count());
    all += *std::max_element(sums.begin(), sums.end()) / static_cast<Length>(at_once);
  }
  require(all, plan.trials().size() == 1 ? "the node with most to send prepares its messages in"
                                         : "in all trials, the nodes with most to send need");
}

// A rank has some processors, and ports that prepare messages. A receive that it takes over counts
// for nothing here.
void require_tasks(const RunPlan& plan) {
  const SimulationConfig& config = plan.simulation;
  const TaskGraph& graph = *plan.tasks()->graph;
  std::vector<Length> sums(graph.parties(), 0);
  std::vector<Length> longest(graph.parties(), 0);
  std::vector<int> workers(graph.parties(), 1);
  const int ports = config.model.startup_per_port ? plan.router.internal_ports : 0;
  for (const Task& task : graph.tasks) {
    workers[task.rank] = std::max(workers[task.rank], task.cpu + 1 + ports);
    Length cycles = task.kind == TaskKind::compute ? static_cast<Length>(task.amount) : 0;
    if (task.kind == TaskKind::send && graph.uses_host(task)) {
      cycles = static_cast<Length>(graph.host->cycles(task.amount));
    } else if (task.kind == TaskKind::send) {
      const auto flit_bytes = static_cast<std::uint64_t>(config.flit_bytes);
      const std::uint64_t flits =
          std::max<std::uint64_t>(1, task.amount / flit_bytes + (task.amount % flit_bytes != 0));
      require_message(config, static_cast<std::int64_t>(flits));
      cycles = preparation(config, static_cast<Length>(flits));
    }
    sums[task.rank] += cycles;
    longest[task.rank] = std::max(longest[task.rank], static_cast<Length>(task.at) + cycles);
  }
  for (std::uint32_t rank = 0; rank < graph.parties(); ++rank) {
    require(std::max(longest[rank], sums[rank] / static_cast<Length>(workers[rank])),
            rank_in_words(graph, rank) + " computes and prepares messages for");
  }
}

}  // namespace

void require_end(const RunPlan& plan) {
  if (plan.tasks() != nullptr) {
    require_tasks(plan);
    return;
  }
  require_message(plan.simulation, 1);  // of a barrier
  if (plan.traffic() != nullptr) {
    require_message(plan.simulation, plan.traffic()->longest_flits());
  }
  if (plan.trials().empty()) {
    if (plan.traffic() == nullptr) require_message(plan.simulation, plan.simulation.flits);
    return;
  }
  const std::int64_t longest = longest_message(plan);
  require_message(plan.simulation, longest);
  require_trials(plan, longest);
}

}  // namespace allport
