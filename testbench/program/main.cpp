// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <systemc>

#include "testbench/files/standard_streams.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_line.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/memory_reserve.h"

namespace allport {

namespace {

// Messages of the kernel are not results: they do not belong on stdout.
void report_on_stderr(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if ((actions & sc_core::SC_DISPLAY) != 0) {
    write_on_stderr(sc_core::sc_report_compose_message(report) + "\n");
  }
  sc_core::sc_report_handler::default_handler(report, actions & ~sc_core::SC_DISPLAY);
}

// Runs the command that the arguments ask for. Errors go to stderr, one sentence after `allport: `.
int run_program(int argc, char** argv) {
  reserve_memory();
  return status_of([&]() -> int {
    require_stdout();
    const std::optional<Call> call = read_command_line(commands(), {argv + 1, argv + argc});
    const int status = call ? call->command->run(call->given) : exit_clean;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    if (has_no_reader()) return status;
    say("stdout cannot be written");
    return exit_wrong_use;
  });
}

}  // namespace

}  // namespace allport

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_handler(allport::report_on_stderr);
  return allport::run_program(argc, argv);
}

// In place of SystemC's own main, which would greet on stderr before sc_main could prevent it.
int main(int argc, char** argv) {
  allport::prepare_standard_streams();
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
