// SPDX-License-Identifier: Apache-2.0
#include "testbench/monitors/traffic_monitor.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace allport {

namespace {

LatencyDistribution distribution(std::vector<Cycle>& latencies) {
  if (latencies.empty()) return {};
  std::sort(latencies.begin(), latencies.end());
  const auto percentile = [&](std::size_t percent) {  // nearest rank
    return latencies[(latencies.size() * percent + 99) / 100 - 1];
  };
  const auto total = std::accumulate(latencies.begin(), latencies.end(), std::int64_t{0});
  return {static_cast<double>(total) / static_cast<double>(latencies.size()), percentile(50),
          percentile(95), percentile(99), latencies.back()};
}

// By powers of two.
LatencyHistogram histogram(const std::vector<Cycle>& latencies) {
  LatencyHistogram counts;
  for (const Cycle latency : latencies) count_latency(counts, latency);
  return counts;
}

// Flits of a message that wait during `half`, on average over its cycles.
double waiting(const TrafficMessage& message, const MeasurementWindow& half) {
  if (half.cycles() == 0) return 0;
  const Cycle end = message.injected >= 0 ? message.injected : std::numeric_limits<Cycle>::max();
  return static_cast<double>(message.flits) *
         static_cast<double>(half.overlap(message.created, end)) /
         static_cast<double>(half.cycles());
}

SourceQueue sum(const std::vector<SourceQueue>& queues) {
  SourceQueue all;
  for (const SourceQueue& one : queues) {
    all.messages += one.messages;
    all.flits += one.flits;
    all.waiting_first += one.waiting_first;
    all.waiting_second += one.waiting_second;
  }
  return all;
}

}  // namespace

namespace {

constexpr double least_share = 0.05;  // of the offered flits
constexpr double deviations = 3;      // of what piles up by chance

}  // namespace

double SourceQueue::telling_messages() const {
  if (messages == 0 || grows()) return 0;
  const double share = growth() / static_cast<double>(flits);
  return share > least_share ? std::pow(deviations / share, 2) : 0;
}

bool SourceQueue::grows() const {
  if (messages == 0) return false;
  const double by_chance = deviations / std::sqrt(static_cast<double>(messages));
  return growth() > std::max(least_share, by_chance) * static_cast<double>(flits);
}

TrafficMonitor::TrafficMonitor(const MeasurementWindow& window, const Routing& routing)
    : window_(window),
      first_half_{window.from, window.from + window.cycles() / 2},
      second_half_{first_half_.to, window.to},
      node_cycles_(static_cast<double>(window.cycles()) *
                   static_cast<double>(routing.topology().node_count())),
      channels_(routing),
      queues_(routing.topology().node_count()) {}

void TrafficMonitor::add(const TrafficMessage& message) {
  SourceQueue& queue = queues_[index(message.source)];
  queue.waiting_first += waiting(message, first_half_);
  queue.waiting_second += waiting(message, second_half_);
  const bool has_arrived = message.tail >= 0;
  if (has_arrived) count_ejected(message);
  if (!window_.contains(message.created)) return;
  ++queue.messages;
  queue.flits += message.flits;
  if (!has_arrived) return;
  latencies_.push_back(message.received - message.created);
  network_latencies_.push_back(message.received - message.injected);
}

void TrafficMonitor::count_ejected(const TrafficMessage& message) {
  const std::int64_t flits = window_.flits_ejected(message.head, message.tail, message.flits);
  if (flits == 0) return;
  ejected_flits_ += flits;
  if (message.route != nullptr) {
    channels_.add(*message.route, flits);
  } else {
    channels_.add(message.source, message.destination, flits);
  }
}

// The window in which the slowest of the queues that may grow would have enough messages.
Cycle TrafficMonitor::telling_cycles(const SourceQueue& all) const {
  double longest = 0;
  const auto add = [&](const SourceQueue& queue) {
    const double needed = queue.telling_messages();
    if (needed > 0) longest = std::max(longest, needed / static_cast<double>(queue.messages));
  };
  add(all);
  for (const SourceQueue& queue : queues_) add(queue);
  return static_cast<Cycle>(std::ceil(longest * static_cast<double>(window_.cycles())));
}

TrafficResults TrafficMonitor::results() {
  const SourceQueue all = sum(queues_);
  TrafficResults results;
  results.offered = static_cast<double>(all.flits) / node_cycles_;
  results.accepted = static_cast<double>(ejected_flits_) / node_cycles_;
  results.queue_growth = all.growth() / node_cycles_;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].grows()) results.growing_sources.push_back(node_id(i));
  }
  results.saturated = !results.growing_sources.empty() || all.grows();
  if (!results.saturated) results.telling_cycles = telling_cycles(all);
  results.latency_histogram = histogram(latencies_);
  results.latency = distribution(latencies_);
  results.network_latency = distribution(network_latencies_);
  results.channel_load = channels_.load(window_.cycles());
  return results;
}

}  // namespace allport
