// SPDX-License-Identifier: Apache-2.0
// Why adaptive routing on a hypercube cannot deadlock: part of its virtual channels, the escape
// channels, serve a routing of their own that leads everywhere, and whose dependencies, those by
// way of other channels included, form no cycle [Duato93]. Both are checked here, of any relation
// that looks only at the dimensions that a message has still to cross.
#pragma once

#include <cstddef>
#include <vector>

#include "rtl_model/topology/deadlock.h"

namespace allport {

/// What a message is offered that has still to cross the dimensions `useful`, one bit per port.
struct AdaptiveRelation {
  PortMask (*escape)(PortMask useful);    ///< ports whose escape channel it may take
  PortMask (*adaptive)(PortMask useful);  ///< ports whose other virtual channels it may take
};

/// Of RoutingOrder::adaptive: the escape channel of the highest dimension, the others of all.
AdaptiveRelation adaptive_relation();

/// Up to this many dimensions each channel of the cube is a vertex; beyond, where the graph would
/// outgrow any use, each dimension: exact for relations that prefer one dimension to another
/// whatever else there is to cross.
constexpr std::size_t max_exhaustive_dimensions = 6;

/// Dimensions from which no escape channel leads on, or only one that is not useful: one set of
/// them; 0 when the escape channels lead everywhere.
PortMask find_missing_escape(const AdaptiveRelation& relation, std::size_t dimensions);

/// A cycle among the escape channels, each depending on the next, directly or by way of other
/// channels; empty when there is none.
std::vector<ChannelClass> find_escape_cycle(const AdaptiveRelation& relation,
                                            std::size_t dimensions);

/// A cycle among the channels when every useful one may be taken and there is no escape; empty on
/// the 1-cube.
std::vector<ChannelClass> find_adaptive_cycle(std::size_t dimensions);

}  // namespace allport
