// SPDX-License-Identifier: Apache-2.0
// The oracle's own reader of graphs, written from docs/guide/graphs.md: a list of edges, and the
// file of nodes beside it. It reads attributes of links of other fabrics too.
#pragma once

#include "tests/properties/reference/routing.h"

namespace allport::reference {

/// The shape of Config::edges and Config::nodes.
Shape graph_shape(const Config& config);

/// Gives the channels of another fabric what Config::link_attributes says.
void add_link_attributes(Shape& shape, const Config& config);

}  // namespace allport::reference
