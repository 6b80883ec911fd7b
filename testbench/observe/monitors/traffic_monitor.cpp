// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/traffic_monitor.h"

#include <algorithm>

namespace allport {

TrafficMonitor::TrafficMonitor(const MeasurementWindow& window, std::size_t nodes,
                               const ProcessorLoad& processors)
    : window_(window),
      node_cycles_(static_cast<double>(window.cycles()) * static_cast<double>(nodes)),
      processors_(processors),
      queues_(window, nodes) {}

void TrafficMonitor::add(const TrafficMessage& message) {
  queues_.offer(message.source, message.flits, message.created);
  queues_.wait(message.source, message.flits, message.ready, message.injected);
  if (!processors_.is_all) {
    queues_.wait(message.source, message.flits, message.created, message.begun);
  }
  const bool has_arrived = message.tail >= 0;
  if (has_arrived) {
    ejected_flits_ += window_.flits_ejected(message.head, message.tail, message.flits);
  }
  if (!has_arrived || !window_.contains(message.created)) return;
  latencies_.push_back(message.received - message.created);
  network_latencies_.push_back(message.received - message.injected);
}

TrafficResults TrafficMonitor::results() {
  const SourceQueue all = queues_.all();
  TrafficResults results;
  results.offered = all.flits / node_cycles_;
  results.accepted = static_cast<double>(ejected_flits_) / node_cycles_;
  results.queue_growth = all.growth() / node_cycles_;
  results.growing_sources = queues_.growing();
  results.processor_load = processors_.least;
  if (processors_.least > 1) {
    const double left = results.offered * (1 - 1 / processors_.least);
    results.queue_growth = std::max(results.queue_growth, left);
  }
  results.saturated = !results.growing_sources.empty() || all.grows() || results.processor_load > 1;
  if (!results.saturated) results.telling_cycles = queues_.telling_cycles();
  results.latency_histogram = histogram(latencies_);
  results.latency = distribution(latencies_);
  results.network_latency = distribution(network_latencies_);
  return results;
}

}  // namespace allport
