// SPDX-License-Identifier: Apache-2.0
// A Clock says how long a cycle of a run takes, where --clock or a machine preset tells.
#pragma once

#include <optional>

#include "testbench/plan/run_request.h"

namespace allport {

class Clock {
 public:
  explicit Clock(double cycle_ns) : cycle_ns_(cycle_ns) {}

  double cycle_ns() const { return cycle_ns_; }
  double microseconds(double cycles) const { return cycles * cycle_ns_ / 1000; }
  /// 10^9 bytes per second.
  double gigabytes_per_second(double bytes_per_cycle) const { return bytes_per_cycle / cycle_ns_; }

 private:
  double cycle_ns_;
};

/// The clock that `node` gives, or else that of its preset; none: cycles have no length in time.
inline std::optional<Clock> clock_of(const NodeRequest& node) {
  if (node.clock_ghz > 0) return Clock(1 / node.clock_ghz);
  if (node.preset != nullptr && node.preset->has_clock()) return Clock(*node.preset->cycle_ns);
  return std::nullopt;
}

}  // namespace allport
