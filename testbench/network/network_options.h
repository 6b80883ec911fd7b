// SPDX-License-Identifier: Apache-2.0
// A network from text, as other languages ask for it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "testbench/network/network.h"

namespace allport {

/// The network of a run: its fabric, router, ties, model and flits.
NetworkRequest network_request(const RunRequest& run);

/// An option that networks have and runs have not: a number of flits, which there need not be.
struct NetworkLimit {
  const char* key;  ///< as in text: `queue_limit`
  const char* help;
  std::optional<std::int64_t> NetworkRequest::*field;
  Range range;

  /// Sets it; throws std::invalid_argument as option_values.h does.
  void set(NetworkRequest& request, std::string_view text) const;
};
extern const std::array<NetworkLimit, 2> network_limits;

/// Reads options of the form KEY=VALUE, separated by blanks: `topology=torus:8x8 vcs=2`. The keys
/// are those of the options that `allport network` has, as a scenario has them, and the limits;
/// dashes may stand for their underscores. Throws std::invalid_argument, one
/// sentence that names the option.
NetworkRequest read_network_request(std::string_view text);

}  // namespace allport
