// SPDX-License-Identifier: Apache-2.0
// These functions say nodes in words, as `allport show` does.
#pragma once

#include <string>
#include <string_view>

#include "rtl_model/topology/topology.h"

namespace allport {

/// `5 (0101)` on a hypercube, `5 (1, 2)` elsewhere.
std::string in_words(NodeId node, const Topology& topology);

/// A line of a list: its label, and what is to be said.
std::string shown_line(std::string_view label, const std::string& words);

}  // namespace allport
