// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/simulation.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/plan/requirements.h"
#include "testbench/plan/worm_faults.h"
#include "testbench/simulation/run_core.h"
#include "testbench/simulation/stopwatch.h"
#include "testbench/simulation/work_runner.h"

namespace allport {

struct Simulation::Parts {
  Parts(const SimulationConfig& config, const Routing& routing,
        const RouterReplacement& replace_routers, StopFlag stop)
      : core(config, routing, stop), runner(make_runner(core)) {
    core.make_machine(*runner, replace_routers);
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    if (!is_set(stop)) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  RunCore core;
  std::unique_ptr<WorkRunner> runner;
};

// SystemC's registries search linearly for each module that is destroyed, which takes a minute for
// a 16-cube. A process has one simulation, whose modules may as well live as long as the process.
void Simulation::keep() {
  [[maybe_unused]] static const Parts* survivor = nullptr;
  survivor = parts_.release();
}

Simulation::Simulation(const SimulationConfig& config, const Routing& routing,
                       const RouterReplacement& replace_routers, StopFlag stop) {
  if (sc_core::sc_start_of_simulation_invoked()) {
    throw std::runtime_error(
        "this process has simulated already, and SystemC's kernel elaborates once in a process: call simulate(), which takes a child process each time, before anything simulates here");
  }
  validate(config);
  if (!config.is_transaction_level && routing.topology().router_count() > max_router_count) {
    throw std::invalid_argument("topology " + routing.topology().name() +
                                ": a fabric of routers has at most " +
                                std::to_string(max_router_count) + " nodes");
  }
  const std::string fault = transaction_level_fault(config.fabric, routing);
  if (config.is_transaction_level && !fault.empty()) {
    throw std::invalid_argument("the transaction-level fabric " + fault);
  }
  const bool may_err = config.fabric.retry || config.errors.has_any();
  if (may_err && config.is_transaction_level) {
    throw std::invalid_argument("channels err between routers only, not on worms");
  }
  const Stopwatch stopwatch;
  parts_ = std::make_unique<Parts>(config, routing, replace_routers, stop);
  parts_->core.startup_seconds = stopwatch.seconds();
  if (!is_set(stop)) return;
  keep();
  throw Stopped();
}

Simulation::~Simulation() { keep(); }

Results Simulation::run(const Work& work) {
  const Processors made_for = parts_->core.config.processors;
  if (processors_of(work) != made_for) {
    throw std::invalid_argument(std::string("the simulation was made for ") +
                                kind_of(made_for).name + ": it runs no " +
                                kind_of(processors_of(work)).name);
  }
  return parts_->runner->run(work);
}

Fabric& Simulation::fabric() { return parts_->core.flits().fabric(); }

MessageName Simulation::message_name(MessageId id) const {
  return allport::message_name(parts_->core.log[id]);
}

bool Simulation::is_contention(const Loss& loss) const {
  return parts_->core.flits().contention_rule().is_contention(loss);
}

const MessageRecord& Simulation::message(MessageId id) const { return parts_->core.log[id]; }

void Simulation::show_trial(const std::function<void(const ShownTrial&)>& show) const {
  if (!parts_->core.explainer) throw std::logic_error("the movement of the run was not kept");
  const WorkRunner& runner = *parts_->runner;
  parts_->core.explainer->show(runner.collectives(), runner.cycles(), show);
}

void Simulation::use_message(const SimulationConfig& config) {
  SimulationConfig used = parts_->core.config;
  used.flits = config.flits;
  used.bytes = config.bytes;
  used.payload_is_symbolic = config.payload_is_symbolic;
  validate(used);
  parts_->core.config = used;
}

void Simulation::on_progress(Progress progress) {
  parts_->core.watch.progress = std::move(progress);
}

}  // namespace allport
