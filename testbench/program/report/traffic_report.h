// SPDX-License-Identifier: Apache-2.0
// What is said of synthetic traffic, in words and as a table of channels.
#pragma once

#include <optional>
#include <string>

#include "testbench/files/output_file.h"
#include "testbench/program/options/options.h"
#include "testbench/results/results.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

std::string in_words(const TrafficRequest& traffic);
std::string in_words(const LatencyDistribution& latency);
/// Why the network is called saturated.
std::string saturation_in_words(const TrafficResults& traffic);

/// The file for --channel-load, opened; none if the option is not given. Throws
/// std::invalid_argument, one sentence, when it cannot be written or the results go there.
std::optional<OutputFile> channel_load_file(const Options& options);
/// The load of every external channel: a heading and one line `node,port,flits,load` for each.
std::string channel_load_csv(const ChannelLoad& load, const Topology& topology);

}  // namespace allport
