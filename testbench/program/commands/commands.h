// SPDX-License-Identifier: Apache-2.0
// Each command of the program has a file of its own, and is data with a function that carries it
// out.
#pragma once

#include <vector>

#include "testbench/program/options/command.h"

namespace allport {

Command list_command();
Command show_command();
Command schedule_command();
Command check_command();
Command run_command();
Command program_command();
Command explain_command();
Command whatif_command();
Command diff_command();
Command replay_command();
Command cosim_command();
Command network_command();
Command steps_command();
Command compare_command();
Command sweep_command();
Command fit_command();
Command reproduce_command();
Command bench_command();
Command schema_command();
Command man_command();
Command completion_command();

/// All of them, in the order of the program's help.
const std::vector<Command>& commands();

}  // namespace allport
