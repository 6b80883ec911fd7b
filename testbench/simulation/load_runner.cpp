// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/load_runner.h"

#include <algorithm>

#include "testbench/plan/requirements.h"
#include "testbench/simulation/program_table.h"
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

void LoadRunner::on_delivered(const MessageExtension& extension) {
  if (planned(extension.collective).is_background) return;
  monitor_->add_ejected(extension.head, extension.tail, core_.log[extension.id].flits);
}

// Every collective starts in its own cycle; the trial ends when all are over.
void LoadRunner::run_trial(const std::vector<PlannedCollective>& collectives) {
  const SimulationConfig& config = core_.config;
  const ProgramTable programs =
      make_programs(collectives, core_.routing, config.jitter, config.seed, 0);
  load(programs, collectives);
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    const PlannedCollective& one = collectives[i];
    const bool is_whole = one.goal == nullptr && !one.has_joins();
    latencies_.start(static_cast<int>(i), is_whole ? one.sources : std::vector<NodeId>{},
                     one.start);
    if (!one.is_background) {
      core_.results.steps = std::max(core_.results.steps, one.schedule.steps());
    }
  }
  schedule_.arm(starts_of(collectives, core_.nodes()),
                [this](NodeId node, int collective) -> tlm::tlm_generic_payload& {
                  return message_at_start(node, collective);
                });
  for (std::size_t i = 0; i < core_.nodes(); ++i) core_.machine().call(node_id(i));
  core_.run_kernel(0);
  core_.end_trial(0, true);
}

LoadResults LoadRunner::measure(const MeasurementWindow& window) {
  monitor_->end_at(window.to);
  std::vector<Cycle> received;
  for (std::size_t i = 0; i < collectives()->size(); ++i) {
    const PlannedCollective& one = (*collectives())[i];
    if (one.is_background) continue;
    received.clear();
    for (const NodeId node : one.destinations) {
      received.push_back(latencies_.received(static_cast<int>(i), node));
    }
    core_.results.destinations += received.size();
    const auto missing = std::count(received.begin(), received.end(), -1);
    core_.results.missing += static_cast<std::size_t>(missing);
    monitor_->add(one.sources.front(), one.start, received);
  }
  return monitor_->results();
}

Results LoadRunner::run(const Work& given) {
  const auto& work = std::get<LoadWork>(given);
  require_trials(work.trials, 0, core_.config, core_.routing.topology());
  const std::vector<PlannedCollective>& collectives = work.trials.front();
  const CollectiveLoad& load = work.load;
  require_runnable(collectives);
  core_.begin_single_trial(load.cycles);
  latencies_ = LatencyLog{};
  MeasurementWindow window;
  const std::size_t first = first_background(collectives);
  const bool has_background = first < collectives.size();
  if (has_background) meter_.count({{load.warmup, load.cycles}, static_cast<int>(first)});
  Results& results = core_.results;
  results.wall_seconds = timed([&] {
    reset(collectives);
    monitor_.emplace(MeasurementWindow{load.warmup, load.cycles}, work.sources, core_.nodes());
    run_trial(collectives);
    results.cycles = cycles();
    window = meter_.window(load.warmup, load.cycles);
    if (!core_.explainer) return;
    core_.explainer->explain_pattern(window, results.cycles);
    results.explanation = core_.explainer->result();
  });
  results.load = measure(window);
  if (has_background) results.traffic = meter_.measure(window, {}, first);
  results.latency = {results.load->latency.max, results.load->latency.mean};
  return core_.finish();
}

}  // namespace allport
