// SPDX-License-Identifier: Apache-2.0
// The synthetic patterns of [DallyTowles04, section 3.2] say where each node sends. A permutation
// sends all messages of a node to one partner; a node that is its own partner sends nothing. Bit
// permutations are defined on the bits of the node number, digit permutations on the coordinates.
#pragma once

#include <string_view>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

struct Pattern {
  std::string_view name;
  std::string_view summary;  ///< one line for `allport list`
  std::string_view fabrics;  ///< the fabrics on which it is defined, in words
  std::string_view paper;
  /// The partner of a node on a fabric that the pattern is defined on; null: destinations are
  /// drawn.
  NodeId (*partner)(const Topology&, NodeId) = nullptr;
  bool (*is_defined_on)(const Topology&) = nullptr;
  bool has_hotspots = false;
};

/// All patterns, in the order of the documentation.
const std::vector<Pattern>& patterns();

/// The pattern called `name`; throws std::invalid_argument that offers the nearest name.
const Pattern& find_pattern(std::string_view name);

/// Throws std::invalid_argument, one sentence, when `pattern` is not defined on `topology` or would
/// send nothing there.
void require_defined(const Pattern& pattern, const Topology& topology);

}  // namespace allport
