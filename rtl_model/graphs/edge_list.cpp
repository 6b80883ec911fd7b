// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/graphs/csv_table.h"
#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

namespace {

class EdgeList {
 public:
  EdgeList(const std::string& path, const std::string* nodes)
      : path_(path),
        nodes_path_(nodes_file_of(path)),
        nodes_(nodes),
        names_(graph_),
        edges_(graph_) {
    graph_.file = path;
  }

  GraphDescription read(std::string_view text) {
    if (nodes_ != nullptr) {
      graph_.nodes_file = nodes_path_;
      read_nodes();
    }
    CsvColumns columns(path_, {"u", "v", "delay", "width", "from_port", "to_port"}, 2);
    columns.have_usually(4);
    columns.also_call("u", "source");  // as pandas and networkx do
    columns.also_call("v", "target");
    for_each_csv_row(path_, text, [&](const CsvCells& cells, std::size_t line) {
      if (!columns.take(cells, line)) add_edge(columns, cells, line);
    });
    if (graph_.edges.empty()) {
      reject_graph(path_, 0, "there is no edge in it; a line is u,v[,delay[,width]]");
    }
    if (!columns.has_names() && nodes_ == nullptr) require_no_other_names();
    if (nodes_ == nullptr) sort_by_number();
    return std::move(graph_);
  }

 private:
  void read_nodes() {
    CsvColumns columns(nodes_path_,
                       {"node", "processor", "ports", "x", "y", "group", "level", "endpoints"}, 1);
    for_each_csv_row(nodes_path_, *nodes_, [&](const CsvCells& cells, std::size_t line) {
      if (columns.take(cells, line)) return;
      columns.require_cells(cells, line);
      const auto name = std::find_if(cells.begin(), cells.end(), [&](const std::string_view& cell) {
        return columns[static_cast<std::size_t>(&cell - cells.data())] == "node";
      });
      if (name->empty()) reject_graph(nodes_path_, line, "node is missing");
      if (names_.has(*name)) {
        reject_graph(nodes_path_, line, "node " + in_quotes(*name) + " is there twice");
      }
      require_node_count(graph_.nodes.size() + 1, nodes_path_, line);
      const std::size_t place = names_.place(*name, 0);
      graph_.nodes[place].nodes_line = line;
      set_attributes(graph_.nodes[place], columns, cells, nodes_path_, line);
    });
  }

  void add_edge(const CsvColumns& columns, const CsvCells& cells, std::size_t line) {
    if (!columns.has_names() && cells.size() > 2 && cells[2].substr(0, 1) == "{") {
      reject_graph(path_, line,
                   "behind u and v stands " + in_quotes(cells[2]) +
                       ", attributes as networkx writes them; write_edgelist with data=False or "
                       "data=[\"delay\", \"width\"] writes none or columns, and write_graphml all");
    }
    columns.require_cells(cells, line);
    GraphDescription::Edge edge;
    edge.line = line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns[i] == "u") edge.u = node(cells[i], "u", line);
      if (columns[i] == "v") edge.v = node(cells[i], "v", line);
    }
    set_attributes(edge, columns, cells, path_, line);
    edges_.add(edge);
  }

  std::size_t node(std::string_view name, const char* column, std::size_t line) {
    if (name.empty()) reject_graph(path_, line, std::string(column) + " is missing");
    if (nodes_ != nullptr && !names_.has(name)) {
      reject_graph(path_, line, in_quotes(name) + " is not a node of " + shown_path(nodes_path_));
    }
    return names_.place(name, line);
  }

  // The first row may name columns that nobody knows: its two words stand in no other row.
  void require_no_other_names() const {
    const GraphDescription::Edge& first = graph_.edges.front();
    const auto is_word = [this](std::size_t place) {
      const std::string& name = graph_.nodes[place].name;
      return name.find_first_not_of("0123456789") != std::string::npos;
    };
    const auto is_apart = [&first](const GraphDescription::Edge& edge) {
      return edge.u != first.u && edge.u != first.v && edge.v != first.u && edge.v != first.v;
    };
    const bool names_columns = is_word(first.u) && is_word(first.v) && graph_.edges.size() > 1 &&
                               std::all_of(graph_.edges.begin() + 1, graph_.edges.end(), is_apart);
    if (!names_columns) return;
    reject_graph(
        path_, first.line,
        in_quotes(graph_.nodes[first.u].name) + " and " + in_quotes(graph_.nodes[first.v].name) +
            " stand in no other line; a line that names the columns has u and v, or source "
            "and target");
  }

  // Nodes that are numbers stand in their order, others as they came.
  void sort_by_number() {
    std::vector<std::pair<std::size_t, std::string>> numbers;  // of any length: digits, and which
    for (const GraphDescription::Node& node : graph_.nodes) {
      if (node.name.find_first_not_of("0123456789") != std::string::npos) return;
      const std::size_t zeros = std::min(node.name.find_first_not_of('0'), node.name.size());
      numbers.emplace_back(node.name.size() - zeros, node.name.substr(zeros));
    }
    std::vector<std::size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
    std::vector<std::size_t> places(order.size());
    std::vector<GraphDescription::Node> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      places[order[i]] = i;
      sorted.push_back(std::move(graph_.nodes[order[i]]));
    }
    graph_.nodes = std::move(sorted);
    for (GraphDescription::Edge& edge : graph_.edges) {
      edge.u = places[edge.u];
      edge.v = places[edge.v];
    }
  }

  const std::string& path_;
  const std::string nodes_path_;
  const std::string* nodes_;  // text of the file of nodes; null: there is none
  GraphDescription graph_;
  NodeNames names_;
  EdgeCounts edges_;
};

}  // namespace

GraphDescription read_edges(const std::string& path, std::string_view text,
                            const std::string* nodes) {
  return EdgeList(path, nodes).read(text);
}

}  // namespace allport
