// SPDX-License-Identifier: Apache-2.0
// These functions plan what `check` judges. A run refuses a schedule that is not sound; a check
// takes the sound lines of one, with what was left out, and says what is wrong
// (docs/decisions/0031-check-plans-what-may-be-wrong.md).
#pragma once

#include <memory>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/plan/load_schedule.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/plan/run_request.h"

namespace allport {

/// The collective of the schedule file `loaded` of `request`, with all its sources, or one for each
/// of `groups`. Throws std::invalid_argument, one sentence, if it makes no sense.
std::vector<PlannedCollective> checked_of_file(
    const LoadedSchedule& loaded, const RunRequest& request, const Routing& routing,
    const std::vector<std::shared_ptr<const NodeGroup>>& groups);

/// The collectives of the algorithm of `request`, one for each source or group. Throws as
/// traffic/algorithms/algorithms.h does.
std::vector<PlannedCollective> checked_of_algorithm(
    const RunRequest& request, const Routing& routing,
    const std::vector<std::shared_ptr<const NodeGroup>>& groups);

}  // namespace allport
