// SPDX-License-Identifier: Apache-2.0
#include "testbench/monitors/source_queues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace allport {

namespace {

constexpr double least_share = 0.05;  // of the offered flits
constexpr double deviations = 3;      // of what piles up by chance

// Flits of what is there from `from` to `to` - 1 that wait during `half`, on average over its
// cycles.
double waiting(int flits, Cycle from, Cycle to, const MeasurementWindow& half) {
  if (half.cycles() == 0) return 0;
  return static_cast<double>(flits) * static_cast<double>(half.overlap(from, to)) /
         static_cast<double>(half.cycles());
}

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

SourceQueues::SourceQueues(const MeasurementWindow& window, std::size_t nodes)
    : window_(window),
      first_half_{window.from, window.from + window.cycles() / 2},
      second_half_{first_half_.to, window.to},
      queues_(nodes) {}

void SourceQueues::add(NodeId source, int flits, Cycle created, Cycle ended) {
  SourceQueue& queue = queues_[index(source)];
  const Cycle end = ended >= 0 ? ended : std::numeric_limits<Cycle>::max();
  queue.waiting_first += waiting(flits, created, end, first_half_);
  queue.waiting_second += waiting(flits, created, end, second_half_);
  if (!window_.contains(created)) return;
  ++queue.messages;
  queue.flits += flits;
}

SourceQueue SourceQueues::all() const {
  SourceQueue all;
  for (const SourceQueue& one : queues_) {
    all.messages += one.messages;
    all.flits += one.flits;
    all.waiting_first += one.waiting_first;
    all.waiting_second += one.waiting_second;
  }
  return all;
}

std::vector<NodeId> SourceQueues::growing() const {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].grows()) nodes.push_back(node_id(i));
  }
  return nodes;
}

Cycle SourceQueues::telling_cycles(const SourceQueue& queue) const {
  const double needed = queue.telling_messages();
  if (needed == 0) return 0;
  const double times = needed / static_cast<double>(queue.messages);
  return static_cast<Cycle>(std::ceil(times * static_cast<double>(window_.cycles())));
}

Cycle SourceQueues::telling_cycles_of_all() const { return telling_cycles(all()); }

Cycle SourceQueues::telling_cycles() const {
  Cycle longest = telling_cycles_of_all();
  for (const SourceQueue& queue : queues_) longest = std::max(longest, telling_cycles(queue));
  return longest;
}

LatencyDistribution distribution(std::vector<Cycle>& latencies) {
  if (latencies.empty()) return {};
  std::sort(latencies.begin(), latencies.end());
  const auto percentile = [&](std::size_t percent) {  // nearest rank
    return latencies[(latencies.size() * percent + 99) / 100 - 1];
  };
  // A long double adds whole numbers up without rounding, or overflow, as far as they count.
  const auto total = std::accumulate(latencies.begin(), latencies.end(), 0.0L);
  return {static_cast<double>(total) / static_cast<double>(latencies.size()), percentile(50),
          percentile(95), percentile(99), latencies.back()};
}

LatencyHistogram histogram(const std::vector<Cycle>& latencies) {
  LatencyHistogram counts;
  for (const Cycle latency : latencies) count_latency(counts, latency);
  return counts;
}

}  // namespace allport
