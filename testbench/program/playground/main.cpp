// SPDX-License-Identifier: Apache-2.0
// The program in a page: `FOLDER PART WORD..` carries out a command line (playground.h), `controls`
// prints the controls.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "testbench/files/standard_streams.h"
#include "testbench/program/playground/playground.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/progress.h"

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
EM_JS(void, allport_tell_page, (const char* what, double fraction, const char* detail), {
  if (Module["onProgress"]) {
    Module["onProgress"](UTF8ToString(what), fraction, UTF8ToString(detail));
  }
})
#endif

namespace allport {

namespace {

void report_on_stderr(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if ((actions & sc_core::SC_DISPLAY) != 0) {
    write_on_stderr(sc_core::sc_report_compose_message(report) + "\n");
  }
  sc_core::sc_report_handler::default_handler(report, actions & ~sc_core::SC_DISPLAY);
}

PagePart part_named(const std::string& name) {
  if (name == "timeline") return PagePart::timeline;
  if (name == "report") return PagePart::report;
  if (name == "results") return PagePart::results;
  throw std::invalid_argument(name + ": must be timeline, report or results");
}

int run(const std::vector<std::string>& given) {
  if (given == std::vector<std::string>{"controls"}) {
    std::puts(page_controls().dump().c_str());
    return exit_clean;
  }
  if (given.size() < 2) throw std::invalid_argument("usage: FOLDER PART WORD.., or controls");
  return run_in_page({given.begin() + 2, given.end()}, given[0], part_named(given[1]));
}

}  // namespace

}  // namespace allport

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_handler(allport::report_on_stderr);
  return allport::status_of([&] { return allport::run({argv + 1, argv + argc}); });
}

int main(int argc, char** argv) {
#ifdef __EMSCRIPTEN__
  allport::tell_progress([](const std::string& what, double fraction, const std::string& detail) {
    allport_tell_page(what.c_str(), fraction, detail.c_str());
  });
#endif
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}
