// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/latency_log.h"

#include <algorithm>

namespace allport {

void LatencyLog::begin_trial(std::size_t nodes, std::size_t collectives, PairPlaces places) {
  nodes_ = nodes;
  starts_.assign(collectives, 0);
  received_ = {nodes, collectives, places, -1};
  last_ = 0;
}

void LatencyLog::start(int collective, const std::vector<NodeId>& sources, Cycle now) {
  starts_[static_cast<std::size_t>(collective)] = now;
  for (const NodeId source : sources) note(collective, source, now);
}

// The cycle of a reception counts even if the node has the message already.
bool LatencyLog::receive(int collective, NodeId node, Cycle now) {
  receive(now);
  return note(collective, node, now);
}

bool LatencyLog::note(int collective, NodeId node, Cycle now) {
  Cycle& received = received_.at(node, static_cast<std::size_t>(collective));
  if (received >= 0) return false;
  received = now;
  return true;
}

void LatencyLog::end_trial(const std::vector<PlannedCollective>& collectives, Results& results) {
  std::vector<Cycle> by_node(nodes_, -1);
  LatencySummary summary;
  double sum = 0;
  std::size_t count = 0;
  sums_.resize(std::max(sums_.size(), collectives.size()));
  results.by_collective.resize(sums_.size());
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    CollectiveLatency& of_one = results.by_collective[i];
    of_one.destinations += collectives[i].destinations.size();
    results.destinations += collectives[i].destinations.size();
    for (const NodeId node : collectives[i].destinations) {
      const Cycle received = received_.of(node, i);
      if (received < 0) {
        ++results.missing;
        ++of_one.missing;
        continue;
      }
      const Cycle latency = received - starts_[i];
      by_node[index(node)] = std::max(by_node[index(node)], latency);
      summary.max = std::max(summary.max, latency);
      of_one.latency.max = std::max(of_one.latency.max, latency);
      sums_[i] += static_cast<double>(latency);
      count_latency(results.latency_histogram, latency);
      sum += static_cast<double>(latency);
      ++count;
    }
  }
  summary.mean = count > 0 ? sum / static_cast<double>(count) : 0;
  results.trials.push_back(summary);
  results.cycles += results.deadlock ? std::max(last_, results.deadlock->cycle) : last_;
  results.by_destination.clear();
  for (std::size_t node = 0; node < nodes_; ++node) {
    if (by_node[node] >= 0) results.by_destination.push_back({node_id(node), by_node[node]});
  }
  sum_ += sum;
  count_ += count;
  max_ = std::max(max_, summary.max);
}

void LatencyLog::summarize(Results& results) const {
  results.latency = {max_, count_ > 0 ? sum_ / static_cast<double>(count_) : 0};
  for (std::size_t i = 0; i < results.by_collective.size(); ++i) {
    CollectiveLatency& one = results.by_collective[i];
    const std::size_t received = one.destinations - one.missing;
    one.latency.mean = received > 0 ? sums_[i] / static_cast<double>(received) : 0;
  }
}

}  // namespace allport
