// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/simulation.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>

#include "testbench/explain/explainer.h"
#include "testbench/monitors/completion_log.h"
#include "testbench/monitors/delivery_checker.h"
#include "testbench/monitors/delivery_log.h"
#include "testbench/monitors/latency_log.h"
#include "testbench/monitors/traffic_monitor.h"
#include "testbench/plan/requirements.h"
#include "testbench/simulation/contribution.h"
#include "testbench/simulation/program_table.h"
#include "testbench/simulation/stopwatch.h"
#include "testbench/simulation/watch.h"
#include "testbench/simulation/worm_machine.h"
#include "tlm/processor/barrier.h"
#include "tlm/processor/message_barrier.h"
#include "tlm/processor/modelled_workload.h"
#include "tlm/processor/pattern_workload.h"
#include "tlm/processor/program_workload.h"
#include "tlm/processor/schedule_workload.h"
#include "tlm/processor/task_workload.h"

namespace allport {

namespace {

// The kernel turns an exception of a process into a report, of which only the text is left.
void require_memory(const sc_core::sc_report& report) {
  const std::bad_alloc shortage;
  if (report.get_msg() == std::string(shortage.what())) throw shortage;
}

MessageBytes bytes_of(const SimulationConfig& config) {
  return config.is_transaction_level ? MessageBytes::shared : MessageBytes::own;
}

}  // namespace

class Simulation::Implementation final : public MessageObserver {
 public:
  Implementation(const SimulationConfig& given, const Routing& routes, bool pattern_nodes,
                 const Equip& equip, StopFlag stop);

  Results run(const std::vector<std::vector<PlannedCollective>>& trials, std::size_t first);
  Results run_pattern(const TrafficRequest& request);
  Results run_tasks(const TaskGraph& graph, const std::vector<NodeId>& nodes);
  Results run_programs(const std::vector<Program*>& programs, const std::vector<NodeId>& nodes,
                       HostLink* host, Program* host_program);
  /// Throws std::invalid_argument unless the nodes are those of patterns, or of collectives.
  void require_workload(bool of_patterns) const;
  void show_trial(const std::function<void(const ShownTrial&)>& show) const;
  /// The machine of flits; throws std::logic_error if this is the machine of worms.
  FlitMachine& flits() const;

  void on_delivered(const tlm::tlm_generic_payload& message,
                    const MessageExtension& extension) override;
  void on_received(const MessageExtension& extension, Cycle now) override;

  SimulationConfig config;
  const Routing routing;
  const RouterConfig router;
  MessageLog log;
  MessagePool pool;
  NodeConfig node_config;
  Watch watch;
  double startup_seconds = 0;

 private:
  std::unique_ptr<Machine> make_machine(const Equip& equip);
  void reset();
  void start_collective(int collective);
  void start_blocks(int collective);
  void start_joins(int collective, const PlannedCollective& planned);
  std::size_t collective_count() const;
  void pass_barrier(int collective, NodeId node);
  void arm_message_barrier();
  void load(const ProgramTable& programs, const std::vector<PlannedCollective>& collectives);
  void run_trial(const std::vector<PlannedCollective>& collectives, int trial);
  void run_pattern_trial(const SyntheticTraffic& traffic);
  Timekeeper* keeper();
  template <class Workload>
  void run_ranks(const Workload& workload, const std::vector<NodeId>& nodes,
                 HostLink* host = nullptr);
  template <class Workload>
  TaskResults task_results(const Workload& workload, const std::vector<NodeId>& nodes) const;
  void run_kernel(int trial);
  Cycle cycles_of_trial() const;
  Cycle note_reception(const MessageExtension& extension, Cycle now);
  void end_trial(int trial);
  MeasurementWindow window_of(const TrafficRequest& request) const;
  void measure(const MeasurementWindow& window);
  bool goes_on() const { return results_.is_complete(); }

  ScheduleWorkload schedule_;
  PatternWorkload pattern_;
  Workload& workload_;  // one of the two
  TaskWorkload tasks_;
  ProgramWorkload programs_;
  ModelledWorkload modelled_;
  FlitMachine* flit_machine_ = nullptr;  // if that is the machine
  std::unique_ptr<Machine> machine_;
  DeliveryChecker checker_;
  DeliveryLog deliveries_;
  LatencyLog latencies_;
  CompletionLog completions_;
  BlockMemory memory_;
  Barrier barrier_;
  MessageBarrier message_barrier_;
  std::optional<Explainer> explainer_;
  const std::vector<PlannedCollective>* collectives_ = nullptr;
  Results results_;
};

Simulation::Implementation::Implementation(const SimulationConfig& given, const Routing& routes,
                                           bool pattern_nodes, const Equip& equip, StopFlag stop)
    : config(given),
      routing(routes),
      router(router_config(given.fabric, routes)),
      node_config{given.ts, given.tr, given.flit_bytes, given.bytes, given.payload_is_symbolic},
      watch(stop),
      schedule_(pool, bytes_of(given)),
      pattern_(node_config, pool, bytes_of(given), routes.topology().node_count()),
      workload_(pattern_nodes ? static_cast<Workload&>(pattern_) : schedule_),
      tasks_({node_config, config.model, router, routing, pool}, bytes_of(given)),
      programs_({node_config, config.model, router, routing, pool}),
      modelled_(workload_, node_config, config.model, router, routing),
      machine_(make_machine(equip)),
      checker_(log, routing),
      barrier_("barrier", machine_->clock(), given.barrier.value_or(0)),
      message_barrier_("message_barrier") {
  if (config.is_transaction_level) checker_.skip_payloads();
  if (config.explain.is_any()) {
    explainer_.emplace(config.explain, router, routing, log, config.tr, stop);
    machine_->record(explainer_->movement());
  }
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  if (!is_set(stop)) sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

std::unique_ptr<Machine> Simulation::Implementation::make_machine(const Equip& equip) {
  const MachineParts parts{router,    routing,  node_config,      log, pool, *this,
                           workload_, keeper(), watch.stop_flag()};
  if (config.is_transaction_level) return std::make_unique<WormMachine>(parts, watch);
  auto machine = std::make_unique<FlitMachine>(parts, watch, equip);
  flit_machine_ = machine.get();
  return machine;
}

// Null if the processors work by the plain rule.
Timekeeper* Simulation::Implementation::keeper() {
  if (config.has_tasks) return &tasks_;
  if (config.has_programs) return &programs_;
  return config.model.is_default() ? nullptr : &modelled_;
}

void Simulation::Implementation::require_workload(bool of_patterns) const {
  const bool has_patterns = &workload_ == &pattern_;
  if (has_patterns == of_patterns) return;
  throw std::invalid_argument(has_patterns
                                  ? "the simulation was made with nodes for patterns: it runs no "
                                    "trials of collectives"
                                  : "the simulation was made with nodes for collectives: it runs "
                                    "no pattern");
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
  deliveries_.add(
      {extension.source, extension.receiver, extension.order, extension.head, extension.tail});
}

void Simulation::Implementation::on_received(const MessageExtension& extension, Cycle now) {
  if (collectives_ == nullptr) {
    if (explainer_) explainer_->receive(extension, -1);
    return;
  }
  const Cycle completes = note_reception(extension, now);
  if (explainer_) explainer_->receive(extension, completes);
}

// Returns the latency of the receiver if it has everything now, and had not before; otherwise -1.
Cycle Simulation::Implementation::note_reception(const MessageExtension& extension, Cycle now) {
  const bool is_counted = completions_.counts(extension.collective);
  if (is_counted && !completions_.receive(extension)) {
    latencies_.receive(now);
    return -1;
  }
  const bool is_first = latencies_.receive(extension.collective, extension.receiver, now);
  if (!is_first) {
    ++results_.repeated_deliveries;
    return -1;
  }
  if (config.barrier) barrier_.arrive(extension.collective);
  if (config.barrier_messages) pass_barrier(extension.collective, extension.receiver);
  return now - latencies_.start_of(extension.collective);
}

// The collectives of the trial that are not barriers.
std::size_t Simulation::Implementation::collective_count() const {
  const std::size_t count = collectives_->size();
  return config.barrier_messages ? (count + 1) / 2 : count;
}

void Simulation::Implementation::pass_barrier(int collective, NodeId node) {
  const auto number = static_cast<std::size_t>(collective);
  if (number < collective_count()) {
    message_barrier_.complete(number, node);
  } else {
    message_barrier_.release(number - collective_count(), node);
  }
}

void Simulation::Implementation::arm_message_barrier() {
  std::vector<std::vector<NodeId>> sources;
  std::vector<std::vector<bool>> receive;
  for (std::size_t i = 0; i < collective_count(); ++i) {
    sources.push_back((*collectives_)[i].sources);
    receive.push_back(receiving_nodes((*collectives_)[i], routing));
  }
  const std::size_t count = collective_count();
  message_barrier_.arm(
      std::move(sources), std::move(receive),
      [this, count](std::size_t barrier, NodeId node) {
        schedule_.start(node, static_cast<int>(count + barrier), machine_->clock().cycle());
        machine_->call(node);
      },
      [this](std::size_t next) { start_collective(static_cast<int>(next)); });
}

void Simulation::Implementation::start_blocks(int collective) {
  latencies_.start(collective, {}, machine_->clock().cycle());
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
    schedule_.start(node_id(i), collective, machine_->clock().cycle());
    machine_->call(node_id(i));
  }
}

void Simulation::Implementation::start_collective(int collective) {
  if (memory_.has_blocks(collective)) {
    start_blocks(collective);
    return;
  }
  const PlannedCollective& planned = (*collectives_)[static_cast<std::size_t>(collective)];
  if (planned.has_joins()) {
    start_joins(collective, planned);
    return;
  }
  tlm::tlm_generic_payload& payload = pool.allocate(config.payload_is_symbolic ? 1 : config.bytes);
  if (config.payload_is_symbolic) message_extension(payload)->stands_for = config.bytes;
  fill_payload(payload, static_cast<std::uint64_t>(collective));
  latencies_.start(collective, planned.sources, machine_->clock().cycle());
  for (const NodeId source : planned.sources) {
    schedule_.start(source, collective, payload, machine_->clock().cycle());
    machine_->call(source);
  }
  payload.release();
}

// Every sender has a message of its own.
void Simulation::Implementation::start_joins(int collective, const PlannedCollective& planned) {
  latencies_.start(collective, {}, machine_->clock().cycle());
  const std::size_t bytes = message_bytes(planned, config);
  for (const NodeId source : planned.sources) {
    tlm::tlm_generic_payload& payload = pool.allocate(bytes);
    fill_contribution(payload, planned.schedule, static_cast<std::uint64_t>(collective), source);
    schedule_.start(source, collective, payload, machine_->clock().cycle());
    machine_->call(source);
    payload.release();
  }
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
  machine_->report(trial, collectives_ == nullptr ? max_listed_events : ~std::size_t{0},
                   results_.contention, results_.reception);
  deliveries_.end_trial();
  if (explainer_) {
    machine_->settle_movement();
    if (collectives_ != nullptr) explainer_->explain(trial, *collectives_, cycles_of_trial());
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

void Simulation::Implementation::load(const ProgramTable& programs,
                                      const std::vector<PlannedCollective>& collectives) {
  const std::size_t nodes = routing.topology().node_count();
  memory_.reset(nodes, collectives.size());
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const auto& goal = collectives[i].goal;
    if (goal == nullptr) continue;
    memory_.add(static_cast<int>(i), goal,
                BlockLengths(*goal, config.flits, config.flit_bytes, config.bytes),
                config.payload_is_symbolic ? BlockBytes::symbol : BlockBytes::all);
  }
  schedule_.load(programs, &memory_);
  completions_.begin_trial(collectives, programs, routing);
  latencies_.begin_trial(nodes, collectives.size());
}

void Simulation::Implementation::run_trial(const std::vector<PlannedCollective>& collectives,
                                           int trial) {
  reset();
  collectives_ = &collectives;
  const ProgramTable programs = make_programs(collectives, routing, config.jitter, config.seed,
                                              static_cast<std::uint64_t>(trial));
  load(programs, collectives);
  if (config.barrier) {
    barrier_.arm(receivers(collectives, routing), [this](int next) { start_collective(next); });
    start_collective(0);
  } else if (config.barrier_messages) {
    arm_message_barrier();
    start_collective(0);
  } else {
    for (std::size_t i = 0; i < collectives.size(); ++i) start_collective(static_cast<int>(i));
  }
  run_kernel(trial);
  for (const PlannedCollective& collective : collectives) {
    if (collective.is_barrier) continue;
    results_.steps = std::max(results_.steps, collective.schedule.steps());
  }
  end_trial(trial);
  latencies_.end_trial(collectives, results_);
}

Results Simulation::Implementation::run(const std::vector<std::vector<PlannedCollective>>& trials,
                                        std::size_t first) {
  results_ = Results{};
  if (explainer_) explainer_->begin_run();
  deliveries_ = DeliveryLog{};
  latencies_ = LatencyLog{};
  const double share = 1.0 / static_cast<double>(trials.size());
  results_.wall_seconds = timed([&] {
    for (std::size_t i = first; i < trials.size() && goes_on(); ++i) {
      watch.begin_trial(static_cast<double>(i) * share, share, 0);
      run_trial(trials[i], static_cast<int>(i));
    }
  });
  latencies_.summarize(results_);
  if (explainer_) results_.explanation = explainer_->result();
  results_.startup_seconds = startup_seconds;
  return results_;
}

Results Simulation::Implementation::run_pattern(const TrafficRequest& request) {
  const SyntheticTraffic traffic(request, routing.topology(), watch.stop_flag());
  results_ = Results{};
  if (explainer_) explainer_->begin_run();
  deliveries_ = DeliveryLog{};
  collectives_ = nullptr;
  memory_.reset(0, 0);
  watch.begin_trial(0, 1, request.cycles);
  MeasurementWindow window;
  results_.wall_seconds = timed([&] {
    run_pattern_trial(traffic);
    results_.cycles = machine_->last_movement() + 1 + config.tr;
    window = window_of(request);
    if (!explainer_) return;
    explainer_->explain_pattern(window.from, window.to, results_.cycles);
    results_.explanation = explainer_->result();
  });
  results_.startup_seconds = startup_seconds;
  measure(window);
  return results_;
}

// `Workload`: of tasks or of programs.
template <class Workload>
TaskResults Simulation::Implementation::task_results(const Workload& workload,
                                                     const std::vector<NodeId>& nodes) const {
  TaskResults results;
  results.tasks = workload.count();
  results.unended = workload.count() - workload.ended();
  const bool is_stuck = results.unended > 0 && results_.is_complete();  // as far as is known
  if (is_stuck) {
    TaskStandstill standstill = workload.standstill();
    results.waits_in_circle = standstill.is_circle;
    results.waits = std::move(standstill.waits);
  }
  results.unreceived = workload.unreceived();
  results.makespan = workload.makespan();
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    const RankTimes times = workload.times(rank);
    results.ranks.push_back({nodes[rank], times.compute, times.communicate, times.wait, times.end});
  }
  return results;
}

// Runs what the ranks on `nodes` do from cycle 0 on.
template <class Workload>
void Simulation::Implementation::run_ranks(const Workload& workload,
                                           const std::vector<NodeId>& nodes, HostLink* host) {
  results_ = Results{};
  if (explainer_) explainer_->begin_run();
  deliveries_ = DeliveryLog{};
  collectives_ = nullptr;
  memory_.reset(0, 0);
  watch.begin_trial(0, 1, 0);
  results_.wall_seconds = timed([&] {
    reset();
    if (host != nullptr) host->reset(machine_->clock());
    for (const NodeId node : nodes) machine_->call(node);
    if (const auto node = programs_.host_node()) machine_->call(*node);
    run_kernel(0);
    end_trial(0);
    results_.tasks = task_results(workload, nodes);
    results_.cycles = std::max(results_.tasks->makespan, machine_->last_movement() + 1);
    if (!explainer_) return;
    explainer_->explain_pattern(0, results_.cycles + 1, results_.cycles);
    results_.explanation = explainer_->result();
  });
  results_.startup_seconds = startup_seconds;
}

Results Simulation::Implementation::run_tasks(const TaskGraph& graph,
                                              const std::vector<NodeId>& nodes) {
  tasks_.load(graph, nodes);
  run_ranks(tasks_, nodes);
  return results_;
}

Results Simulation::Implementation::run_programs(const std::vector<Program*>& programs,
                                                 const std::vector<NodeId>& nodes, HostLink* host,
                                                 Program* host_program) {
  programs_.load(programs, nodes, host, host_program);
  run_ranks(programs_, nodes, host);
  if (results_.broken_invariant.empty() && !programs_.problems().empty()) {
    results_.broken_invariant = programs_.problems().front();
  }
  return results_;
}

MeasurementWindow Simulation::Implementation::window_of(const TrafficRequest& request) const {
  const Cycle end = results_.was_interrupted
                        ? std::min(machine_->clock().cycle() + 1, request.cycles)
                        : request.cycles;
  return {std::min(request.warmup, end - 1), end};
}

void Simulation::Implementation::run_pattern_trial(const SyntheticTraffic& traffic) {
  reset();
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
    pattern_.start(node_id(i), MessageSource(traffic, node_id(i)), node_seed(config.seed, 0, i),
                   config.jitter);
    machine_->call(node_id(i));
  }
  run_kernel(0);
  if (traffic.is_stopped()) results_.was_interrupted = true;  // messages were kept from starting
  end_trial(0);
}

void Simulation::Implementation::measure(const MeasurementWindow& window) {
  TrafficMonitor monitor(window, routing);
  for (std::size_t i = 0; i < log.size(); ++i) {
    const auto id = static_cast<MessageId>(i);
    const MessageRecord& message = log[id];
    const Cycle received = message.tail >= 0 ? message.tail + config.tr : -1;
    monitor.add({message.source, message.destination, message.flits, message.created,
                 message.injected, message.head, message.tail, received, machine_->route_of(id)});
  }
  results_.traffic = monitor.results();
  results_.latency = {results_.traffic->latency.max, results_.traffic->latency.mean};
}

// SystemC's registries search linearly for each module that is destroyed, which takes a minute for
// a 16-cube. A process has one simulation, whose modules may as well live as long as the process.
void Simulation::keep() {
  [[maybe_unused]] static const Implementation* survivor = nullptr;
  survivor = implementation_.release();
}

Simulation::Simulation(const SimulationConfig& config, const Routing& routing, bool pattern_nodes,
                       const Equip& equip, StopFlag stop) {
  validate(config);
  if (!config.is_transaction_level && routing.topology().node_count() > max_router_count) {
    throw std::invalid_argument("topology " + routing.topology().name() +
                                ": a fabric of routers has at most " +
                                std::to_string(max_router_count) + " nodes");
  }
  const std::string fault = transaction_level_fault(config.fabric.switching, routing);
  if (config.is_transaction_level && !fault.empty()) {
    throw std::invalid_argument("the transaction-level fabric " + fault +
                                "; routers in SystemC and RTL support it");
  }
  const Stopwatch stopwatch;
  implementation_ = std::make_unique<Implementation>(config, routing, pattern_nodes, equip, stop);
  implementation_->startup_seconds = stopwatch.seconds();
  if (!is_set(stop)) return;
  keep();
  throw Stopped();
}

Simulation::~Simulation() { keep(); }

Results Simulation::run(const std::vector<std::vector<PlannedCollective>>& trials,
                        std::size_t first) {
  implementation_->require_workload(false);
  require_trials(trials, first, implementation_->config, implementation_->routing.topology());
  for (const std::vector<PlannedCollective>& collectives : trials) {
    require_kinds(collectives, implementation_->router.switching, implementation_->routing);
    require_room(collectives, implementation_->config);
  }
  return implementation_->run(trials, first);
}

Results Simulation::run_pattern(TrafficRequest request) {
  implementation_->require_workload(true);
  request.flits = implementation_->config.flits;
  require_room(implementation_->config.fabric, std::max(request.flits, request.flits_long));
  request.seed = implementation_->config.seed;
  request.ties = implementation_->routing.tie_break();
  return implementation_->run_pattern(request);
}

Results Simulation::run_tasks(const TaskGraph& graph, const std::vector<NodeId>& nodes) {
  if (!implementation_->config.has_tasks) {
    throw std::invalid_argument("the simulation was not made for tasks: it runs none");
  }
  return implementation_->run_tasks(graph, nodes);
}

Results Simulation::run_programs(const std::vector<Program*>& programs,
                                 const std::vector<NodeId>& nodes, HostLink* host,
                                 Program* host_program) {
  if (!implementation_->config.has_programs || programs.size() != nodes.size()) {
    throw std::invalid_argument("the simulation was not made for programs, or not for " +
                                std::to_string(programs.size()) + " of them");
  }
  return implementation_->run_programs(programs, nodes, host, host_program);
}

Results Simulation::run_uniform(double rate, Cycle cycles) {
  TrafficRequest request;
  request.rate = rate;
  request.cycles = cycles;
  return run_pattern(request);
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
