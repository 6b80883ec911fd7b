// SPDX-License-Identifier: Apache-2.0
// What Network::results() tells, as JSON: with the keys, units and meanings of the results of
// `allport run` (docs/guide/embed.md).
#pragma once

#include <string>
#include <string_view>

#include "testbench/network/network.h"
#include "testbench/results/json.h"

namespace allport {

/// The object of the schema `network`.
Json results_json(const Network& network);
/// The same of Network::explain(), with the key `explanation`.
Json explained_json(const Network& network, const ExplainRequest& request);
/// Their text, in one line. `what` is `all`, `slowest:N` or `message:U>V#PLACE`, as `allport run
/// --explain` has it.
std::string results_text(const Network& network);
std::string explained_text(const Network& network, std::string_view what);

}  // namespace allport
