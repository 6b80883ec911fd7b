// SPDX-License-Identifier: Apache-2.0
// The parts into which a fabric falls without some of its routers and channels.
#pragma once

#include <cstddef>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

/// The number of a router that is not there.
constexpr std::size_t no_part = ~std::size_t{0};

/// Of each router of `topology` the part that it is of, without the routers `gone` and the channels
/// `missing`, both sorted: 0, 1, .. in the order of the first routers. Routers are of one part if
/// ways lead from each to the other.
std::vector<std::size_t> parts_of(const Topology& topology, const std::vector<NodeId>& gone,
                                  const std::vector<Channel>& missing);

/// Whether all that is there is one part.
bool is_one_part(const Topology& topology, const std::vector<NodeId>& gone,
                 const std::vector<Channel>& missing);

}  // namespace allport
