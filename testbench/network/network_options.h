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

/// An option that networks have and runs have not: a number of flits, which there need not be, or a
/// flag.
struct NetworkOption {
  const char* key;  ///< as in text: `queue_limit`
  const char* help;
  std::optional<std::int64_t> NetworkRequest::*flits = nullptr;
  Range range{0, 0};                     ///< of these
  bool NetworkRequest::*flag = nullptr;  ///< where it is no number

  bool is_flag() const { return flag != nullptr; }
  /// Sets it; throws std::invalid_argument as option_values.h does.
  void set(NetworkRequest& request, std::string_view text) const;
  /// Gives `to` the value that `from` has.
  void copy(const NetworkRequest& from, NetworkRequest& to) const;
};
extern const std::array<NetworkOption, 4> own_network_options;

/// Reads options of the form KEY=VALUE, separated by blanks: `topology=torus:8x8 vcs=2`. A value
/// with blanks in it stands in double quotes, `topology="graph:my net.csv"`, in which a quote is
/// written twice. The keys are those of the options that `allport network` has, as a scenario has
/// them; dashes may stand for their underscores, and flags are `true` or `false`. Throws
/// std::invalid_argument, one sentence that names the option.
NetworkRequest read_network_request(std::string_view text);

}  // namespace allport
