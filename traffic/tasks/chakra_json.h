// SPDX-License-Identifier: Apache-2.0
// Chakra traces are JSON in two forms. The format's jsonizer writes the messages of the binary form
// one after the other: the metadata, then nodes. Its feeder reads one object with all nodes in
// `workload_graph`, whose attributes are keys of their own.
#pragma once

#include <string_view>
#include <vector>

#include "traffic/tasks/chakra_nodes.h"

namespace allport {

/// The nodes of `file`, which is in either form; an attribute is known by its name, whatever its
/// type is called. Throws as read_chakra_nodes() does.
std::vector<ChakraNode> read_chakra_json(const TraceFile& file);

/// Whether `text` begins as a Chakra trace in JSON does, and not as a file of tasks.
bool is_chakra_json(std::string_view text);

}  // namespace allport
