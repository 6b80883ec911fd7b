// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/load_monitor.h"

#include <algorithm>

namespace allport {

LoadMonitor::LoadMonitor(const MeasurementWindow& window, std::size_t sources, std::size_t nodes)
    : window_(window),
      sources_(static_cast<double>(sources)),
      nodes_(static_cast<double>(nodes)),
      queues_(window, nodes) {}

void LoadMonitor::end_at(Cycle to) {
  window_.to = to;
  queues_ = SourceQueues(window_, static_cast<std::size_t>(nodes_));
}

void LoadMonitor::add(NodeId source, Cycle start, const std::vector<Cycle>& received) {
  const bool is_finished = std::find(received.begin(), received.end(), -1) == received.end();
  const Cycle end = received.empty() ? start : *std::max_element(received.begin(), received.end());
  const Cycle completed = is_finished ? end : -1;
  queues_.offer(source, 1, start);
  spans_.push_back({source, start, completed});
  if (is_finished) shortest_ = std::min(shortest_, completed - start);
  under_way_ += window_.overlap(start, is_finished ? completed : window_.to);
  if (is_finished && window_.contains(completed)) ++completed_;
  if (!window_.contains(start)) return;
  ++collectives_;
  for (const Cycle one : received) {
    if (one >= 0) latencies_.push_back(one - start);
  }
  if (is_finished) {
    completions_.push_back(completed - start);
  } else {
    ++unfinished_;
  }
}

void LoadMonitor::add_ejected(Cycle head, Cycle tail, int flits) {
  ejected_flits_ += window_.flits_ejected(head, tail, flits);
}

LoadResults LoadMonitor::results() {
  const auto cycles = static_cast<double>(window_.cycles());
  // What every collective needs is no queue: it is there from the first one on.
  if (completions_.empty()) shortest_ = 0;
  for (const Span& one : spans_) queues_.wait(one.source, 1, one.start + shortest_, one.completed);
  spans_.clear();
  const SourceQueue all = queues_.all();
  LoadResults results;
  results.collectives = collectives_;
  results.unfinished = unfinished_;
  results.offered = static_cast<double>(collectives_) / (sources_ * cycles);
  results.accepted = static_cast<double>(completed_) / (sources_ * cycles);
  results.accepted_flits = static_cast<double>(ejected_flits_) / (nodes_ * cycles);
  results.under_way = static_cast<double>(under_way_) / cycles;
  results.growth = all.growth() / (sources_ * cycles);
  results.growing_sources = queues_.growing();
  results.saturated = !results.growing_sources.empty() || all.grows();
  // A source starts few collectives, of which one more or less at the end is no growth.
  if (!results.saturated) results.telling_cycles = queues_.telling_cycles_of_all();
  results.latency_histogram = histogram(latencies_);
  results.latency = distribution(latencies_);
  results.completion = distribution(completions_);
  return results;
}

}  // namespace allport
