// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/rank_runner.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "testbench/simulation/pattern_runner.h"
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

template <class Ranks>
void RankRunner<Ranks>::require_host(bool has_host) const {
  if (has_host == core_.config.host.has_value()) return;
  throw std::invalid_argument(
      has_host ? "the simulation was made without a host"
               : "the simulation was made with a host, which has no tasks and no program");
}

template <class Ranks>
std::optional<TrafficRequest> RankRunner<Ranks>::settled(
    const std::optional<TrafficRequest>& request) const {
  if (request.has_value() != core_.config.has_background) {
    throw std::invalid_argument(
        request ? "the simulation was not made for a pattern beside its ranks"
                : "the simulation was made for a pattern beside its ranks, and none is given");
  }
  return request ? std::optional(meter_.settled(*request)) : std::nullopt;
}

template <class Ranks>
TaskResults RankRunner<Ranks>::task_results(const std::vector<NodeId>& nodes) const {
  TaskResults results;
  results.tasks = ranks_.count();
  results.unended = ranks_.count() - ranks_.ended();
  const bool is_stuck = results.unended > 0 && core_.results.is_complete();  // as far as is known
  if (is_stuck) {
    TaskStandstill standstill = ranks_.standstill();
    results.waits_in_circle = standstill.is_circle;
    results.waits = std::move(standstill.waits);
  }
  results.unreceived = ranks_.unreceived();
  results.makespan = ranks_.makespan();
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    const RankTimes times = ranks_.times(rank);
    results.ranks.push_back({nodes[rank], times.compute, times.communicate, times.wait, times.end});
  }
  if (host_ != nullptr) {
    const HostTransfers& transfers = host_->transfers();
    results.host = HostResults{transfers.count, transfers.bytes, transfers.busy,
                               ranks_.times(nodes.size()).end};
  }
  return results;
}

// The ranks on `nodes`, and the host if there is one, act in cycle 0.
template <class Ranks>
void RankRunner<Ranks>::call_ranks(const std::vector<NodeId>& nodes) {
  const auto call = [this](NodeId node) {
    if (background_) background_->add_rank(node);
    core_.machine().call(node);
  };
  for (const NodeId node : nodes) call(node);
  if (host_ != nullptr) call(node_id(core_.nodes()));
}

template <class Ranks>
void RankRunner<Ranks>::run_ranks(const std::vector<NodeId>& nodes,
                                  const std::optional<TrafficRequest>& background) {
  std::optional<SyntheticTraffic> pattern;
  if (background) {
    pattern.emplace(*background, core_.routing.topology(), core_.watch.stop_flag());
  }
  core_.begin_single_trial(0);
  if (background) {
    meter_.count({{background->warmup, background->cycles}, Background::collective, [this] {
                    return background_->over_at();
                  }});
  }
  Results& results = core_.results;
  results.wall_seconds = timed([&] {
    core_.reset();
    if (host_ != nullptr) host_->reset(core_.machine().clock());
    call_ranks(nodes);
    if (pattern) start_pattern(core_, pattern_, *pattern);
    core_.run_kernel(0);
    if (pattern && pattern->is_stopped()) results.was_interrupted = true;
    core_.end_trial(0, true);
    if (background) {
      const Cycle over = background_->over_at().value_or(background->cycles);
      const Cycle end = std::min(over + 1, background->cycles);
      results.traffic = meter_.measure(meter_.window(background->warmup, end),
                                       meter_.processor_load(*background), Background::collective);
    }
    results.tasks = task_results(nodes);
    results.cycles =
        core_.end_of(std::max(results.tasks->makespan, core_.machine().last_movement() + 1));
    if (!core_.explainer) return;
    core_.explainer->explain_ranks(results.cycles);
    results.explanation = core_.explainer->result();
  });
}

Results TaskRunner::run(const Work& given) {
  const auto& work = std::get<TaskWork>(given);
  const TaskGraph& graph = *work.tasks.graph;
  require_host(graph.host.has_value());
  const std::optional<TrafficRequest> background = settled(work.background);
  ranks_.load(graph, work.tasks.nodes, host());
  run_ranks(work.tasks.nodes, background);
  Results& results = core_.results;
  results.tasks->calls = call_results(graph, ranks_);
  if (results.broken_invariant.empty()) results.broken_invariant = ranks_.problem();
  return core_.finish();
}

Results ProgramRunner::run(const Work& given) {
  const auto& work = std::get<ProgramWork>(given);
  if (work.programs.size() != work.nodes.size()) {
    throw std::invalid_argument("there are " + std::to_string(work.programs.size()) +
                                " programs for " + std::to_string(work.nodes.size()) + " nodes");
  }
  require_host(work.host_program != nullptr);
  const std::optional<TrafficRequest> background = settled(work.background);
  ranks_.load(work.programs, work.nodes, *work.planner, host(), work.host_program);
  run_ranks(work.nodes, background);
  Results& results = core_.results;
  if (results.broken_invariant.empty()) {
    const bool is_cut = results.was_interrupted || !results.overrun.empty();
    results.broken_invariant = ranks_.finding(!results.deadlock && !is_cut);
  }
  return core_.finish();
}

template class RankRunner<TaskWorkload>;
template class RankRunner<ProgramWorkload>;

}  // namespace allport
