// SPDX-License-Identifier: Apache-2.0
// A fabric may have nodes missing, beside links (missing_links.h): they have no router and no
// processor, and what is left is a graph (rtl_model/graphs/remaining_graph.h).
#pragma once

#include "testbench/plan/run_request.h"

namespace allport {

/// Takes `missing` out of the whole fabric of `request`, in the place of what was taken out before:
/// its topology is what is left; random:0 leaves all of it. Nodes are drawn among those with a
/// processor, by the seed of the run where they have none, so that ways remain between all others
/// unless they may cut the fabric apart. What is cut off is taken out as well with --replan
/// (cut_off.h), and refused otherwise. Throws std::invalid_argument, a clause that names the node
/// and, where they are of a file, its line.
void take_out_nodes(RunRequest& request, const MissingNodes& missing);

}  // namespace allport
