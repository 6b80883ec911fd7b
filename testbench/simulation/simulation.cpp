// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/simulation.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "testbench/plan/requirements.h"
#include "testbench/plan/worm_faults.h"
#include "testbench/simulation/simulation_implementation.h"
#include "testbench/simulation/stopwatch.h"
#include "testbench/simulation/worm_machine.h"

namespace allport {

namespace {

// The kernel turns an exception of a process into a report, of which only the text is left.
void require_memory(const sc_core::sc_report& report) {
  if (report.get_msg() == std::string(std::bad_alloc().what())) throw std::bad_alloc();
}

MessageBytes bytes_of(const SimulationConfig& config) {
  return config.is_transaction_level ? MessageBytes::shared : MessageBytes::own;
}

}  // namespace

Simulation::Implementation::Implementation(const SimulationConfig& given, const Routing& routes,
                                           const Equip& equip, StopFlag stop)
    : config(given),
      routing(routes),
      router(router_config(given.fabric, routes)),
      node_config{given.ts, given.tr, given.flit_bytes, given.bytes, given.payload_is_symbolic},
      watch(stop),
      schedule_(pool, bytes_of(given)),
      pattern_(node_config, pool, bytes_of(given), routes.topology().node_count()),
      workload_(given.processors == Processors::patterns ? static_cast<Workload&>(pattern_)
                                                         : schedule_),
      tasks_({node_config, config.model, router, routing, pool}, bytes_of(given)),
      programs_({node_config, config.model, router, routing, pool}),
      modelled_(workload_, node_config, config.model, router, routing),
      background_(
          given.processors == Processors::programs ? static_cast<Timekeeper&>(programs_) : tasks_,
          pattern_, node_config, router, routing),
      host_(given.host ? std::make_unique<HostLink>("host", *given.host) : nullptr),
      machine_(make_machine(equip)),
      checker_(log, routing, given.fabric.combine_order),
      barrier_("barrier", machine_->clock(), given.barrier.value_or(0)),
      message_barrier_("message_barrier") {
  if (config.is_transaction_level) checker_.skip_payloads();
  if (config.explain.is_any()) {
    explainer_.emplace(config.explain, router, routing, log, config.tr, stop);
    machine_->record(explainer_->movement());
    log.keep_contributions();
  }
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  if (!is_set(stop)) sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

std::unique_ptr<Machine> Simulation::Implementation::make_machine(const Equip& equip) {
  const PortLimits limits{config.model.is_half_duplex, config.model.shares_bandwidth};
  const MachineParts parts{router, routing, node_config, limits,   log,
                           pool,   *this,   workload_,   keeper(), watch.stop_flag()};
  if (config.is_transaction_level) return std::make_unique<WormMachine>(parts, watch);
  auto machine = std::make_unique<FlitMachine>(parts, watch, equip);
  flit_machine_ = machine.get();
  return machine;
}

// Null if the processors work by the plain rule.
Timekeeper* Simulation::Implementation::keeper() {
  if (config.has_background) return &background_;
  if (config.processors == Processors::tasks) return &tasks_;
  if (config.processors == Processors::programs) return &programs_;
  return config.model.has_plain_processors() ? nullptr : &modelled_;
}

void Simulation::Implementation::require_host(bool has_host) const {
  if (has_host == config.host.has_value()) return;
  throw std::invalid_argument(
      has_host ? "the simulation was made without a host"
               : "the simulation was made with a host, which has no tasks and no program");
}

void Simulation::Implementation::require_runnable(
    const std::vector<PlannedCollective>& collectives) const {
  require_kinds(collectives, router.switching, routing);
  require_room(collectives, config);
}

TrafficRequest Simulation::Implementation::own(TrafficRequest request) const {
  request.flits = config.flits;
  require_room(config.fabric, request.longest_flits());
  request.seed = config.seed;
  request.ties = routing.tie_break();
  return request;
}

std::optional<TrafficRequest> Simulation::Implementation::own_background(
    const std::optional<TrafficRequest>& request) const {
  if (request.has_value() != config.has_background) {
    throw std::invalid_argument(
        request ? "the simulation was not made for a pattern beside its ranks"
                : "the simulation was made for a pattern beside its ranks, and none is given");
  }
  if (!request) return std::nullopt;
  return own(*request);
}

FlitMachine& Simulation::Implementation::flits() const {
  if (flit_machine_ != nullptr) return *flit_machine_;
  throw std::logic_error("where worms are moved there is no fabric of routers");
}

void Simulation::Implementation::reset() {
  machine_->reset();
  workload_.reset();
  if (Timekeeper* const timekeeper = keeper()) timekeeper->reset();
  log.clear();
  checker_.reset();
  deliveries_.clear();
  if (explainer_) explainer_->reset();
}

void Simulation::Implementation::on_delivered(const tlm::tlm_generic_payload& message,
                                              const MessageExtension& extension) {
  checker_.on_delivered(message, extension);
  if (load_monitor_ && !is_background(extension.collective)) {
    load_monitor_->add_ejected(extension.head, extension.tail, log[extension.id].flits);
  }
  deliveries_.add(
      {extension.source, extension.receiver, extension.order, extension.head, extension.tail});
}

void Simulation::Implementation::on_received(const MessageExtension& extension, Cycle now) {
  if (collectives_ == nullptr) {
    if (explainer_) explainer_->receive(extension, now, -1);
    return;
  }
  const Cycle completes = note_reception(extension, now);
  if (explainer_) explainer_->receive(extension, now, completes);
}

// Runs the kernel until nothing is left to do, and says why if that is not the end of the trial.
void Simulation::Implementation::run_kernel(int trial) {
  try {
    if (sc_core::sc_pending_activity()) sc_core::sc_start();
  } catch (const sc_core::sc_report& report) {
    require_memory(report);
    results_.broken_invariant = report.get_msg();
    return;
  }
  if (watch.was_stopped()) {
    results_.was_interrupted = true;
  } else if (const std::string reason = machine_->halted(); !reason.empty()) {
    results_.broken_invariant = reason;
  } else if (results_.overrun = machine_->clock().overrun(); !results_.overrun.empty()) {
    // what would move is beyond the end
  } else if (std::optional<Deadlock> deadlock = machine_->find_deadlock()) {
    deadlock->trial = trial;
    results_.deadlock = std::move(deadlock);
  } else {
    checker_.finish();
    if (checker_.finding().empty()) results_.broken_invariant = memory_.fault();
    if (config.barrier_messages && results_.broken_invariant.empty()) {
      results_.broken_invariant = message_barrier_.finding();
    }
  }
  if (results_.broken_invariant.empty()) results_.broken_invariant = checker_.finding();
}

// From cycle 0 to the last reception, or to the end of a trial that could not complete.
Cycle Simulation::Implementation::cycles_of_trial() const {
  const Cycle moved = std::max(machine_->last_movement() + 1, latencies_.last_reception());
  return results_.deadlock ? std::max(moved, results_.deadlock->cycle) : moved;
}

void Simulation::Implementation::end_trial(int trial) {
  results_.flit_hops += machine_->flit_hops();
  results_.messages += log.size();
  const bool is_random = collectives_ == nullptr || load_monitor_;
  machine_->report(trial, is_random ? max_listed_events : ~std::size_t{0}, results_.contention,
                   results_.reception);
  deliveries_.end_trial();
  if (crossings_) machine_->end_count();
  if (router.combine_order == CombineOrder::arrival) {
    if (!results_.combine) results_.combine.emplace();
    checker_.joins().add_to(*results_.combine);
  }
  if (explainer_) {
    machine_->settle_movement();
    if (!is_random) explainer_->explain(trial, *collectives_, cycles_of_trial());
  }
  results_.digest = deliveries_.digest();
  results_.deliveries = deliveries_.deliveries();
}

void Simulation::Implementation::show_trial(
    const std::function<void(const ShownTrial&)>& show) const {
  if (!explainer_) throw std::logic_error("the movement of the run was not kept");
  explainer_->show(collectives_, collectives_ == nullptr ? results_.cycles : cycles_of_trial(),
                   show);
}

// SystemC's registries search linearly for each module that is destroyed, which takes a minute for
// a 16-cube. A process has one simulation, whose modules may as well live as long as the process.
void Simulation::keep() {
  [[maybe_unused]] static const Implementation* survivor = nullptr;
  survivor = implementation_.release();
}

Simulation::Simulation(const SimulationConfig& config, const Routing& routing, const Equip& equip,
                       StopFlag stop) {
  if (sc_core::sc_start_of_simulation_invoked()) {
    throw std::runtime_error(
        "this process has simulated already, and SystemC's kernel elaborates once in a process: call simulate(), which takes a child process each time, before anything simulates here");
  }
  validate(config);
  if (!config.is_transaction_level && routing.topology().node_count() > max_router_count) {
    throw std::invalid_argument("topology " + routing.topology().name() +
                                ": a fabric of routers has at most " +
                                std::to_string(max_router_count) + " nodes");
  }
  const std::vector<int>& phits = config.fabric.phits;
  const bool is_narrow = std::any_of(phits.begin(), phits.end(), [](int one) { return one > 1; });
  const std::string fault = transaction_level_fault(
      config.fabric.switching, config.fabric.combine_order, is_narrow, routing);
  if (config.is_transaction_level && !fault.empty()) {
    throw std::invalid_argument("the transaction-level fabric " + fault);
  }
  const Stopwatch stopwatch;
  implementation_ = std::make_unique<Implementation>(config, routing, equip, stop);
  implementation_->startup_seconds = stopwatch.seconds();
  if (!is_set(stop)) return;
  keep();
  throw Stopped();
}

Simulation::~Simulation() { keep(); }

Results Simulation::run(const Work& work) {
  const Processors made_for = implementation_->config.processors;
  if (processors_of(work) != made_for) {
    throw std::invalid_argument(std::string("the simulation was made for ") + to_string(made_for) +
                                ": it runs no " + to_string(processors_of(work)));
  }
  return std::visit([this](const auto& kind) { return implementation_->run(kind); }, work);
}

Fabric& Simulation::fabric() { return implementation_->flits().fabric(); }

MessageName Simulation::message_name(MessageId id) const {
  return allport::message_name(implementation_->log[id]);
}

bool Simulation::is_contention(const Loss& loss) const {
  return implementation_->flits().contention_rule().is_contention(loss);
}

const MessageRecord& Simulation::message(MessageId id) const { return implementation_->log[id]; }

void Simulation::show_trial(const std::function<void(const ShownTrial&)>& show) const {
  implementation_->show_trial(show);
}

void Simulation::use_message(const SimulationConfig& config) {
  SimulationConfig own = implementation_->config;
  own.flits = config.flits;
  own.bytes = config.bytes;
  own.payload_is_symbolic = config.payload_is_symbolic;
  validate(own);
  implementation_->config = own;
}

void Simulation::on_progress(Progress progress) {
  implementation_->watch.progress = std::move(progress);
}

}  // namespace allport
