// SPDX-License-Identifier: Apache-2.0
// Random fabrics whose trees and joins go along the breadth-first tree of table:updown.
#pragma once

#include <memory>

#include "rtl_model/router/link_table.h"
#include "rtl_model/topology/routing.h"
#include "tests/properties/reference/fabric.h"
#include "tests/support/draw.h"

namespace allport::test {

/// Makes `config` one of a graph, or leaves it one of a regular fabric, and gives it a table and
/// the tree of this. Some routers of the graph are switches.
void draw_tree(Draw& draw, reference::Config& config);

/// The topology of `config`, and the routing by its table if it has a tree.
std::shared_ptr<const Topology> topology_of(const reference::Config& config);
Routing routing_by_tree(const reference::Config& config);

/// The links of the graph of `config`; null: it is of a regular fabric.
std::shared_ptr<const LinkTable> links_of_edges(const reference::Config& config);

}  // namespace allport::test
