// SPDX-License-Identifier: Apache-2.0
// A Graph is a topology that a file describes: any routers, with or without a processor, joined by
// links of their own (docs/guide/graphs.md). Nodes with a processor have the numbers 0, 1, .. in
// the order of the file; routers without one come after them. Words and tables name all by their
// names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/topology/topology.h"

namespace allport {

/// Most external ports of a router of a graph.
constexpr int max_graph_ports = 63;

/// What a file says.
struct GraphDescription {
  struct Node {
    std::string name;
    bool has_processor = true;
    /// K of this node; `all_external`: as many as it has external ones; none: that of the fabric
    std::optional<int> internal_ports{};
    std::optional<double> x{}, y{};  ///< where it is drawn
    std::string group{};
    std::optional<int> level{};
    /// Processors that a file puts behind links of their own, which read_graph() makes nodes; none:
    /// it says nothing of them
    std::optional<int> endpoints{};
    std::optional<std::size_t> number{};  ///< in the whole fabric; none: no nodes are missing
    std::size_t line = 0;                 ///< of the file
    std::size_t nodes_line = 0;  ///< of the file of nodes beside a list of edges; 0: it has none
  };
  static constexpr int all_external = 0;
  struct Edge {
    std::size_t u = 0, v = 0;  ///< places in `nodes`
    std::optional<int> delay{}, width{};
    std::optional<int> from_port{},
        to_port{};  ///< external port at either end; none: the next free
    std::size_t line = 0;
  };
  std::string file;  ///< its name; - is stdin
  bool is_directed = false;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::string nodes_file{};  ///< name of that of its nodes, beside a list of edges; empty: none
  // Of a fabric of which nodes are missing (remaining_graph.h):
  std::string name{};                  ///< of what is left; empty: it is `graph:` and the file
  std::string whole{};                 ///< the fabric's name; empty: all nodes are there
  std::vector<std::string> missing{};  ///< names of the nodes that are not there
};

class Graph final : public Topology {
 public:
  /// Throws std::invalid_argument, one sentence with file and line, on a loop, a second edge
  /// between two nodes where no ports are named, a port that is taken or beyond max_graph_ports, a
  /// node without an edge, internal ports of a switch or more of a node than it has external ones,
  /// fewer than two processors, more than max_node_count nodes, or a name that is there twice, or
  /// has control characters or bytes that are not UTF-8.
  explicit Graph(const GraphDescription& description);

  std::optional<NodeId> neighbour(NodeId node, PortId port) const override;
  PortId arrival_port(NodeId node, PortId port) const override;
  std::optional<Channel> incoming(NodeId node, PortId port) const override;
  std::size_t dimension_of(PortId) const override { return 0; }
  int coordinate(NodeId, std::size_t) const override { return 0; }
  int diameter() const override;
  std::size_t bisection_channels() const override { return 0; }
  std::string node_name(NodeId node) const override { return node_of(node).name; }
  std::optional<NodeId> find_node(std::string_view name) const override;
  std::size_t number_of(NodeId node) const override {
    return node_of(node).number.value_or(index(node));
  }
  std::optional<NodeId> find_number(std::size_t number) const override;
  /// The node or router that the value of an option means: by its name or, where no name is a whole
  /// number, by its number.
  std::optional<NodeId> meant_by(std::string_view text) const;
  /// Whether some name is a whole number, so that numbers are names.
  bool has_numbers_as_names() const { return has_numbers_as_names_; }
  std::string nodes_in_words() const override;
  /// ` of star.dot`, behind words of its nodes; empty: it is what is left of another fabric.
  std::string of_file() const;
  std::size_t node_port_count() const override { return node_ports_; }
  std::size_t place_in_file(NodeId node) const override { return places_[index(node)]; }
  NodeId first_in_file() const override { return numbers_.front(); }

  /// A hash of all of it that determines a run; where nodes are drawn does not.
  std::uint64_t fingerprint() const;
  const GraphDescription& description() const { return description_; }
  /// The edge of a channel.
  const GraphDescription::Edge& edge_of(Channel channel) const {
    return description_.edges[edges_[index(channel.node) * port_count() + index(channel.port)]];
  }
  const GraphDescription::Node& node_of(NodeId node) const {
    return description_.nodes[places_[index(node)]];
  }
  /// External ports of a router: its highest number and one more.
  int external_ports(NodeId node) const { return ports_[index(node)]; }
  /// K of `node` where the file gives it a number of its own.
  std::optional<int> internal_ports(NodeId node) const {
    const std::optional<int>& own = node_of(node).internal_ports;
    return own == GraphDescription::all_external ? external_ports(node) : own;
  }
  bool has_own_internal_ports() const { return has_own_internal_ports_; }
  /// Whether its channels go one way.
  bool is_directed() const { return description_.is_directed; }

 private:
  struct End {
    std::uint32_t node = UINT32_MAX;  // UINT32_MAX: nowhere
    std::uint8_t port = 0;
    bool is_there() const { return node != UINT32_MAX; }
  };
  struct Laid;  // edges with their ports
  Graph(const GraphDescription& description, const Laid& laid);
  static Laid lay(const GraphDescription& description);

  const GraphDescription description_;
  std::vector<std::size_t> places_;   // in the file, by number
  std::vector<NodeId> numbers_;       // by place in the file
  std::vector<End> far_ends_;         // where each output leads, by router and port
  std::vector<End> near_ends_;        // where the channel of each input begins
  std::vector<std::uint32_t> edges_;  // of the channel of each output: its edge
  std::size_t node_ports_ = 0;        // the most of a node with a processor
  std::vector<std::uint8_t> ports_;   // external ones of each router, by number
  bool has_own_internal_ports_ = false;
  std::map<std::string, NodeId, std::less<>> by_name_;
  bool has_numbers_as_names_ = false;
  mutable std::optional<int> diameter_;  // once it is known
};

}  // namespace allport
