// SPDX-License-Identifier: Apache-2.0
// An executor carries out the points of a sweep, on this machine or on a cluster. The command sweep
// (testbench/program/commands/sweep.cpp) takes the one that is named.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/studies/sweep/point.h"
#include "testbench/studies/sweep/result_store.h"

namespace allport {

/// The points to be carried out, and the callbacks that follow the work.
struct PointsToRun {
  const ResultStore& store;
  std::vector<std::uint64_t> points;  ///< points that are not done yet, no two of the same name
  PointAt point_at;
  const std::atomic<bool>* stop;  ///< set when the work must be given up
  /// Called with the number of points done and, in words, what is going on.
  std::function<void(std::uint64_t done, const std::string& detail)> progress;
  std::function<void(const std::string& sentence)>
      notice;  ///< called with what the user should know
};

class Executor {
 public:
  virtual ~Executor() = default;

  /// Carries `work` out and stores each result as it comes; a point that cannot be carried out is
  /// stored as failed. Throws SweepStopped when the work was given up, or std::runtime_error, one
  /// sentence, when it cannot go on; what is stored is kept.
  virtual void run(const PointsToRun& work) = 0;
};

/// The sweep was asked to stop; what is done is kept.
class SweepStopped : public std::runtime_error {
 public:
  SweepStopped() : std::runtime_error("stopped") {}
};

}  // namespace allport
