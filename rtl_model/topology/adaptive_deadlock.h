// SPDX-License-Identifier: Apache-2.0
// Adaptive routing on a hypercube cannot deadlock: part of its virtual channels, the escape
// channels, serve a routing of their own that leads everywhere, and whose dependencies, including
// those by way of other channels, form no cycle [Duato93]. Both are checked here, for any relation
// that looks only at the dimensions that a message still has to cross. That the buffers of the
// other channels hold one message at a time, as the proof demands, is a rule of the router
// (docs/router.md, section 6).
#pragma once

#include <cstddef>
#include <vector>

#include "rtl_model/topology/deadlock.h"

namespace allport {

/// The ports offered to a message that still has to cross the dimensions `useful`, one bit per
/// port.
struct AdaptiveRelation {
  PortMask (*escape)(PortMask useful);    ///< ports whose escape channel it may take
  PortMask (*adaptive)(PortMask useful);  ///< ports whose other virtual channels it may take
};

/// The relation of RoutingOrder::adaptive: the escape channel of the highest useful dimension, and
/// the other channels of all useful dimensions.
AdaptiveRelation adaptive_relation();

/// Up to this many dimensions, each channel of the cube is a vertex of the graph. Beyond, where
/// that graph would be too large, each dimension is a vertex: this is exact for relations that
/// prefer one dimension to another regardless of the other dimensions to be crossed.
constexpr std::size_t max_exhaustive_dimensions = 6;

/// A set of dimensions for which no escape channel is offered, or one that is not useful; 0 if the
/// escape channels lead everywhere.
PortMask find_missing_escape(const AdaptiveRelation& relation, std::size_t dimensions);

/// A cycle among the escape channels, each depending on the next, directly or by way of other
/// channels; empty if there is none.
std::vector<ChannelClass> find_escape_cycle(const AdaptiveRelation& relation,
                                            std::size_t dimensions);

/// A cycle among the channels if every useful one may be taken and there is no escape; empty on the
/// 1-cube.
std::vector<ChannelClass> find_adaptive_cycle(std::size_t dimensions);

}  // namespace allport
