// SPDX-License-Identifier: Apache-2.0
// MSCCL XML becomes the schedule of a run here: its GPUs are ranks, which sit on the nodes of the
// fabric, of a group, or of each of several groups.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "testbench/plan/load_schedule.h"

namespace allport {

/// What messages call the schedule file of `request`: its name, or `stdin`.
std::string schedule_name(const RunRequest& request);

/// load_schedule() of a program, which `in` holds.
LoadedSchedule load_program(std::istream& in, RunRequest& request, const Routing& routing,
                            const std::vector<std::shared_ptr<const NodeGroup>>& groups);

}  // namespace allport
