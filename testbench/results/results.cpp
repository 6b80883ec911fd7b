// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/results.h"

#include <set>

namespace allport {

void count_latency(LatencyHistogram& histogram, Cycle latency) {
  const auto bucket = static_cast<std::size_t>(
      latency < 2 ? 0 : 63 - __builtin_clzll(static_cast<unsigned long long>(latency)));
  if (bucket >= histogram.size()) histogram.resize(bucket + 1, 0);
  ++histogram[bucket];
}

bool is_at_input(const std::string& waits_for) {
  return waits_for == "buffer" || waits_for == "join";
}

namespace {

std::uint64_t sum_of(const std::vector<ChannelErrors>& channels,
                     std::uint64_t ChannelErrors::*counted) {
  std::uint64_t sum = 0;
  for (const ChannelErrors& one : channels) sum += one.*counted;
  return sum;
}

}  // namespace

std::uint64_t LinkErrorResults::errors() const { return sum_of(channels, &ChannelErrors::errors); }
std::uint64_t LinkErrorResults::replays() const {
  return sum_of(channels, &ChannelErrors::replays);
}
std::uint64_t LinkErrorResults::discarded() const {
  return sum_of(channels, &ChannelErrors::discarded);
}

std::size_t CombineResults::distinct_results() const {
  return std::set<std::uint64_t>(checksums.begin(), checksums.end()).size();
}

}  // namespace allport
