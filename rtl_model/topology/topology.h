// SPDX-License-Identifier: Apache-2.0
// A Topology is the directed graph of nodes and channels: which neighbour each port of each node
// leads to. It is immutable and knows nothing of routing, buffers or time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

enum class TopologyKind { hypercube, torus, mesh, ring, graph };

class Topology {
 public:
  virtual ~Topology() = default;

  TopologyKind kind() const { return kind_; }
  bool is_hypercube() const { return kind_ == TopologyKind::hypercube; }
  /// Whether a dimension closes to a ring (torus, ring).
  bool wraps() const { return kind_ == TopologyKind::torus || kind_ == TopologyKind::ring; }

  bool is_graph() const { return kind_ == TopologyKind::graph; }

  /// Its name on the command line, e.g. `torus:16x16`.
  const std::string& name() const { return name_; }
  /// Nodes with a processor: their numbers come first.
  std::size_t node_count() const { return node_count_; }
  /// Routers: those of the nodes, and of a graph those without a processor, which come after them.
  std::size_t router_count() const { return router_count_; }
  std::size_t dimension_count() const { return sides_.size(); }
  /// Nodes along each dimension; 2 in every dimension of a hypercube; a graph has none.
  const std::vector<int>& sides() const { return sides_; }
  /// External ports of a router, those at the edge of a mesh included; of a graph the most.
  std::size_t port_count() const { return port_count_; }

  /// The same of the routers that have a processor, for the number of internal ports.
  virtual std::size_t node_port_count() const { return port_count_; }

  /// The node to which output `port` of `node` leads; none at the edge of a mesh.
  virtual std::optional<NodeId> neighbour(NodeId node, PortId port) const = 0;
  /// The input port on which a flit that left `node` by `port` arrives at the neighbour.
  virtual PortId arrival_port(NodeId node, PortId port) const = 0;
  /// The channel that ends at input `port` of `node`; none at the edge of a mesh. Where links lead
  /// both ways it comes from the neighbour to which output `port` leads.
  virtual std::optional<Channel> incoming(NodeId node, PortId port) const;
  /// The dimension that `port` crosses; 0 of a graph.
  virtual std::size_t dimension_of(PortId port) const = 0;
  /// Position of `node` in `dimension`: 0 .. side - 1. A graph has no dimension.
  virtual int coordinate(NodeId node, std::size_t dimension) const = 0;

  /// Longest shortest path, in hops.
  virtual int diameter() const = 0;
  /// Unidirectional channels cut when the longest dimension is halved; 0 of a graph, whose cut is
  /// not known.
  virtual std::size_t bisection_channels() const = 0;

  /// The name of a node, or of a router without one, in words, in tables and in files: its number,
  /// or what a graph's file calls it.
  virtual std::string node_name(NodeId node) const;
  /// The node or router that is called `name`.
  virtual std::optional<NodeId> find_node(std::string_view name) const;
  /// The number by which results and files call a node or a router: where nodes are missing, that
  /// which it has in the whole fabric.
  virtual std::size_t number_of(NodeId node) const { return index(node); }
  std::string number_text(NodeId node) const { return std::to_string(number_of(node)); }
  /// The node or router that is called so.
  virtual std::optional<NodeId> find_number(std::size_t number) const;
  /// Whether these numbers are 0, 1, ..: no node is missing.
  bool has_all_numbers() const {
    return router_count_ == 0 || number_of(node_id(router_count_ - 1)) + 1 == router_count_;
  }
  /// `its nodes are 0..15`
  virtual std::string nodes_in_words() const;
  /// The number by which up*/down* routing orders nodes of equal depth: the place in the file.
  virtual std::size_t place_in_file(NodeId node) const { return index(node); }
  /// The node or router that stands first there.
  virtual NodeId first_in_file() const { return node_id(0); }

  /// All external channels, by router, then port.
  std::vector<Channel> channels() const;

  /// The number of `node` seen from `source`: XOR on the hypercube, difference modulo node_count
  /// elsewhere.
  std::size_t relative(NodeId node, NodeId source) const;
  /// The node with the number `relative` seen from `source`: the inverse of relative().
  NodeId absolute(std::size_t relative, NodeId source) const;

 protected:
  Topology(TopologyKind kind, std::string name, std::vector<int> sides, std::size_t port_count);
  /// A graph.
  Topology(std::string name, std::size_t nodes, std::size_t routers, std::size_t port_count);

 private:
  TopologyKind kind_;
  std::string name_;
  std::vector<int> sides_;
  std::size_t node_count_ = 1;
  std::size_t router_count_ = 1;
  std::size_t port_count_;
};

/// Largest hypercube dimension.
constexpr int max_hypercube_dimension = 20;
/// Most dimensions of a torus or mesh: 32 external ports.
constexpr std::size_t max_grid_dimensions = 16;
/// Most nodes of any topology.
constexpr std::size_t max_node_count = std::size_t{1} << 20;

/// Throws std::invalid_argument naming `role`, the node and the range unless `node` is one of
/// `topology`.
void require_node(const Topology& topology, std::uint64_t node, const char* role);

/// Reads `hypercube:N`, `torus:KxK[xK..]`, `mesh:KxK[..]` or `ring:K`.
/// Throws std::invalid_argument with one sentence naming the bad part and the allowed range.
std::shared_ptr<const Topology> parse_topology(std::string_view text);

}  // namespace allport
