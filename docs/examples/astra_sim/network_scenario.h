// SPDX-License-Identifier: Apache-2.0
// The scenario of a network that a simulator with a time in nanoseconds drives: a TOML text with
// the tables of `allport run --config`, of which the options of a network and the clock count.
#pragma once

#include <string>

#include "testbench/network/network.h"

struct NetworkScenario {
  allport::NetworkRequest network;
  double clock_ghz = 1;  ///< `clock` of the table [node]
};

/// Reads `text`, which sentences call `name`. Throws std::invalid_argument, one sentence with
/// line and column, for what is no TOML, a key that has no meaning here, a value out of its range,
/// and more than one message class, because the simulator knows none.
NetworkScenario read_network_scenario(const std::string& text, const std::string& name);
