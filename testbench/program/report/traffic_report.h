// SPDX-License-Identifier: Apache-2.0
// These functions put synthetic traffic into words, and its channels into a table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "testbench/results/results.h"
#include "traffic/patterns/collective_load.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

std::string in_words(const TrafficRequest& traffic);
/// The lengths of its messages.
std::string lengths_in_words(const TrafficRequest& traffic);
/// The same of a pattern beside ranks, with the length of its messages.
std::string background_in_words(const TrafficRequest& traffic);
/// The load of collectives of the algorithm of this name from `sources` nodes.
std::string in_words(const CollectiveLoad& load, std::string_view algorithm, std::size_t sources);
std::string in_words(const LatencyDistribution& latency);
/// Whether the network is saturated, and why.
std::string saturation_in_words(const TrafficResults& traffic);
std::string saturation_in_words(const LoadResults& load);

}  // namespace allport
