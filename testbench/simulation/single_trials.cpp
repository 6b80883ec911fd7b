// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "testbench/simulation/simulation_implementation.h"
#include "testbench/simulation/stopwatch.h"
#include "traffic/theory/bandwidth.h"

namespace allport {

namespace {

void add_bandwidth(const TaskCollective& collective, Cycle cycles, CallResults& calls) {
  if (collective.bytes == 0 || collective.ranks->size() < 2 || cycles == 0) return;
  const Bandwidth one =
      bandwidth(collective.operation, collective.ranks->size(), collective.bytes, cycles);
  if (one.algorithm == 0) return;  // such as a barrier
  ++calls.measured;
  calls.algorithm += one.algorithm;
  calls.bus += one.bus;
  calls.best_bus = std::max(calls.best_bus, one.bus);
}

// What became of the calls of `graph`, by TaskGraph::uses.
std::vector<CallResults> call_results(const TaskGraph& graph, const TaskWorkload& workload) {
  std::vector<CallResults> results(graph.uses.size());
  for (std::size_t i = 0; i < graph.collectives.size(); ++i) {
    const TaskWorkload::CallTimes& times = workload.calls(i);
    if (times.open > 0) continue;
    CallResults& calls = results[graph.collectives[i].use];
    const Cycle cycles = times.last - times.first;
    ++calls.calls;
    calls.mean += static_cast<double>(cycles);
    calls.max = std::max(calls.max, cycles);
    add_bandwidth(graph.collectives[i], cycles, calls);
  }
  for (CallResults& calls : results) {
    calls.mean /= static_cast<double>(std::max<std::size_t>(calls.calls, 1));
    const auto measured = static_cast<double>(std::max<std::size_t>(calls.measured, 1));
    calls.algorithm /= measured;
    calls.bus /= measured;
  }
  return results;
}

}  // namespace

void Simulation::Implementation::begin_single_trial(Cycle cycles) {
  results_ = Results{};
  machine_->begin_run();
  if (explainer_) explainer_->begin_run();
  deliveries_ = DeliveryLog{};
  collectives_ = nullptr;
  load_monitor_.reset();
  memory_.reset(0, 0);
  watch.begin_trial(0, 1, cycles);
}

Results Simulation::Implementation::run(const PatternWork& work) {
  const TrafficRequest request = own(work.traffic);
  const SyntheticTraffic traffic(request, routing.topology(), watch.stop_flag());
  begin_single_trial(request.cycles);
  MeasurementWindow window;
  count_crossings({{request.warmup, request.cycles}});
  results_.wall_seconds = timed([&] {
    run_pattern_trial(traffic);
    results_.cycles = machine_->last_movement() + 1 + config.tr;
    window = window_of(request.warmup, request.cycles);
    if (!explainer_) return;
    explainer_->explain_pattern(window, results_.cycles);
    results_.explanation = explainer_->result();
  });
  results_.startup_seconds = startup_seconds;
  results_.traffic = measure(window, processor_load(request));
  results_.latency = {results_.traffic->latency.max, results_.traffic->latency.mean};
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
  if (host_ != nullptr) {
    const HostTransfers& transfers = host_->transfers();
    results.host = HostResults{transfers.count, transfers.bytes, transfers.busy,
                               workload.times(nodes.size()).end};
  }
  return results;
}

// The ranks on `nodes`, and the host if there is one, act in cycle 0.
void Simulation::Implementation::call_ranks(const std::vector<NodeId>& nodes) {
  const auto call = [this](NodeId node) {
    if (config.has_background) background_.add_rank(node);
    machine_->call(node);
  };
  for (const NodeId node : nodes) call(node);
  if (host_ != nullptr) call(node_id(routing.topology().node_count()));
}

// Runs what the ranks on `nodes` do from cycle 0 on, and the pattern beside them, if there is one.
template <class Workload>
void Simulation::Implementation::run_ranks(const Workload& workload,
                                           const std::vector<NodeId>& nodes,
                                           const std::optional<TrafficRequest>& background) {
  std::optional<SyntheticTraffic> pattern;
  if (background) pattern.emplace(*background, routing.topology(), watch.stop_flag());
  begin_single_trial(0);
  if (background) {
    count_crossings({{background->warmup, background->cycles}, Background::collective, [this] {
                       return background_.over_at();
                     }});
  }
  results_.wall_seconds = timed([&] {
    reset();
    if (host_ != nullptr) host_->reset(machine_->clock());
    call_ranks(nodes);
    if (pattern) start_pattern(*pattern);
    run_kernel(0);
    if (pattern && pattern->is_stopped()) results_.was_interrupted = true;
    end_trial(0);
    if (background) {
      const Cycle over = background_.over_at().value_or(background->cycles);
      const Cycle end = std::min(over + 1, background->cycles);
      results_.traffic = measure(window_of(background->warmup, end), processor_load(*background),
                                 Background::collective);
    }
    results_.tasks = task_results(workload, nodes);
    results_.cycles = std::max(results_.tasks->makespan, machine_->last_movement() + 1);
    if (!explainer_) return;
    explainer_->explain_ranks(results_.cycles);
    results_.explanation = explainer_->result();
  });
  results_.startup_seconds = startup_seconds;
}

Results Simulation::Implementation::run(const TaskWork& work) {
  const TaskGraph& graph = *work.tasks.graph;
  require_host(graph.host.has_value());
  const std::optional<TrafficRequest> background = own_background(work.background);
  tasks_.load(graph, work.tasks.nodes, host_.get());
  run_ranks(tasks_, work.tasks.nodes, background);
  results_.tasks->calls = call_results(graph, tasks_);
  if (results_.broken_invariant.empty()) results_.broken_invariant = tasks_.problem();
  return results_;
}

Results Simulation::Implementation::run(const ProgramWork& work) {
  if (work.programs.size() != work.nodes.size()) {
    throw std::invalid_argument("there are " + std::to_string(work.programs.size()) +
                                " programs for " + std::to_string(work.nodes.size()) + " nodes");
  }
  require_host(work.host_program != nullptr);
  const std::optional<TrafficRequest> background = own_background(work.background);
  programs_.load(work.programs, work.nodes, *work.planner, host_.get(), work.host_program);
  run_ranks(programs_, work.nodes, background);
  if (results_.broken_invariant.empty()) {
    const bool is_cut = results_.was_interrupted || !results_.overrun.empty();
    results_.broken_invariant = programs_.finding(!results_.deadlock && !is_cut);
  }
  return results_;
}

MeasurementWindow Simulation::Implementation::window_of(Cycle warmup, Cycle cycles) const {
  const Cycle end =
      results_.was_interrupted ? std::min(machine_->clock().cycle() + 1, cycles) : cycles;
  return {std::min(warmup, end - 1), end};
}

void Simulation::Implementation::start_pattern(const SyntheticTraffic& traffic) {
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
    pattern_.start(node_id(i), MessageSource(traffic, node_id(i)), node_seed(config.seed, 0, i),
                   config.jitter);
    machine_->call(node_id(i));
  }
}

void Simulation::Implementation::run_pattern_trial(const SyntheticTraffic& traffic) {
  reset();
  start_pattern(traffic);
  run_kernel(0);
  if (traffic.is_stopped()) results_.was_interrupted = true;  // messages were kept from starting
  end_trial(0);
}

ProcessorLoad Simulation::Implementation::processor_load(const TrafficRequest& request) const {
  const NodeModel plain;
  const NodeModel& model = config.has_background ? plain : config.model;  // of its processors
  const int workers = model.startup_per_port ? router.internal_ports : 1;
  double most = 0;  // of all nodes
  for (const auto& [messages, flits] : request.loads(routing.topology().node_count())) {
    double cycles = static_cast<double>(config.ts) + static_cast<double>(model.ts_per_flit) * flits;
    if (model.send_blocks) cycles += flits - 1;  // they are sent meanwhile
    most = std::max(most, messages * cycles / workers);
  }
  return {most, !model.send_blocks && !model.startup_per_port};
}

void Simulation::Implementation::count_crossings(CountedCrossings counted) {
  crossings_.emplace(routing, log, std::move(counted));
  machine_->count(*crossings_);
}

// Measures the messages of the collectives from `first_collective` on: of a pattern all, beside
// ranks those of Background.
TrafficResults Simulation::Implementation::measure(const MeasurementWindow& window,
                                                   const ProcessorLoad& processors,
                                                   std::size_t first_collective) {
  TrafficMonitor monitor(window, routing.topology().node_count(), processors);
  std::vector<MessageId> ids;
  for (std::size_t i = 0; i < log.size(); ++i) {
    const auto id = static_cast<MessageId>(i);
    if (static_cast<std::size_t>(log[id].collective) >= first_collective) ids.push_back(id);
  }
  // A prepared message beside ranks is begun once more where it is handed to its port, so when it
  // was prepared follows from the rule of its processor.
  if (config.has_background) {
    std::sort(ids.begin(), ids.end(), [this](MessageId a, MessageId b) {
      return std::tuple(log[a].source, log[a].order) < std::tuple(log[b].source, log[b].order);
    });
  }
  std::vector<Cycle> free_at(config.has_background ? routing.topology().node_count() : 0, 0);
  for (const MessageId id : ids) {
    const MessageRecord& message = log[id];
    const Cycle received = message.tail >= 0 ? message.tail + config.tr : -1;
    Cycle begun = message.begun;
    Cycle ready = message.ready();
    if (config.has_background) {
      Cycle& free = free_at[index(message.source)];
      begun = std::max(free, message.created);
      ready = free = begun + config.ts;
    }
    monitor.add({message.source, message.flits, message.created, begun, ready, message.injected,
                 message.head, message.tail, received});
  }
  TrafficResults results = monitor.results();
  results.channel_load = crossings_->load(window.cycles());
  crossings_.reset();
  return results;
}

}  // namespace allport
