// SPDX-License-Identifier: Apache-2.0
// Files of graphs: GraphML, as networkx, Gephi and yEd write it, DOT, and lists of edges in CSV
// with a file of nodes beside them (docs/guide/graphs.md).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rtl_model/graphs/graph.h"

namespace allport {

enum class GraphFormat { graphml, dot, edges };

constexpr std::string_view graph_formats_in_words =
    "a graph is GraphML (.graphml, .xml), DOT (.dot, .gv) or a list of edges in CSV (.csv)";

/// That of a file, by its ending, or else by how it begins. Throws std::invalid_argument, one
/// sentence that names the formats, for a file that is none of them.
GraphFormat graph_format(std::string_view path, std::string_view text);

/// The file of nodes beside a list of edges: `net.nodes.csv` of `net.csv`.
std::string nodes_file_of(const std::string& path);

/// What the file `path` says, whose text is `text`; `nodes` is that of its file of nodes, null: it
/// has none. Throws std::invalid_argument, one sentence with file and line.
GraphDescription read_graph(const std::string& path, std::string_view text,
                            const std::string* nodes = nullptr);

}  // namespace allport
