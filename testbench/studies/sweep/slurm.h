// SPDX-License-Identifier: Apache-2.0
// These functions call Slurm through its own programs: sbatch, squeue, scancel, scontrol, sinfo. No
// accounting (slurmdbd) is needed. The functions throw std::runtime_error with one sentence when
// Slurm is not available or refuses.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace allport {

/// The limits of a task of a job array; empty or 0: Slurm's default.
struct SlurmLimits {
  std::string partition;
  std::string time;               ///< time of a task, as sbatch takes it: minutes, H:M:S, D-H:M:S
  std::string memory;             ///< memory of a task, as sbatch takes it: 2000M, 4G
  std::uint64_t array_width = 0;  ///< largest number of tasks at the same time
};

struct SlurmTask {
  std::string state;   ///< PENDING, RUNNING, COMPLETING, COMPLETED, NODE_FAIL ..
  std::string reason;  ///< why it waits, or ended

  /// Whether its processes are gone or being killed; a node that died may stay at COMPLETING for
  /// long.
  bool has_ended() const;
};

/// The tasks by their number in the array.
using SlurmTasks = std::map<std::uint64_t, SlurmTask>;

/// The largest number of tasks that an array may have.
std::uint64_t max_array_tasks();

/// Submits tasks 0 .. tasks-1 of `script`, an absolute path, and returns the number of the job.
/// Task N prints to the file N.txt in the folder `logs`, which is an absolute path as well.
std::string submit_array(const std::string& script, const std::string& logs, std::uint64_t tasks,
                         const SlurmLimits& limits);

/// The tasks of a job that Slurm still knows; none if the controller does not answer.
std::optional<SlurmTasks> tasks_of(const std::string& job);

/// Ends what is left of a job; false if the controller does not answer.
bool cancel_job(const std::string& job);

}  // namespace allport
