// SPDX-License-Identifier: Apache-2.0
// The nodes of a Chakra trace wait for each other by data and by control. Recorders name callers by
// control that they did not record, and let a caller and what it calls wait for each other; data
// come in an order. So a control dependency that cannot be kept is left out, as the format's own
// feeder leaves all of them out.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/tasks/chakra_nodes.h"

namespace allport {

struct ChakraLinks {
  /// A place among the nodes, and that of a node for which it waits; by the former, then by the id
  /// of the latter.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> waits{};
  /// The control dependencies that are left out: their node is not there, or they are part of a
  /// circle of dependencies.
  std::uint64_t left_out = 0;
};

/// The dependencies of the nodes of `file`. Throws std::invalid_argument, one sentence that names
/// the node, for an id of two nodes and for data of a node that is not there.
ChakraLinks link_chakra(const TraceFile& file, const std::vector<ChakraNode>& nodes);

}  // namespace allport
