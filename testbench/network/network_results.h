// SPDX-License-Identifier: Apache-2.0
// What Network::results() tells, as JSON: with the keys, units and meanings of the results of
// `allport run` (docs/guide/embed.md).
#pragma once

#include <string>

#include "testbench/network/network.h"
#include "testbench/results/json.h"

namespace allport {

/// The object of the schema `network`.
Json results_json(const Network& network);
/// Its text, in one line.
std::string results_text(const Network& network);

}  // namespace allport
