// SPDX-License-Identifier: Apache-2.0
// The file of a routing table is CSV with the columns node, layer, destination, port and
// next_layer, which its first line may name, in any order. Node and destination are names of the
// fabric's nodes; layer is that on which a head comes, or `inject`; port is an external port, or
// `local` at the destination, where next_layer is empty. Rows may stand in any order.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/topology/routing_table.h"
#include "rtl_model/topology/topology.h"

namespace allport {

/// The table in `text`, which is that of the file `path`, not proved. Rows of nodes that are
/// `missing`, by their names, have gone with these. Throws std::invalid_argument with one sentence
/// that names the file and the line.
RoutingTable read_table(std::string_view text, const std::string& path, const Topology& topology,
                        const std::vector<std::string>& missing = {});

/// Writes all entries of `table`, by node, layer (injection first) and destination.
void write_table(std::ostream& out, const RoutingTable& table, const Topology& topology);

}  // namespace allport
