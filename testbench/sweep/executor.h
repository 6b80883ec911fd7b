// SPDX-License-Identifier: Apache-2.0
// What carries out the points of a sweep, on this machine or on a cluster, has in common.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/sweep/point.h"
#include "testbench/sweep/result_store.h"

namespace allport {

/// Points to be done, and how to look on.
struct Work {
  const ResultStore& store;
  std::vector<std::uint64_t> points;  ///< not done yet, no two of the same name
  PointAt point_at;
  const std::atomic<bool>* stop;  ///< give up when this is set
  /// Told how many are done and, in words, what goes on.
  std::function<void(std::uint64_t done, const std::string& detail)> progress;
  std::function<void(const std::string& sentence)> notice;  ///< what the user should know
};

/// The sweep was asked to stop; what is done is kept.
class SweepStopped : public std::runtime_error {
 public:
  SweepStopped() : std::runtime_error("stopped") {}
};

}  // namespace allport
