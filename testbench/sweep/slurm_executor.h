// SPDX-License-Identifier: Apache-2.0
// Carries out points as job arrays on Slurm. The tasks store their results themselves, in the
// folder of the sweep, which all machines must see under the same path; this process watches, and
// submits again what is missing when a job is over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testbench/sweep/executor.h"
#include "testbench/sweep/slurm_job.h"

namespace allport {

struct SlurmOptions {
  SlurmLimits limits;
  std::uint64_t points_per_task =
      0;  ///< points in a task; 0: enough to keep Slurm's limit of tasks
};

class SlurmExecutor {
 public:
  SlurmExecutor(const Work& work, SlurmOptions options);

  /// First waits for a job that an earlier sweep left. A point whose task ended without a result is
  /// submitted again, in a task of its own; after three jobs that brought nothing new it is stored
  /// as failed. Throws SweepStopped, the job cancelled, or std::runtime_error when Slurm refuses or
  /// does not answer any more; what is stored is kept.
  void run();

 private:
  std::vector<std::uint64_t> missing() const;
  std::uint64_t points_per_task(std::size_t points, bool is_first) const;
  void follow(const SlurmJob& job);
  bool look_at(const SlurmJob& job);  // returns whether it is over
  void count_results(const SlurmJob& job, std::uint64_t task);
  void tell_reason(const SlurmJob& job, const SlurmTask& task);
  void note_ends(const SlurmJob& job);
  void cancel(const SlurmJob& job);
  void store_failures(const std::vector<std::uint64_t>& points);

  const Work& work_;
  SlurmOptions options_;
  std::vector<std::string> names_;  // names of the points
  // The current job:
  SlurmTasks tasks_;  // as last seen
  std::map<std::uint64_t, std::vector<std::string>>
      open_;                 // by task that has begun: its points without a result
  std::uint64_t found_ = 0;  // number of results found
  // All jobs:
  std::uint64_t done_ = 0;                   // points done before the current job
  std::map<std::string, std::string> ends_;  // how the last task of each point ended
  std::string reason_;                       // the last reason that was reported
  int unanswered_ = 0;                       // queries in a row without an answer
};

}  // namespace allport
