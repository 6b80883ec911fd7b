// SPDX-License-Identifier: Apache-2.0
// These functions say nodes in words and in JSON, as `allport show` does.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "testbench/results/json.h"

namespace allport {

/// `5 (0101)` on a hypercube, `5 (1, 2)` elsewhere.
std::string in_words(NodeId node, const Topology& topology);

/// Their numbers.
Json list_json(const std::vector<NodeId>& nodes);

}  // namespace allport
