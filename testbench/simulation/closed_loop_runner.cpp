// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/closed_loop_runner.h"

#include <vector>

#include "testbench/observe/monitors/source_queues.h"

namespace allport {

Results ClosedLoopRunner::run(const Work& work) {
  const TrafficRequest request = meter_.settled(std::get<ClosedLoopWork>(work).traffic);
  const MeasurementWindow window = meter_.run(request, [this](const SyntheticTraffic& traffic) {
    if (core_.explainer && core_.config.reception_limit > 0) {
      Movement& movement = core_.explainer->movement();
      movement.limit_reception(core_.config.reception_limit);
      takes_.note_in(movement);
    }
    takes_.reset();
    loop_.start(traffic, core_.config.jitter);
    for (std::size_t i = 0; i < core_.nodes(); ++i) core_.machine().call(node_id(i));
  });
  Results& results = core_.results;
  results.closed_loop = measure(window);
  results.traffic = meter_.measure(window, {});
  // Nodes wait for replies, so that nothing is offered without end.
  results.traffic->saturated = false;
  results.traffic->telling_cycles = 0;
  results.latency = {results.traffic->latency.max, results.traffic->latency.mean};
  return core_.finish();
}

ClosedLoopResults ClosedLoopRunner::measure(const MeasurementWindow& window) const {
  ClosedLoopResults results;
  results.requests = loop_.made_in(window.from, window.to);
  std::vector<Cycle> round_trips;
  for (const ClosedLoopWorkload::RoundTrip& one : loop_.round_trips()) {
    if (window.contains(one.made)) round_trips.push_back(one.replied - one.made);
  }
  results.unanswered = results.requests - round_trips.size();
  const double node_cycles =
      static_cast<double>(window.cycles()) * static_cast<double>(core_.nodes());
  results.throughput = static_cast<double>(results.requests) / node_cycles;
  results.round_trip_histogram = histogram(round_trips);
  results.round_trip = distribution(round_trips);
  return results;
}

}  // namespace allport
