// SPDX-License-Identifier: Apache-2.0
// These functions print the verdict on a router of one's own, as a sheet for people and as JSON.
#pragma once

#include <string>

#include "testbench/conformance/router_verdict.h"
#include "testbench/program/terminal/style.h"

namespace allport {

/// What the router declares.
std::string sheet_head(const RouterVerdict& verdict, const Style& style);
/// The rows of one topology.
std::string topology_sheet(const TopologyVerdict& topology, const Style& style);
/// What follows from all of them.
std::string sheet_verdict(const RouterVerdict& verdict, const Style& style);
Json verdict_json(const RouterVerdict& verdict);

}  // namespace allport
