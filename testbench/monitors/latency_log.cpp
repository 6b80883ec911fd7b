// SPDX-License-Identifier: Apache-2.0
#include "testbench/monitors/latency_log.h"

#include <algorithm>
#include <numeric>

namespace allport {

void LatencyLog::begin_trial(std::size_t nodes, std::size_t collectives) {
  nodes_ = nodes;
  starts_.assign(collectives, 0);
  received_.assign(collectives * nodes, -1);
}

void LatencyLog::start(int collective, const std::vector<NodeId>& sources, Cycle now) {
  starts_[static_cast<std::size_t>(collective)] = now;
  for (const NodeId source : sources) receive(collective, source, now);
}

bool LatencyLog::receive(int collective, NodeId node, Cycle now) {
  Cycle& received = received_[static_cast<std::size_t>(collective) * nodes_ + index(node)];
  if (received >= 0) return false;
  received = now;
  return true;
}

void LatencyLog::end_trial(const std::vector<PlannedCollective>& collectives, Results& results) {
  std::vector<Cycle> by_node(nodes_, -1);
  LatencySummary summary;
  double sum = 0;
  std::size_t count = 0;
  Cycle last = 0;
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    for (const NodeId node : collectives[i].destinations) {
      const Cycle received = received_[i * nodes_ + index(node)];
      if (received < 0) {
        ++results.missing;
        continue;
      }
      const Cycle latency = received - starts_[i];
      by_node[index(node)] = std::max(by_node[index(node)], latency);
      summary.max = std::max(summary.max, latency);
      last = std::max(last, received);
      sum += static_cast<double>(latency);
      ++count;
    }
  }
  summary.mean = count > 0 ? sum / static_cast<double>(count) : 0;
  results.trials.push_back(summary);
  results.cycles += last;
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
}

void LatencyLog::summarize_traffic(const MessageLog& log, const TrafficMeasurement& measured,
                                   Results& results) {
  std::sort(messages_.begin(), messages_.end());
  const auto percentile = [&](std::size_t percent) {  // nearest rank
    if (messages_.empty()) return Cycle{0};
    return messages_[(messages_.size() * percent + 99) / 100 - 1];
  };
  std::size_t late_messages = 0;  // started in the second half
  for (std::size_t i = 0; i < log.size(); ++i) {
    if (log[static_cast<MessageId>(i)].created >= measured.cycles / 2) ++late_messages;
  }
  TrafficResults traffic;
  const double slots = static_cast<double>(measured.nodes) * static_cast<double>(measured.cycles);
  const auto flits = static_cast<double>(measured.flits);
  traffic.offered = static_cast<double>(log.size()) * flits / slots;
  traffic.accepted = static_cast<double>(measured.ejected) / slots;
  const double total = std::accumulate(messages_.begin(), messages_.end(), 0.0);
  traffic.mean = messages_.empty() ? 0 : total / static_cast<double>(messages_.size());
  traffic.p50 = percentile(50);
  traffic.p95 = percentile(95);
  traffic.p99 = percentile(99);
  traffic.max = messages_.empty() ? 0 : messages_.back();
  const double late_offered = static_cast<double>(late_messages) * flits;
  const auto late_accepted = static_cast<double>(measured.ejected - measured.ejected_first_half);
  traffic.saturated = !results.was_interrupted && late_accepted < 0.95 * late_offered;
  results.traffic = traffic;
  results.latency = {traffic.max, traffic.mean};
}

}  // namespace allport
