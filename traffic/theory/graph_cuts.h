// SPDX-License-Identifier: Apache-2.0
// Cuts of a graph bound what goes between its processors (docs/timing.md, lower bounds): each of
// these is the least, by maximum flow, between two parts of those that take part.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rtl_model/graphs/graph.h"

namespace allport {

/// Whether each router, by its number, is on the near side.
using GraphCut = std::vector<bool>;

/// What a channel carries, in any unit, 0 if no message may cross it.
using ChannelCapacity = std::function<std::int64_t(Channel)>;

/// The near side of a cut, of least capacity from there to the far side, with all of `near` and
/// none of `far` on it.
GraphCut least_cut(const Graph& graph, const std::vector<NodeId>& near,
                   const std::vector<NodeId>& far, const ChannelCapacity& capacity);

/// The least cuts, either way, between these parts of `members` and the others: those of each
/// `group` of the file and of half of the groups, the first half, the halves that are nearest to
/// some of them, and those beside one switch. Of a large graph it takes fewer of them.
std::vector<GraphCut> graph_cuts(const Graph& graph, const std::vector<NodeId>& members,
                                 const ChannelCapacity& capacity);

}  // namespace allport
