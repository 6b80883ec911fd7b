// SPDX-License-Identifier: Apache-2.0
// Recorded workloads become the tasks of a run here: one or several jobs, each on nodes of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/plan/place_request.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/tasks/expand.h"
#include "traffic/tasks/trace.h"

namespace allport {

struct RunRequest;

struct ReplayJob {
  std::vector<std::string> files;       ///< as load_trace() takes them
  std::optional<GroupRequest> group{};  ///< its nodes; none: those of the run
};

struct ReplayRequest {
  std::vector<ReplayJob> jobs;  ///< at least one
  TraceScale scale{};
  std::map<Operation, const Algorithm*>
      algorithms{};  ///< of collectives; the others have usual ones
};

/// What was read of a job.
struct ReplayedJob {
  std::string name;         ///< its first file
  std::size_t files = 0;    ///< number of them
  std::string_view format;  ///< `GOAL`
  std::string group;        ///< as it was given; empty: none
  std::uint32_t ranks = 0;
  std::uint64_t tasks = 0;     ///< with those of its collectives
  std::uint64_t compute = 0;   ///< cycles that its ranks compute together
  std::uint64_t messages = 0;  ///< from rank to rank, without those of its collectives
  std::uint64_t bytes = 0;     ///< of these
  std::uint64_t left_out = 0;  ///< dependencies that it names and that cannot be kept
  std::vector<CollectiveUse> collectives{};
};

/// The ranks of a job follow those of the job before it.
struct Replay {
  TaskGraph graph;
  std::vector<NodeId> nodes;  ///< by rank
  std::vector<ReplayedJob> jobs;
  std::vector<std::string> inputs;  ///< names that were given, and those of all files read
};

/// Reads the jobs of `request` and puts them on nodes of the fabric of `run`. Throws
/// std::invalid_argument, one sentence, for what is wrong with a file, more ranks than nodes, jobs
/// that share nodes, and as the placement and the algorithms do.
Replay plan_replay(const ReplayRequest& request, const RunRequest& run);

}  // namespace allport
