// SPDX-License-Identifier: Apache-2.0
// A program of MSCCL becomes the schedule of a run here: its GPUs are ranks, which sit on the nodes
// of the fabric, of a group, or of each of several groups.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbench/plan/load_schedule.h"
#include "traffic/msccl/msccl_program.h"

namespace allport {

/// What messages call the schedule file of `request`: its name, or `stdin`.
std::string schedule_name(const RunRequest& request);

/// load_schedule() of `program`.
LoadedSchedule load_program(const MscclProgram& program, RunRequest& request,
                            const Routing& routing,
                            const std::vector<std::shared_ptr<const NodeGroup>>& groups);

}  // namespace allport
