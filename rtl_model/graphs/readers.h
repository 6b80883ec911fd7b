// SPDX-License-Identifier: Apache-2.0
// The readers of the formats, one in a file each (graph_file.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rtl_model/graphs/graph.h"

namespace allport {

GraphDescription read_graphml(const std::string& path, std::string_view text);
GraphDescription read_dot(const std::string& path, std::string_view text);
GraphDescription read_edges(const std::string& path, std::string_view text,
                            const std::string* nodes);

/// Throws std::invalid_argument with `path`, `line` (0: none) and `why`.
[[noreturn]] void reject_graph(const std::string& path, std::size_t line, const std::string& why);

/// Calls `set` and puts file and line before what it throws.
template <class Set>
void at_line(const std::string& path, std::size_t line, Set set) {
  try {
    set();
  } catch (const std::invalid_argument& error) {
    reject_graph(path, line, error.what());
  }
}

/// Throws std::invalid_argument with `path` and `line` if a graph of `nodes` has one more than may
/// be.
void require_node_count(std::size_t nodes, const std::string& path, std::size_t line);

/// Throws std::invalid_argument, one sentence with file and line, if an edge is a loop, one too
/// many between its nodes, or has no port (graph.h).
void require_ports(const GraphDescription& graph);

/// Adds edges, and ends with the first one that has no port any more, so that a file of any length
/// is given up early.
class EdgeCounts {
 public:
  explicit EdgeCounts(GraphDescription& graph) : graph_(graph) {}
  void add(const GraphDescription::Edge& edge);

 private:
  GraphDescription& graph_;
  std::vector<std::uint8_t> outputs_, inputs_;  // edges by node, inputs in a directed graph alone
};

/// Finds nodes by name, and adds those that are not there.
class NodeNames {
 public:
  explicit NodeNames(GraphDescription& graph) : graph_(graph) {}
  /// The place of the node in the file, which first stands in `line`. Throws std::invalid_argument
  /// with file and line if there would be more than may be.
  std::size_t place(std::string_view name, std::size_t line);
  bool has(std::string_view name) const { return places_.count(std::string(name)) != 0; }

 private:
  GraphDescription& graph_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace allport
