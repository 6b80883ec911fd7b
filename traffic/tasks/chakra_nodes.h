// SPDX-License-Identifier: Apache-2.0
// A file of a Chakra trace is a list of nodes, in the format's binary form or as JSON. This is the
// list, whatever form it had.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "execution_trace.pb.h"
#include "traffic/tasks/trace.h"

namespace allport {

/// A node and its number in the file, from 1.
using ChakraNode = std::pair<std::uint32_t, execution_trace::Node>;

/// The nodes of `file`, binary if its name ends in `.et` and JSON otherwise. Throws
/// std::invalid_argument, one sentence that names the file and the node, for what is no trace.
std::vector<ChakraNode> read_chakra_nodes(const TraceFile& file);

/// `FILE: node 3: `, and `FILE: node 3: id 12, its name: `
std::string chakra_place(const TraceFile& file, std::uint32_t number);
std::string chakra_place(const TraceFile& file, const ChakraNode& node);

}  // namespace allport
