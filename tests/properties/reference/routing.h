// SPDX-License-Identifier: Apache-2.0
// This header has the routes of the oracle's messages: shapes, neighbours, paths.
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/properties/reference/fabric.h"

namespace allport::reference {

constexpr int none = -1;

/// Throws std::invalid_argument with `sentence` unless it holds.
inline void require(bool holds, const std::string& sentence) {
  if (!holds) throw std::invalid_argument(sentence);
}

/// Throws std::logic_error with `sentence` unless it holds.
inline void promise(bool holds, const std::string& sentence) {
  if (!holds) throw std::logic_error(sentence);
}

/// `plain` is h or l (the lower half of the VCs), `wrapping` is p (the upper half), `kept` that of
/// the VC by which the head came; `join` and `tree` are VCs that serve nothing else.
enum class VcClass { any, plain, wrapping, kept, first, join, tree };

struct Hop {
  int node;
  int port;
  VcClass vc_class;
  int layer = none;  // by a table: that of the channel
};

/// A port of a router.
struct End {
  int node = none;
  int port = none;
};

/// A channel of a graph.
struct Link {
  End to;  // the input at its end
  Cycle delay = 0;
  Cycle phits = 1;
};

struct Shape {
  bool is_hypercube = false;
  bool wraps = false;
  std::vector<int> sides;
  int nodes = 1;
  int routers = 1;  // those of the nodes come first, then those without a processor
  int ports = 0;    // external; of a graph the most
  bool is_graph = false;
  std::vector<std::string> names = {};              // of a graph: those of its routers
  std::vector<int> ports_of = {};                   // of a graph: by router
  std::map<std::pair<int, int>, Link> links = {};   // of a graph: by router and output
  std::map<std::pair<int, int>, End> origins = {};  // the output at its other end, by input
  std::vector<int> internal_ports_of = {};       // of a graph: by router; 0: it has none of its own
  std::map<std::pair<int, int>, Link> own = {};  // of other fabrics: channels with attributes
};

Shape parse_shape(const std::string& text);
/// The node that output `port` of `node` leads to, or none: the edge of a mesh, or no link.
int neighbour(const Shape& shape, int node, int port);
/// A flit that leaves by + arrives on -; on a hypercube both ends of a link have the same number.
inline int far_port(const Shape& shape, int port) { return shape.is_hypercube ? port : port ^ 1; }

/// The link delay of the channels of external port `port`.
inline Cycle link_delay_of(const Config& config, const Shape& shape, int port) {
  if (config.link_delays.empty()) return config.link_delay;
  return config.link_delays[shape.is_hypercube ? port : port / 2];
}

/// The cycles for which a flit occupies the channel of `port`.
inline Cycle phits_of(const Config& config, const Shape& shape, int port) {
  if (config.phits.empty() || port >= shape.ports) return 1;
  return config.phits[shape.is_hypercube ? port : port / 2];
}

/// The input at the end of the channel of output `port` of `node`.
End end_of(const Shape& shape, int node, int port);
/// The output at the beginning of the channel that ends at input `port` of `node`.
End origin_of(const Shape& shape, int node, int port);
/// The link delay of the channel of output `port` of `node`, and its phits.
Cycle link_delay_of(const Config& config, const Shape& shape, int node, int port);
Cycle phits_of(const Config& config, const Shape& shape, int node, int port);

/// The displacement of a message from `u` to `v` by the rule `ties`; `bits`: the draw of
/// Ties::random, a bit for each dimension.
std::vector<int> tie_broken_displacement(const Shape& shape, Ties ties, std::uint64_t bits, int u,
                                         int v);

std::vector<Hop> hypercube_path(const Shape& shape, bool is_ascending, int u, int v);
std::vector<Hop> dimension_ordered_path(const Shape& shape, bool has_classes, const Line& line);
/// Frees the hops of a whole path, with classes, which no wraparound channel follows: the first one
/// of those that go the same way takes any class, and the others keep it.
void balance(const Shape& shape, std::vector<Hop>& path);
/// The Hamiltonian path from `source`: it visits source xor i xor (i >> 1) for i = 0, 1, ..
std::vector<Hop> gray_path(const Shape& shape, int source);
/// The nodes of a mesh along a snake: through the last dimension, forwards in every other layer.
std::vector<int> snake(const Shape& shape);
/// From `u` to `v` over neighbours that come ever nearer to `v` on the snake and never pass it,
/// each time the nearest one; if `first_dimension` is not -1, the first hop is in that dimension.
std::vector<Hop> label_path(const Shape& shape, int u, int v, int first_dimension);
/// Whether `node` is of the group of `root`: it agrees with it in all dimensions that are not
/// `free` (a bit each; 0: all are).
bool is_in_group(const Shape& shape, int node, int root, int free);
/// The external inputs of `node` by which contributions to a join of `root` come: those that the
/// routes of the group to the root take.
std::vector<int> join_inputs(const Shape& shape, bool is_ascending, int root, int free, int node);
/// The external outputs of a tree worm at `node`, with their classes: those that the routes from
/// its source to the nodes of its group take. The class is that of the route that goes on longest
/// through one of them and ends in the same dimension.
std::vector<Hop> tree_hops(const Shape& shape, bool has_classes, bool is_ascending, int source,
                           int node, int free = 0);

}  // namespace allport::reference
