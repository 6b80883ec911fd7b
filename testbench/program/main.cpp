// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <systemc>

#include "testbench/files/standard_streams.h"
#include "testbench/program/program.h"

namespace {

// Messages of the kernel are not results: they do not belong on stdout.
void report_on_stderr(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if ((actions & sc_core::SC_DISPLAY) != 0) {
    allport::write_on_stderr(sc_core::sc_report_compose_message(report) + "\n");
  }
  sc_core::sc_report_handler::default_handler(report, actions & ~sc_core::SC_DISPLAY);
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_handler(report_on_stderr);
  return allport::run_program(argc, argv);
}

// In place of SystemC's own main, which would greet on stderr before sc_main could prevent it.
int main(int argc, char** argv) {
  allport::prepare_standard_streams();
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
