// SPDX-License-Identifier: Apache-2.0
// fatal_report_of() catches fatal reports that a test expects.
#pragma once

#include <string>
#include <systemc>

namespace allport::test {

/// The fatal report with which `action` ends; empty if it ends without one.
template <class Action>
std::string fatal_report_of(Action action) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  try {
    action();
  } catch (const sc_core::sc_report& report) {
    return std::string(report.get_msg_type()) + ": " + report.get_msg();
  }
  return "";
}

}  // namespace allport::test
