// SPDX-License-Identifier: Apache-2.0
// What SystemC's signals ask of a Flit (rtl_model/router/flit.h).
#pragma once

#include <iosfwd>
#include <string>
#include <systemc>

#include "rtl_model/router/flit.h"
#include "rtl_model/systemc/language.h"

namespace allport {

bool operator==(const Flit& a, const Flit& b);
std::ostream& operator<<(std::ostream& out, const Flit& flit);
void sc_trace(sc_core::sc_trace_file* file, const Flit& flit, const std::string& name);

}  // namespace allport
