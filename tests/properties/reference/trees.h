// SPDX-License-Identifier: Apache-2.0
// The oracle's trees and joins by a table, written from docs/router.md, section 7: the
// breadth-first tree, and ways along it.
#pragma once

#include <string>
#include <vector>

#include "tests/properties/reference/routing.h"

namespace allport::reference {

/// The breadth-first tree, by router.
struct BreadthFirstTree {
  bool is_there = false;
  std::vector<int> above = {};  // the router above; none: it is the root, or cannot be reached
  std::vector<int> up = {};     // the port that leads there
  std::vector<int> down = {};   // the port that leads from there
};

/// The tree from the router called `root`; none if that is empty.
BreadthFirstTree breadth_first_tree(const Shape& shape, const std::string& root);

/// The way from router `u` to router `v` by links of the tree alone.
std::vector<Hop> way_along(const BreadthFirstTree& tree, int u, int v);

/// The ports by which a worm from `source` to all other nodes leaves `router`: those of the ways to
/// them.
std::vector<Hop> hops_along(const Shape& shape, const BreadthFirstTree& tree, int source,
                            int router);

/// The inputs of `router` on which the ways of all other nodes to `root` arrive.
std::vector<int> inputs_along(const Shape& shape, const BreadthFirstTree& tree, int root,
                              int router);

}  // namespace allport::reference
