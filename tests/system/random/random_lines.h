// SPDX-License-Identifier: Apache-2.0
// These files have lines of every kind with every key, and numbers in the range of the run, at its
// border and beyond it.
#pragma once

#include <string>
#include <vector>

#include "tests/support/draw.h"

namespace allport::test {

/// Schedules, sometimes with lengths and starts, of which most lines are for `nodes` nodes in
/// `dimensions` dimensions.
std::string random_schedule(Draw& draw, int nodes, int dimensions);
std::string random_tasks(Draw& draw, int ranks);    ///< a file of tasks
std::string random_program(Draw& draw, int ranks);  ///< MSCCL XML
std::string random_goal(Draw& draw, int ranks);     ///< GOAL
std::string random_actions(Draw& draw, int ranks);  ///< a time-independent trace of SimGrid
std::vector<std::string> random_chakra(Draw& draw, int ranks);  ///< the files of the ranks

}  // namespace allport::test
