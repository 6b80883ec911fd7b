// SPDX-License-Identifier: Apache-2.0
// A RoutingTable says, for each router, each layer of virtual channels on which a head may come and
// each destination, by which port and in which layer the head goes on (docs/router.md, routing by
// tables). It is plain data; tables/ has the rules that fill one, its file and its proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

/// Most layers of a table: those of 16 virtual channels, each a layer.
constexpr int max_table_layers = 16;
/// Most entries of a table: routers * nodes * layers.
constexpr std::uint64_t max_table_entries = std::uint64_t{1} << 31;

class SpanningTree;

/// Throws std::invalid_argument with one sentence if a table of this size, called `name`, would
/// have more than max_table_entries.
void require_table_entries(const std::string& name, std::size_t routers, std::size_t nodes,
                           int layers);

class RoutingTable {
 public:
  /// What a head does.
  struct Entry {
    /// In the place of a port: the head is at its destination; no head comes here.
    static constexpr std::uint8_t local = 254, none = 255;
    std::uint8_t port = none;
    std::uint8_t layer = 0;  ///< of the virtual channel that it asks for there

    bool is_hop() const { return port < local; }
    friend bool operator==(const Entry& a, const Entry& b) {
      return a.port == b.port && a.layer == b.layer;
    }
  };

  /// A table of `layers` layers, 1 .. max_table_layers, for the routers and nodes of a fabric,
  /// which has no entries. `name` is that on the command line, e.g. `table:updown`. Throws
  /// std::invalid_argument with one sentence if it would have more than max_table_entries.
  RoutingTable(std::string name, std::size_t routers, std::size_t nodes, int layers);

  const std::string& name() const { return name_; }
  /// T: 1 + the highest layer that it may name.
  int layers() const { return layers_; }
  std::size_t router_count() const { return routers_; }
  std::size_t node_count() const { return nodes_; }

  /// That of a head in `node` which came on a virtual channel of `layer`, and is for `destination`.
  Entry at(NodeId node, int layer, NodeId destination) const {
    return entries_[place(node, layer, destination)];
  }
  /// That of a head which came on an injection channel.
  Entry at_injection(NodeId node, NodeId destination) const {
    return at(node, layers_, destination);
  }
  void set(NodeId node, int layer, NodeId destination, Entry entry) {
    entries_[place(node, layer, destination)] = entry;
  }
  void set_injection(NodeId node, NodeId destination, Entry entry) {
    set(node, layers_, destination, entry);
  }

  /// The links over which trees and joins go, on virtual channels of layer 0; null: there are
  /// neither.
  const SpanningTree* tree() const { return tree_.get(); }
  void set_tree(std::shared_ptr<const SpanningTree> tree) { tree_ = std::move(tree); }

 private:
  std::size_t place(NodeId node, int layer, NodeId destination) const {
    const std::size_t row = index(node) * static_cast<std::size_t>(layers_ + 1);
    return (row + static_cast<std::size_t>(layer)) * nodes_ + index(destination);
  }

  std::string name_;
  std::size_t routers_;
  std::size_t nodes_;
  int layers_;
  std::vector<Entry> entries_;  // by router, layer (the last: injection) and destination
  std::shared_ptr<const SpanningTree> tree_;
};

}  // namespace allport
