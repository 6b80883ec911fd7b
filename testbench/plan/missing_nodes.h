// SPDX-License-Identifier: Apache-2.0
// A fabric may have nodes missing, beside links (missing_links.h): they have no router and no
// processor, and what is left is a graph (rtl_model/graphs/remaining_graph.h).
#pragma once

#include <cstdint>

#include "testbench/plan/run_request.h"

namespace allport {

/// Takes `missing` out of the whole fabric, in the place of what was taken out before: its topology
/// is what is left. Nodes are drawn among those with a processor so that ways remain between all
/// others; `seed` is that of the run. Throws std::invalid_argument, a clause that names the node
/// and, where they are of a file, its line.
void take_out_nodes(FabricRequest& fabric, const MissingNodes& missing, std::uint64_t seed);

}  // namespace allport
