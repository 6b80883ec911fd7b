// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/pattern_runner.h"

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
  const MeasurementWindow window = meter_.run(request, [this](const SyntheticTraffic& traffic) {
    start_pattern(core_, pattern_, traffic);
  });
  Results& results = core_.results;
  results.traffic = meter_.measure(window, meter_.processor_load(request));
  results.latency = {results.traffic->latency.max, results.traffic->latency.mean};
  return core_.finish();
}

}  // namespace allport
