// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbench/plan/requirements.h"
#include "testbench/simulation/contribution.h"
#include "testbench/simulation/simulation_implementation.h"
#include "testbench/simulation/stopwatch.h"

namespace allport {

namespace {

// The collectives of the background follow all others.
std::size_t first_background(const std::vector<PlannedCollective>& collectives) {
  const auto first = std::find_if(collectives.begin(), collectives.end(),
                                  [](const PlannedCollective& one) { return one.is_background; });
  return static_cast<std::size_t>(first - collectives.begin());
}

using TimedStart = ScheduleWorkload::TimedStart;

// Who starts what: of blocks every node takes part from the start on.
std::vector<TimedStart> starts_of(const std::vector<PlannedCollective>& collectives,
                                  std::size_t nodes) {
  std::vector<TimedStart> starts;
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const PlannedCollective& one = collectives[i];
    const auto add = [&](NodeId node) { starts.push_back({one.start, node, static_cast<int>(i)}); };
    if (one.goal != nullptr) {
      for (std::size_t node = 0; node < nodes; ++node) add(node_id(node));
    } else {
      for (const NodeId source : one.sources) add(source);
    }
  }
  std::stable_sort(starts.begin(), starts.end(),
                   [](const TimedStart& a, const TimedStart& b) { return a.cycle < b.cycle; });
  return starts;
}

}  // namespace

bool Simulation::Implementation::is_background(int collective) const {
  return (*collectives_)[static_cast<std::size_t>(collective)].is_background;
}

tlm::tlm_generic_payload& Simulation::Implementation::message_at_start(NodeId node,
                                                                       int collective) {
  const PlannedCollective& planned = (*collectives_)[static_cast<std::size_t>(collective)];
  if (!planned.has_joins()) return whole_message(collective);
  return contribution(collective, node, joins_floats(planned.schedule));
}

// Every collective starts in its own cycle; the trial ends when all are over.
void Simulation::Implementation::run_load_trial(const std::vector<PlannedCollective>& collectives) {
  const ProgramTable programs = make_programs(collectives, routing, config.jitter, config.seed, 0);
  load(programs, collectives);
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const PlannedCollective& one = collectives[i];
    const bool is_whole = one.goal == nullptr && !one.has_joins();
    latencies_.start(static_cast<int>(i), is_whole ? one.sources : std::vector<NodeId>{},
                     one.start);
    if (!one.is_background) results_.steps = std::max(results_.steps, one.schedule.steps());
  }
  schedule_.arm(starts_of(collectives, routing.topology().node_count()),
                [this](NodeId node, int collective) -> tlm::tlm_generic_payload& {
                  return message_at_start(node, collective);
                });
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) machine_->call(node_id(i));
  run_kernel(0);
  end_trial(0);
}

LoadResults Simulation::Implementation::measure_load(const MeasurementWindow& window) {
  load_monitor_->end_at(window.to);
  std::vector<Cycle> received;
  for (std::size_t i = 0; i < collectives_->size(); ++i) {
    const PlannedCollective& one = (*collectives_)[i];
    if (one.is_background) continue;
    received.clear();
    for (const NodeId node : one.destinations) {
      received.push_back(latencies_.received(static_cast<int>(i), node));
    }
    results_.destinations += received.size();
    const auto missing = std::count(received.begin(), received.end(), -1);
    results_.missing += static_cast<std::size_t>(missing);
    load_monitor_->add(one.sources.front(), one.start, received);
  }
  return load_monitor_->results();
}

Results Simulation::Implementation::run(const LoadWork& work) {
  require_trials(work.trials, 0, config, routing.topology());
  const std::vector<PlannedCollective>& collectives = work.trials.front();
  const CollectiveLoad& load = work.load;
  require_runnable(collectives);
  begin_single_trial(load.cycles);
  latencies_ = LatencyLog{};
  MeasurementWindow window;
  const std::size_t first = first_background(collectives);
  const bool has_background = first < collectives.size();
  if (has_background) {
    count_crossings({{load.warmup, load.cycles}, static_cast<int>(first)});
  }
  results_.wall_seconds = timed([&] {
    reset();
    collectives_ = &collectives;
    load_monitor_.emplace(MeasurementWindow{load.warmup, load.cycles}, work.sources,
                          routing.topology().node_count());
    run_load_trial(collectives);
    results_.cycles = cycles_of_trial();
    window = window_of(load.warmup, load.cycles);
    if (!explainer_) return;
    explainer_->explain_pattern(window, results_.cycles);
    results_.explanation = explainer_->result();
  });
  results_.startup_seconds = startup_seconds;
  results_.load = measure_load(window);
  if (has_background) results_.traffic = measure(window, {}, first);
  results_.latency = {results_.load->latency.max, results_.load->latency.mean};
  return results_;
}

}  // namespace allport
