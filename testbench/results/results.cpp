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

std::size_t CombineResults::distinct_results() const {
  return std::set<std::uint64_t>(checksums.begin(), checksums.end()).size();
}

}  // namespace allport
