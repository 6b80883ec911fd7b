// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "rtl_model/base/csv_line.h"
#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"
#include "rtl_model/graphs/attributes.h"
#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

namespace {

using Cells = std::vector<std::string_view>;

// Calls `use` with the cells and the number of each line that has some.
template <class Use>
void for_each_row(std::string_view text, Use use) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    heed_stop();
    const std::size_t end = text.find('\n');
    const std::string_view line = csv_text(text.substr(0, end), number);
    if (!line.empty()) use(csv_cells(line), number);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

// The columns of a table: those that its first line names, or the usual ones.
class Columns {
 public:
  Columns(const std::string& path, Cells known, std::size_t needed)
      : path_(path), known_(std::move(known)), needed_(needed) {}

  // Whether a line names them: all of its cells do, the first ones of the table among them.
  bool take(const Cells& cells, std::size_t line) {
    if (!columns_.empty()) return false;
    const auto is_known = [this](std::string_view cell) {
      return std::find(known_.begin(), known_.end(), cell) != known_.end();
    };
    const auto has = [&](std::string_view name) {
      return std::find(cells.begin(), cells.end(), name) != cells.end();
    };
    bool names_all = true;
    for (std::size_t i = 0; i < needed_; ++i) names_all = names_all && has(known_[i]);
    if (!names_all) {
      columns_ = known_;
      columns_.resize(std::min(columns_.size(), usual_));
      return false;
    }
    for (const std::string_view cell : cells) {
      if (!is_known(cell)) reject_graph(path_, line, unknown_name("column", cell, known_));
      if (std::count(cells.begin(), cells.end(), cell) > 1) {
        reject_graph(path_, line, "column " + std::string(cell) + " is given twice");
      }
    }
    for (const std::string_view cell : cells) {
      columns_.push_back(*std::find(known_.begin(), known_.end(), cell));
    }
    has_names_ = true;
    return true;
  }
  void have_usually(std::size_t count) { usual_ = count; }

  void require_cells(const Cells& cells, std::size_t line) const {
    const bool fits = has_names_ ? cells.size() == columns_.size()
                                 : cells.size() >= needed_ && cells.size() <= columns_.size();
    if (fits) return;
    std::string form;
    for (const std::string_view column : columns_)
      form += (form.empty() ? "" : ",") + std::string(column);
    reject_graph(path_, line, counted(cells.size(), "cell") + ", but a line is " + form);
  }
  std::string_view operator[](std::size_t i) const { return columns_[i]; }

 private:
  const std::string& path_;
  const Cells known_;
  std::size_t needed_;
  std::size_t usual_ = SIZE_MAX;
  bool has_names_ = false;
  Cells columns_;
};

class EdgeList {
 public:
  EdgeList(const std::string& path, const std::string* nodes)
      : path_(path), nodes_path_(nodes_file_of(path)), nodes_(nodes), names_(graph_) {
    graph_.file = path;
  }

  GraphDescription read(std::string_view text) {
    if (nodes_ != nullptr) read_nodes();
    Columns columns(path_, {"u", "v", "delay", "width", "from_port", "to_port"}, 2);
    columns.have_usually(4);
    for_each_row(text, [&](const Cells& cells, std::size_t line) {
      if (!columns.take(cells, line)) add_edge(columns, cells, line);
    });
    if (graph_.edges.empty()) {
      reject_graph(path_, 0, "there is no edge in it; a line is u,v[,delay[,width]]");
    }
    if (nodes_ == nullptr) sort_by_number();
    return std::move(graph_);
  }

 private:
  void read_nodes() {
    Columns columns(nodes_path_, {"node", "processor", "ports", "x", "y", "group", "level"}, 1);
    for_each_row(*nodes_, [&](const Cells& cells, std::size_t line) {
      if (columns.take(cells, line)) return;
      columns.require_cells(cells, line);
      const auto name = std::find_if(cells.begin(), cells.end(), [&](const std::string_view& cell) {
        return columns[static_cast<std::size_t>(&cell - cells.data())] == "node";
      });
      if (name->empty()) reject_graph(nodes_path_, line, "node is missing");
      if (names_.has(*name)) {
        reject_graph(nodes_path_, line, "node " + in_quotes(*name) + " is there twice");
      }
      const std::size_t place = names_.place(*name, 0);  // its line is one of another file
      set_all(graph_.nodes[place], columns, cells, nodes_path_, line);
    });
  }

  void add_edge(const Columns& columns, const Cells& cells, std::size_t line) {
    columns.require_cells(cells, line);
    GraphDescription::Edge edge;
    edge.line = line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns[i] == "u") edge.u = node(cells[i], "u", line);
      if (columns[i] == "v") edge.v = node(cells[i], "v", line);
    }
    set_all(edge, columns, cells, path_, line);
    graph_.edges.push_back(edge);
  }

  std::size_t node(std::string_view name, const char* column, std::size_t line) {
    if (name.empty()) reject_graph(path_, line, std::string(column) + " is missing");
    if (nodes_ != nullptr && !names_.has(name)) {
      reject_graph(path_, line, in_quotes(name) + " is not a node of " + shown_path(nodes_path_));
    }
    return names_.place(name, line);
  }

  template <class Item>
  static void set_all(Item& item, const Columns& columns, const Cells& cells,
                      const std::string& path, std::size_t line) {
    at_line(path, line, [&] {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!cells[i].empty()) set_attribute(item, columns[i], cells[i]);
      }
    });
  }

  // Nodes that are numbers stand in their order, others as they came.
  void sort_by_number() {
    std::vector<std::uint64_t> numbers;
    for (const GraphDescription::Node& node : graph_.nodes) {
      std::uint64_t number = 0;
      const char* const end = node.name.data() + node.name.size();
      const auto [stop, error] = std::from_chars(node.name.data(), end, number);
      if (error != std::errc{} || stop != end) return;
      numbers.push_back(number);
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
};

}  // namespace

GraphDescription read_edges(const std::string& path, std::string_view text,
                            const std::string* nodes) {
  return EdgeList(path, nodes).read(text);
}

}  // namespace allport
