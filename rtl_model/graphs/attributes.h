// SPDX-License-Identifier: Apache-2.0
// The attributes of nodes and edges, whatever file they stand in. Others count for nothing: files
// of other programs have theirs.
#pragma once

#include <string_view>

#include "rtl_model/graphs/graph.h"

namespace allport {

/// Sets attribute `name` of a node: processor, ports, x, y, group, level or endpoints. Blanks
/// around its value, `text`, count for nothing. Throws std::invalid_argument, a clause that names
/// attribute, value and range.
void set_attribute(GraphDescription::Node& node, std::string_view name, std::string_view text);

/// The same of an edge: delay, width, from_port or to_port.
void set_attribute(GraphDescription::Edge& edge, std::string_view name, std::string_view text);

}  // namespace allport
