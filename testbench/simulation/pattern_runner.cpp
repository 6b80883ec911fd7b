// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/pattern_runner.h"

#include "testbench/simulation/stopwatch.h"

namespace allport {

void start_pattern(RunCore& core, PatternWorkload& pattern, const SyntheticTraffic& traffic) {
  for (std::size_t i = 0; i < core.nodes(); ++i) {
    pattern.start(node_id(i), MessageSource(traffic, node_id(i)), node_seed(core.config.seed, 0, i),
                  core.config.jitter);
    core.machine().call(node_id(i));
  }
}

Results PatternRunner::run(const Work& work) {
  const TrafficRequest request = meter_.settled(std::get<PatternWork>(work).traffic);
  const SyntheticTraffic traffic(request, core_.routing.topology(), core_.watch.stop_flag());
  core_.begin_single_trial(request.cycles);
  MeasurementWindow window;
  meter_.count({{request.warmup, request.cycles}});
  Results& results = core_.results;
  results.wall_seconds = timed([&] {
    core_.reset();
    start_pattern(core_, pattern_, traffic);
    core_.run_kernel(0);
    if (traffic.is_stopped()) results.was_interrupted = true;  // messages were kept from starting
    core_.end_trial(0, true);
    results.cycles = core_.end_of(core_.machine().last_movement() + 1 + core_.config.tr);
    window = meter_.window(request.warmup, request.cycles);
    if (!core_.explainer) return;
    core_.explainer->explain_pattern(window, results.cycles);
    results.explanation = core_.explainer->result();
  });
  results.traffic = meter_.measure(window, meter_.processor_load(request));
  results.latency = {results.traffic->latency.max, results.traffic->latency.mean};
  return core_.finish();
}

}  // namespace allport
