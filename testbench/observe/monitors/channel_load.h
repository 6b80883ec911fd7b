// SPDX-License-Identifier: Apache-2.0
// channel_load() says what the flits that crossed the external channels make of their load.
#pragma once

#include <cstdint>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "testbench/results/results.h"

namespace allport {

/// The load in flits per cycle, over `cycles` > 0. `flits`: those that crossed each channel, by
/// node, then port.
ChannelLoad channel_load(const Topology& topology, const std::vector<std::uint64_t>& flits,
                         Cycle cycles);

}  // namespace allport
