// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/commands.h"

namespace allport {

Commands::Commands(CLI::App& program)
    : all_{add_list(program),  add_schedule(program),  add_check(program),   add_run(program),
           add_cosim(program), add_steps(program),     add_compare(program), add_sweep(program),
           add_fit(program),   add_reproduce(program), add_bench(program)} {
  all_.push_back(add_completion(program, all_));
}

}  // namespace allport
