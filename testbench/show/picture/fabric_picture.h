// SPDX-License-Identifier: Apache-2.0
// These functions turn a fabric, and what its channels carried, into data to be drawn.
#pragma once

#include <vector>

#include "rtl_model/topology/topology.h"
#include "testbench/results/explanation.h"
#include "testbench/results/json.h"
#include "testbench/show/picture/folded_fabric.h"

namespace allport {

/// The most cells as which a fabric is drawn: a graph is drawn by the places of its routers, which
/// blocks have not.
inline std::size_t most_drawn_cells(const Topology& topology) {
  return topology.is_graph() ? FoldedFabric::most_cells : FoldedFabric::most_regular_cells;
}

/// The cells and lines of `fabric`, which is that of `topology`: `wraps`, `sides`, `factors`, the
/// first node of each cell (`nodes`) and `lines` of [from, to, dimension, direction, channels]. Of
/// a graph, besides, what its cells are called (`names`), whether they have a processor
/// (`processors`), and where the file puts them: at `places`, or on `levels`.
Json fabric_picture(const Topology& topology, const FoldedFabric& fabric);

/// For each of those lines the cycles in which one of its channels carried a flit: of all `uses`,
/// over the number of `trials` and that of its channels.
std::vector<double> line_uses(const std::vector<ChannelUse>& uses, int trials,
                              const FabricChannels& channels, const FoldedFabric& fabric);

}  // namespace allport
