// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/source_queues.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace allport {

namespace {

constexpr double least_share = 0.05;  // of the offered flits
constexpr double deviations = 3;      // of what piles up by chance
// By as many deviations of its own a queue grows on average that is offered all it can send.
constexpr double full_load = 0.65;
constexpr double longest_run = 1e12;  // cycles

// Flits by which the length of a queue deviates after all that was offered to it.
double deviation(const SourceQueue& queue) { return std::sqrt(queue.squares); }

}  // namespace

bool SourceQueue::may_grow() const { return share() > least_share; }

bool SourceQueue::goes_on() const {
  return waiting[3] - waiting[2] >= (waiting[1] - waiting[0]) / 3 && waiting[3] > waiting[2];
}

double SourceQueue::telling_times() const {
  if (!may_grow() || grows()) return 0;
  return std::max(std::pow(chance / growth(), 2), share() / least_share);
}

SourceQueues::SourceQueues(const MeasurementWindow& window, std::size_t nodes)
    : window_(window), queues_(nodes) {}

MeasurementWindow SourceQueues::quarter(std::size_t number) const {
  const auto begin = [this](std::size_t place) {
    return window_.from + window_.cycles() * static_cast<Cycle>(place) / 4;
  };
  return {begin(number), begin(number + 1)};
}

void SourceQueues::offer(NodeId source, int flits, Cycle created) {
  if (!window_.contains(created)) return;
  SourceQueue& queue = queues_[index(source)];
  ++queue.messages;
  queue.flits += flits;
  queue.squares += static_cast<double>(flits) * flits;
}

// Whole numbers, so that the sums do not depend on the order.
void SourceQueues::wait(NodeId source, int flits, Cycle from, Cycle to) {
  const Cycle end = to >= 0 ? to : std::numeric_limits<Cycle>::max();
  if (end <= from || from >= window_.to) return;
  SourceQueue& queue = queues_[index(source)];
  for (std::size_t i = 0; i < queue.waiting.size(); ++i) {
    const auto cycles = static_cast<double>(quarter(i).overlap(from, end));
    queue.waiting[i] += cycles * flits;
  }
}

SourceQueue SourceQueues::averaged(SourceQueue queue) const {
  for (std::size_t i = 0; i < queue.waiting.size(); ++i) {
    queue.waiting[i] /= static_cast<double>(std::max<Cycle>(quarter(i).cycles(), 1));
  }
  return queue;
}

// One of many queues goes beyond three deviations by chance, so it takes more of them.
SourceQueue SourceQueues::of(std::size_t node) const {
  SourceQueue queue = averaged(queues_[node]);
  const double many = 2 * std::log(static_cast<double>(queues_.size()));
  queue.chance = std::sqrt(deviations * deviations + many) * deviation(queue);
  return queue;
}

SourceQueue SourceQueues::all() const {
  SourceQueue all;
  double filling = 0;
  for (const SourceQueue& one : queues_) {
    all.messages += one.messages;
    all.flits += one.flits;
    all.squares += one.squares;
    for (std::size_t i = 0; i < all.waiting.size(); ++i) all.waiting[i] += one.waiting[i];
    filling += full_load * deviation(one);
  }
  all = averaged(all);
  all.chance = filling + deviations * deviation(all);
  return all;
}

std::vector<NodeId> SourceQueues::growing() const {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (of(i).grows()) nodes.push_back(node_id(i));
  }
  return nodes;
}

Cycle SourceQueues::cycles_of(double times) const {
  if (times == 0) return 0;
  const auto window = static_cast<double>(window_.cycles());
  const double cycles = static_cast<double>(window_.from) + std::ceil(times * window * 1.1);
  return static_cast<Cycle>(std::min(cycles, longest_run));
}

Cycle SourceQueues::telling_cycles_of_all() const { return cycles_of(all().telling_times()); }

Cycle SourceQueues::telling_cycles() const {
  double times = all().telling_times();
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const SourceQueue queue = of(i);
    if (queue.goes_on()) times = std::max(times, queue.telling_times());
  }
  return cycles_of(times);
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
