// SPDX-License-Identifier: Apache-2.0
// These functions find the sources of a router in RTL of the user's own and what it declares by the
// parameters of its top or in a file (docs/bring-your-own-router.md).
#pragma once

#include <string>

#include "rtl_model/base/stop_flag.h"
#include "rtl_model/verilated/rtl_source.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/plan/rtl_request.h"

namespace allport {

/// The sources that `request` names, with their options. Throws std::invalid_argument, one
/// sentence, for a file or folder that does not exist.
RtlSource own_source(const RtlRequest& request);

/// Reads the declaration: the parameters of the top and the TOML file `file`, unless its name is
/// empty. Throws std::invalid_argument, one sentence, for RTL that Verilator does not accept, for a
/// parameter in `source` that the top does not have, for what both declare, and for a value out of
/// range; throws Stopped once `stop` is set.
RouterDeclaration read_declaration(const RtlSource& source, const std::string& file, StopFlag stop);

}  // namespace allport
