// SPDX-License-Identifier: Apache-2.0
// These functions put synthetic traffic into words, and its channels into a table.
#pragma once

#include <string>

#include "testbench/results/results.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

std::string in_words(const TrafficRequest& traffic);
std::string in_words(const LatencyDistribution& latency);
/// Whether the network is saturated, and why.
std::string saturation_in_words(const TrafficResults& traffic);

}  // namespace allport
