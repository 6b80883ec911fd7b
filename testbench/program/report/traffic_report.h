// SPDX-License-Identifier: Apache-2.0
// These functions put synthetic traffic into words, and its channels into a table.
#pragma once

#include <string>

#include "testbench/results/results.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

std::string in_words(const TrafficRequest& traffic);
std::string in_words(const LatencyDistribution& latency);
/// Why the network is called saturated.
std::string saturation_in_words(const TrafficResults& traffic);

/// The load of every external channel: a heading and one line `node,port,flits,load` for each.
std::string channel_load_csv(const ChannelLoad& load, const Topology& topology);

}  // namespace allport
