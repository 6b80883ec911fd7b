// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/routing.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

namespace allport::reference {

Shape parse_shape(const std::string& text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  Shape shape;
  shape.is_hypercube = name == "hypercube";
  shape.wraps = name == "torus" || name == "ring";
  require(shape.is_hypercube || shape.wraps || name == "mesh", "unknown topology '" + text + "'");
  require(colon != std::string::npos, "topology '" + text + "' has no size");
  std::istringstream numbers(text.substr(colon + 1));
  for (std::string number; std::getline(numbers, number, 'x');) {
    shape.sides.push_back(std::stoi(number));
  }
  require(!shape.sides.empty(), "topology '" + text + "' has no size");
  if (shape.is_hypercube) shape.sides = std::vector<int>(shape.sides[0], 2);
  for (const int side : shape.sides) {
    require(side >= 2, "topology '" + text + "' has a side below 2");
    shape.nodes *= side;
  }
  shape.routers = shape.nodes;
  shape.ports = static_cast<int>(shape.sides.size()) * (shape.is_hypercube ? 1 : 2);
  return shape;
}

namespace {

int stride(const Shape& shape, int dimension) {
  int product = 1;
  for (int i = 0; i < dimension; ++i) product *= shape.sides[i];
  return product;
}

int coordinate(const Shape& shape, int node, int dimension) {
  return node / stride(shape, dimension) % shape.sides[dimension];
}

}  // namespace

int neighbour(const Shape& shape, int node, int port) {
  if (shape.is_graph) {
    const auto link = shape.links.find({node, port});
    return link == shape.links.end() ? none : link->second.to.node;
  }
  if (shape.is_hypercube) return node ^ (1 << port);
  const int side = shape.sides[port / 2];
  const int here = coordinate(shape, node, port / 2);
  const int there = here + (port % 2 == 0 ? 1 : -1);
  if (!shape.wraps && (there < 0 || there >= side)) return none;
  return node + ((there + side) % side - here) * stride(shape, port / 2);
}

End end_of(const Shape& shape, int node, int port) {
  if (shape.is_graph) return shape.links.at({node, port}).to;
  return {neighbour(shape, node, port), far_port(shape, port)};
}

End origin_of(const Shape& shape, int node, int port) {
  if (shape.is_graph) return shape.origins.at({node, port});
  return {neighbour(shape, node, port), far_port(shape, port)};
}

Cycle link_delay_of(const Config& config, const Shape& shape, int node, int port) {
  if (shape.is_graph) return shape.links.at({node, port}).delay;
  if (const auto own = shape.own.find({node, port}); own != shape.own.end()) {
    return own->second.delay;
  }
  return link_delay_of(config, shape, port);
}

Cycle phits_of(const Config& config, const Shape& shape, int node, int port) {
  if (shape.is_graph) return shape.links.at({node, port}).phits;
  if (const auto own = shape.own.find({node, port}); own != shape.own.end()) {
    return own->second.phits;
  }
  return phits_of(config, shape, port);
}

std::vector<Hop> hypercube_path(const Shape& shape, bool is_ascending, int u, int v) {
  std::vector<Hop> path;
  for (int i = 0; i < shape.ports; ++i) {
    const int port = is_ascending ? i : shape.ports - 1 - i;
    if (((u ^ v) >> port & 1) == 0) continue;
    path.push_back({u, port, VcClass::any});
    u ^= 1 << port;
  }
  return path;
}

namespace {

std::vector<int> minimal_displacement(const Shape& shape, int u, int v) {
  std::vector<int> displacement;
  for (int i = 0; i < static_cast<int>(shape.sides.size()); ++i) {
    const int offset = coordinate(shape, v, i) - coordinate(shape, u, i);
    const int up = (offset + shape.sides[i]) % shape.sides[i];
    const int shorter = 2 * up <= shape.sides[i] ? up : up - shape.sides[i];
    displacement.push_back(shape.wraps ? shorter : offset);
  }
  return displacement;
}

}  // namespace

std::vector<int> tie_broken_displacement(const Shape& shape, Ties ties, std::uint64_t bits, int u,
                                         int v) {
  std::vector<int> displacement = minimal_displacement(shape, u, v);
  for (int i = 0; i < static_cast<int>(displacement.size()); ++i) {
    if (!shape.wraps || 2 * displacement[i] != shape.sides[i]) continue;
    const bool is_odd = coordinate(shape, u, i) % 2 == 1;
    const bool turns = ties == Ties::negative || (ties == Ties::alternate && is_odd) ||
                       (ties == Ties::random && (bits >> i & 1) != 0);
    if (turns) displacement[i] = -displacement[i];
  }
  return displacement;
}

std::vector<Hop> dimension_ordered_path(const Shape& shape, bool has_classes, const Line& line) {
  const std::vector<int> displacement =
      line.displacement.empty() ? minimal_displacement(shape, line.u, line.v) : line.displacement;
  require(displacement.size() == shape.sides.size(), "a displacement has a number per dimension");
  std::vector<Hop> path;
  int node = line.u;
  for (int i = 0; i < static_cast<int>(shape.sides.size()); ++i) {
    for (int rest = displacement[i]; rest != 0; rest += rest > 0 ? -1 : 1) {
      const int end = coordinate(shape, node, i) + rest;
      const bool will_wrap = end < 0 || end >= shape.sides[i];
      const VcClass vc_class = will_wrap ? VcClass::wrapping : VcClass::plain;
      const int port = rest > 0 ? 2 * i : 2 * i + 1;
      path.push_back({node, port, has_classes ? vc_class : VcClass::any});
      node = neighbour(shape, node, port);
      require(node != none, "a displacement leaves the mesh");
    }
  }
  require(node == line.v, "a displacement does not lead to v");
  return path;
}

void balance(const Shape& shape, std::vector<Hop>& path) {
  for (std::size_t i = 0; i < path.size(); ++i) {
    Hop& hop = path[i];
    if (hop.vc_class != VcClass::plain) continue;
    const bool goes_on = i > 0 && path[i - 1].port == hop.port;
    if (!goes_on) {
      hop.vc_class = VcClass::any;
      continue;
    }
    const int step = coordinate(shape, hop.node, hop.port / 2) -
                     coordinate(shape, path[i - 1].node, hop.port / 2);
    const bool has_just_wrapped = step != (hop.port % 2 == 0 ? 1 : -1);
    if (!has_just_wrapped) hop.vc_class = VcClass::kept;
  }
}

std::vector<Hop> gray_path(const Shape& shape, int source) {
  std::vector<Hop> path;
  for (int i = 0; i + 1 < shape.nodes; ++i) {
    const int here = source ^ i ^ (i >> 1);
    const int next = source ^ (i + 1) ^ ((i + 1) >> 1);
    int port = 0;
    while ((here ^ next) != 1 << port) ++port;
    path.push_back({here, port, VcClass::any});
  }
  return path;
}

std::vector<int> snake(const Shape& shape) {
  std::vector<int> layer{0};
  for (int i = 0; i < static_cast<int>(shape.sides.size()); ++i) {
    std::vector<int> layers;
    for (int k = 0; k < shape.sides[i]; ++k) {
      for (const int node : layer) layers.push_back(node + k * stride(shape, i));
      std::reverse(layer.begin(), layer.end());
    }
    layer = layers;
  }
  return layer;
}

std::vector<Hop> label_path(const Shape& shape, int u, int v, int first_dimension) {
  require(!shape.is_hypercube && !shape.wraps, "label worms need a mesh");
  const std::vector<int> walk = snake(shape);
  std::vector<int> place(walk.size());
  for (int i = 0; i < shape.nodes; ++i) place[walk[i]] = i;
  std::vector<Hop> path;
  while (u != v) {
    int best = none;
    for (int port = 0; port < shape.ports; ++port) {
      const int next = neighbour(shape, u, port);
      const bool is_excluded = path.empty() && first_dimension >= 0 && port / 2 != first_dimension;
      if (next == none || is_excluded) continue;
      const bool is_between = place[u] < place[v]
                                  ? place[u] < place[next] && place[next] <= place[v]
                                  : place[v] <= place[next] && place[next] < place[u];
      if (!is_between) continue;
      const bool is_nearer =
          best == none ||
          std::abs(place[v] - place[next]) < std::abs(place[v] - place[neighbour(shape, u, best)]);
      if (is_nearer) best = port;
    }
    require(best != none, "a label worm cannot take its first hop");
    path.push_back({u, best, VcClass::any});
    u = neighbour(shape, u, best);
  }
  return path;
}

bool is_in_group(const Shape& shape, int node, int root, int free) {
  for (int i = 0; i < static_cast<int>(shape.sides.size()); ++i) {
    const bool is_free = free == 0 || (free >> i & 1) != 0;
    if (!is_free && coordinate(shape, node, i) != coordinate(shape, root, i)) return false;
  }
  return true;
}

std::vector<int> join_inputs(const Shape& shape, bool is_ascending, int root, int free, int node) {
  std::set<int> inputs;
  for (int from = 0; from < shape.nodes; ++from) {
    if (!is_in_group(shape, from, root, free)) continue;
    const std::vector<Hop> path = shape.is_hypercube
                                      ? hypercube_path(shape, is_ascending, from, root)
                                      : dimension_ordered_path(shape, false, {from, root});
    for (const Hop& hop : path) {
      if (neighbour(shape, hop.node, hop.port) == node) inputs.insert(far_port(shape, hop.port));
    }
  }
  return {inputs.begin(), inputs.end()};
}

std::vector<Hop> tree_hops(const Shape& shape, bool has_classes, bool is_ascending, int source,
                           int node, int free) {
  struct Branch {
    int length = 0;
    VcClass vc_class = VcClass::any;
  };
  std::map<int, Branch> branches;  // by port
  for (int to = 0; to < shape.nodes; ++to) {
    if (!is_in_group(shape, to, source, free)) continue;
    const std::vector<Hop> path = shape.is_hypercube
                                      ? hypercube_path(shape, is_ascending, source, to)
                                      : dimension_ordered_path(shape, has_classes, {source, to});
    for (int i = 0; i < static_cast<int>(path.size()); ++i) {
      if (path[i].node != node) continue;
      Branch& branch = branches[path[i].port];
      const int length = static_cast<int>(path.size()) - i;
      const bool turns = path.back().port != path[i].port;
      if (!turns && length > branch.length) branch = {length, path[i].vc_class};
    }
  }
  std::vector<Hop> hops;
  for (const auto& [port, branch] : branches) hops.push_back({node, port, branch.vc_class});
  return hops;
}

}  // namespace allport::reference
