// SPDX-License-Identifier: Apache-2.0
// Missing links and nodes may cut a fabric apart. A run is then on one part of it, and what is cut
// off is named.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbench/plan/run_request.h"

namespace allport {

/// The routers of `topology` that are cut off where the routers `gone` and the channels `missing`,
/// both sorted, are not there: those that are not of the part of `sources` or, if there are none,
/// of the part with most processors, the first of these. Throws std::invalid_argument, a clause, if
/// `sources` are gone, of several parts, or cut off from all other nodes.
std::vector<NodeId> cut_off_without(const Topology& topology, const std::vector<NodeId>& gone,
                                    const std::vector<Channel>& missing,
                                    const std::vector<NodeId>& sources);

/// `nodes 3, 7 and 9 are cut off`, a few of them by name.
std::string cut_off_in_words(const std::vector<NodeId>& nodes, const Topology& topology);

/// What to do about it, in words.
inline constexpr std::string_view replan_helps =
    "--replan runs on the part that is left, and random: in place of random-cut: keeps ways between all";

/// Takes `gone`, sorted, out of the whole fabric of `request`, in the place of what was taken out
/// before, and names the sources anew. `cut_off`: those of them that no option names.
void take_out(RunRequest& request, std::vector<NodeId> gone, std::vector<NodeId> cut_off);

/// With --replan, takes out what missing links cut off, and has messages go by table:updown if
/// links are missing and no routing is chosen. To be called when the fabric, its missing nodes and
/// links, the seed and the sources are known, and before anything else names nodes. Throws
/// std::invalid_argument, a clause.
void take_out_cut_off(RunRequest& request);

}  // namespace allport
