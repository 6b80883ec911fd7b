// SPDX-License-Identifier: Apache-2.0
// A table of flows is a CSV file with a flow in each line (docs/guide/traffic.md).
#pragma once

#include <iosfwd>
#include <string>

#include "traffic/patterns/flow.h"

namespace allport {

/// Reads `source,destination,rate,flits[,from,to][,on,off]`; blank lines and lines that begin with
/// `#` count for nothing, and a first line of names says which columns there are. Throws
/// std::invalid_argument, one sentence that names file and line, for what is no such table; what
/// depends on a fabric is for flow_fault().
FlowTable read_flows(std::istream& in, const std::string& name);

}  // namespace allport
