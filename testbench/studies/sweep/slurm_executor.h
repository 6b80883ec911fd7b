// SPDX-License-Identifier: Apache-2.0
// This executor carries out points as job arrays on Slurm. The tasks store their results
// themselves, in the folder of the sweep, which all machines must see under the same path; this
// process watches, and submits again what is missing when a job is over.
#pragma once

#include <cstdint>
#include <utility>

#include "testbench/studies/sweep/executor.h"
#include "testbench/studies/sweep/slurm_job.h"

namespace allport {

struct SlurmOptions {
  SlurmLimits limits;
  std::uint64_t points_per_task =
      0;  ///< points in a task; 0: enough to keep Slurm's limit of tasks
};

class SlurmExecutor final : public Executor {
 public:
  explicit SlurmExecutor(SlurmOptions options) : options_(std::move(options)) {}

  /// First waits for a job that an earlier sweep left. A point whose task ended without a result is
  /// submitted again, in a task of its own; after three jobs that brought nothing new it is stored
  /// as failed. If the work is given up, the job is cancelled; std::runtime_error is thrown when
  /// Slurm refuses or does not answer any more.
  void run(const PointsToRun& work) override;

 private:
  SlurmOptions options_;
};

}  // namespace allport
