// SPDX-License-Identifier: Apache-2.0
// The proof of a routing table. It follows every head from its injection, so that entries to which
// no message comes are no part of it. A table is sound if each pair of nodes is connected, no way
// comes twice to a node in one layer, and no channels wait for each other in a cycle, where a
// channel and a layer are a vertex and the next of both on some way is what it waits for
// [DallySeitz87].
#pragma once

#include <string>
#include <vector>

#include "rtl_model/topology/routing_table.h"
#include "rtl_model/topology/topology.h"

namespace allport {

/// What is wrong with `table`, one sentence without its end; empty if it is sound. `missing`: the
/// channels that are not there, sorted.
std::string table_fault(const RoutingTable& table, const Topology& topology,
                        const std::vector<Channel>& missing = {});

}  // namespace allport
