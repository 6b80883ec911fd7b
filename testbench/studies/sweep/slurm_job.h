// SPDX-License-Identifier: Apache-2.0
// A SlurmJob is a job array that carries out points, as it is stored in the folder of the sweep
// (`slurm/`): for each task a file that lists its points, a script and a log, and the number of the
// job, so that a sweep that was killed finds its job again.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/studies/sweep/executor.h"
#include "testbench/studies/sweep/slurm.h"

namespace allport {

class SlurmJob {
 public:
  /// Submits `points`, `points_per_task` of them in a task.
  static SlurmJob submit(const PointsToRun& work, const std::vector<std::uint64_t>& points,
                         std::uint64_t points_per_task, const SlurmLimits& limits);
  /// The job that an earlier sweep left in the folder of `store`.
  static std::optional<SlurmJob> left_in(const ResultStore& store);

  const std::string& number() const { return number_; }
  std::uint64_t task_count() const { return task_count_; }
  std::uint64_t point_count() const { return point_count_; }
  /// The names of the points of a task.
  std::vector<std::string> names(std::uint64_t task) const;
  /// The last line that the task printed, for errors; usually empty.
  std::string last_words(std::uint64_t task) const;
  /// Forgets the job and removes everything of it from the folder.
  void forget() const;

 private:
  std::string folder_;
  std::string number_;
  std::uint64_t task_count_ = 0;
  std::uint64_t point_count_ = 0;
};

/// Called in a task of the array: carries out the points of `task`, one after another, except those
/// that are done. Throws as LocalExecutor does.
void run_task(const ResultStore& store, std::uint64_t task, const std::atomic<bool>* stop);

}  // namespace allport
