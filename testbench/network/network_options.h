// SPDX-License-Identifier: Apache-2.0
// A network from text, as other languages ask for it.
#pragma once

#include <string_view>

#include "testbench/network/network.h"

namespace allport {

/// The network of a run: its fabric, router, ties, model and flits.
NetworkRequest network_request(const RunRequest& run);

/// A limit of what waits at a node; throws std::invalid_argument as option_values.h does.
std::int64_t parse_queue_limit(std::string_view text);

/// Reads options of the form KEY=VALUE, separated by blanks: `topology=torus:8x8 vcs=2`. The keys
/// are those of the options that `allport network` has, as a scenario has them, and `queue_limit`;
/// dashes may stand for their underscores. Throws std::invalid_argument, one
/// sentence that names the option.
NetworkRequest read_network_request(std::string_view text);

}  // namespace allport
