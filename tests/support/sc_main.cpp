// SPDX-License-Identifier: Apache-2.0
// This is the main of every test executable that simulates: warnings of the kernel are failures.
#include <gtest/gtest.h>

#include <systemc>

namespace {

void fail_on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING) {
    ADD_FAILURE() << report.get_msg_type() << ": " << report.get_msg();
  }
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

int sc_main(int argc, char** argv) {
  sc_core::sc_report_handler::set_handler(fail_on_report);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
