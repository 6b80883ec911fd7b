// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/trees.h"

#include <algorithm>
#include <map>
#include <set>

namespace allport::reference {

namespace {

int router_of_name(const Shape& shape, const std::string& name) {
  if (!shape.is_graph) return std::stoi(name);
  const auto found = std::find(shape.names.begin(), shape.names.end(), name);
  require(found != shape.names.end(), "the root of a tree is no router");
  return static_cast<int>(found - shape.names.begin());
}

/// The lowest port of `from` that leads to `to`, or none.
int port_between(const Shape& shape, int from, int to) {
  for (int port = 0; port < shape.ports; ++port) {
    if (neighbour(shape, from, port) == to) return port;
  }
  return none;
}

/// The routers from `router` up to the root, both included.
std::vector<int> line_up(const BreadthFirstTree& tree, int router) {
  std::vector<int> line;
  for (; router != none; router = tree.above[static_cast<std::size_t>(router)]) {
    line.push_back(router);
  }
  return line;
}

}  // namespace

BreadthFirstTree breadth_first_tree(const Shape& shape, const std::string& root) {
  BreadthFirstTree tree;
  if (root.empty()) return tree;
  tree.is_there = true;
  tree.above.assign(static_cast<std::size_t>(shape.routers), none);
  tree.up = tree.down = tree.above;
  const int top = router_of_name(shape, root);
  std::set<int> known{top};
  std::vector<int> row{top};
  while (!row.empty()) {
    std::vector<int> next_row;
    for (const int router : row) {
      for (int port = 0; port < shape.ports; ++port) {
        const int other = neighbour(shape, router, port);
        const int back = other == none ? none : port_between(shape, other, router);
        if (back == none || !known.insert(other).second) continue;
        const auto place = static_cast<std::size_t>(other);
        tree.above[place] = router;
        tree.up[place] = back;
        tree.down[place] = port;
        next_row.push_back(other);
      }
    }
    row = next_row;
  }
  return tree;
}

std::vector<Hop> way_along(const BreadthFirstTree& tree, int u, int v) {
  std::vector<int> from = line_up(tree, u);
  std::vector<int> to = line_up(tree, v);
  require(from.back() == to.back(), "no way along the tree");
  while (from.size() > 1 && to.size() > 1 && from[from.size() - 2] == to[to.size() - 2]) {
    from.pop_back();
    to.pop_back();
  }
  std::vector<Hop> way;
  for (std::size_t i = 0; i + 1 < from.size(); ++i) {
    way.push_back({from[i], tree.up[static_cast<std::size_t>(from[i])], VcClass::any});
  }
  for (std::size_t i = to.size() - 1; i-- > 0;) {
    way.push_back({to[i + 1], tree.down[static_cast<std::size_t>(to[i])], VcClass::any});
  }
  return way;
}

std::vector<Hop> hops_along(const Shape& shape, const BreadthFirstTree& tree, int source,
                            int router) {
  std::map<int, Hop> hops;  // by port
  for (int node = 0; node < shape.nodes; ++node) {
    for (const Hop& hop : way_along(tree, source, node)) {
      if (hop.node == router) hops.emplace(hop.port, hop);
    }
  }
  std::vector<Hop> list;
  for (const auto& [port, hop] : hops) list.push_back(hop);
  return list;
}

std::vector<int> inputs_along(const Shape& shape, const BreadthFirstTree& tree, int root,
                              int router) {
  std::set<int> inputs;
  for (int node = 0; node < shape.nodes; ++node) {
    for (const Hop& hop : way_along(tree, node, root)) {
      const End end = end_of(shape, hop.node, hop.port);
      if (end.node == router) inputs.insert(end.port);
    }
  }
  return {inputs.begin(), inputs.end()};
}

}  // namespace allport::reference
