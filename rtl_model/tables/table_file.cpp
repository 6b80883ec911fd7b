// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/tables/table_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "rtl_model/base/csv_columns.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

using Entry = RoutingTable::Entry;

enum TableColumn : std::size_t { of_node, of_layer, of_destination, of_port, of_next_layer };
const CsvCells& table_columns() {
  static const CsvCells names{"node", "layer", "destination", "port", "next_layer"};
  return names;
}
constexpr std::string_view form_of_rows = "node,layer,destination,port,next_layer";
constexpr std::string_view injection = "inject";
constexpr std::string_view local = "local";

struct Row {
  NodeId node{};
  std::optional<int> layer;  // none: injection
  NodeId destination{};
  Entry entry;
  std::size_t line = 0;
};

class TableReader {
 public:
  TableReader(const std::string& path, const Topology& topology,
              const std::vector<std::string>& missing)
      : path_(path),
        topology_(topology),
        missing_(missing),
        columns_(path, table_columns(), table_columns().size()) {}

  void read(const CsvCells& cells, std::size_t line) {
    line_ = line;
    if (columns_.take(cells, line, names_columns(cells))) return;
    columns_.require_cells(cells, line);
    if (places_.empty()) find_places(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) in_order_[places_[i]] = cells[i];
    add(in_order_);
  }

  RoutingTable take() const {
    if (rows_.empty()) {
      throw std::invalid_argument(shown_input(path_) + ": there is no row in it; a line is " +
                                  std::string(form_of_rows));
    }
    RoutingTable table("table:" + path_, topology_.router_count(), topology_.node_count(),
                       highest_ + 1);
    for (const Row& row : rows_) {
      const int layer = row.layer.value_or(table.layers());
      if (table.at(row.node, layer, row.destination).port != Entry::none) {
        reject(row.line,
               "there is a row of node " + topology_.node_name(row.node) + ", " +
                   (row.layer ? "layer " + std::to_string(*row.layer) : std::string(injection)) +
                   " and destination " + topology_.node_name(row.destination) + " before");
      }
      table.set(row.node, layer, row.destination, row.entry);
    }
    return table;
  }

 private:
  [[noreturn]] void reject(std::size_t line, const std::string& why) const {
    throw std::invalid_argument(shown_input(path_) + ":" + std::to_string(line) + ": " + why);
  }
  [[noreturn]] void reject(const std::string& why) const { reject(line_, why); }

  // A node may be called as a column is, but no layer and no port is.
  bool names_columns(const CsvCells& cells) const {
    for (const std::size_t i : {of_layer, of_port, of_next_layer}) {
      if (i < cells.size() && columns_.knows(cells[i])) return true;
    }
    return false;
  }
  void find_places(std::size_t count) {
    const CsvCells& all = table_columns();
    for (std::size_t i = 0; i < count; ++i) {
      const auto column = std::find(all.begin(), all.end(), columns_[i]);
      places_.push_back(static_cast<std::size_t>(column - all.begin()));
    }
    in_order_.resize(count);
  }

  void add(const CsvCells& cells) {
    Row row;
    row.line = line_;
    if (is_missing(cells[of_node]) || is_missing(cells[of_destination])) {
      require_known(cells);
      return;
    }
    row.node = node("node", cells[of_node]);
    if (cells[of_layer] != injection) {
      row.layer = number("layer", cells[of_layer], max_table_layers - 1, ", or inject");
      highest_ = std::max(highest_, *row.layer);
    }
    row.destination = node("destination", cells[of_destination]);
    if (index(row.destination) >= topology_.node_count()) {
      reject("destination: " + in_quotes(cells[of_destination]) + " has no processor");
    }
    if (!row.layer && index(row.node) >= topology_.node_count()) {
      reject("layer: inject, but node " + topology_.node_name(row.node) + " has no processor");
    }
    const bool is_there = row.node == row.destination;
    if (is_there != (cells[of_port] == local)) {
      reject(is_there ? "port: " + in_quotes(cells[of_port]) +
                            ", but a message is local at its destination"
                      : "port: local, but it is so at the destination alone");
    }
    if (is_there) {
      if (!cells[of_next_layer].empty())
        reject("next_layer: a message that is local goes on in none; leave it empty");
      row.entry.port = Entry::local;
    } else {
      const auto most = static_cast<int>(topology_.port_count()) - 1;
      const int port = number("port", cells[of_port], most, ", or local");
      if (!topology_.neighbour(row.node, port_id(static_cast<std::size_t>(port)))) {
        reject("port: " + std::to_string(port) + " of node " + topology_.node_name(row.node) +
               (missing_.empty() ? " leads nowhere"
                                 : " leads nowhere, or to a node that is missing, and a table goes "
                                   "around these"));
      }
      row.entry.port = static_cast<std::uint8_t>(port);
      const int layer = number("next_layer", cells[of_next_layer], max_table_layers - 1, "");
      row.entry.layer = static_cast<std::uint8_t>(layer);
      highest_ = std::max(highest_, layer);
    }
    rows_.push_back(row);
    // With more rows than there are entries one stands twice: the rest of the file matters no more.
    const std::size_t layers = static_cast<std::size_t>(highest_) + 1;
    if (rows_.size() > topology_.router_count() * topology_.node_count() * (layers + 1)) take();
  }

  // Rows of nodes that are missing have gone with them.
  bool is_missing(std::string_view name) const {
    return std::find(missing_.begin(), missing_.end(), name) != missing_.end();
  }
  void require_known(const CsvCells& cells) const {
    if (!is_missing(cells[of_node])) node("node", cells[of_node]);
    if (!is_missing(cells[of_destination])) node("destination", cells[of_destination]);
  }

  NodeId node(const char* column, std::string_view name) const {
    if (const auto found = topology_.find_node(name)) return *found;
    reject(std::string(column) + ": " + in_quotes(name) + " is not a node of " + topology_.name() +
           "; " + topology_.nodes_in_words());
  }

  int number(const char* column, std::string_view cell, int most, const char* or_else) const {
    int value = -1;
    const char* const end = cell.data() + cell.size();
    const auto [stop, error] = std::from_chars(cell.data(), end, value);
    if (error == std::errc{} && stop == end && value >= 0 && value <= most) return value;
    reject(std::string(column) + ": " + in_quotes(cell) + " is not a whole number in 0.." +
           std::to_string(most) + or_else);
  }

  const std::string& path_;
  const Topology& topology_;
  const std::vector<std::string>& missing_;  // names of the nodes that are not there
  std::vector<Row> rows_;
  CsvColumns columns_;
  std::vector<std::size_t> places_;  // of the cells of a line among the columns ..
  CsvCells in_order_;                // .. in whose order they are here
  int highest_ = 0;                  // layer that is named
  std::size_t line_ = 0;
};

void write_row(std::ostream& out, const RoutingTable& table, const Topology& topology, NodeId node,
               int layer) {
  for (std::size_t i = 0; i < table.node_count(); ++i) {
    const NodeId destination = node_id(i);
    const Entry entry = table.at(node, layer, destination);
    if (entry.port == Entry::none) continue;
    out << csv_cell(topology.node_name(node)) << ',';
    if (layer == table.layers()) {
      out << injection;
    } else {
      out << layer;
    }
    out << ',' << csv_cell(topology.node_name(destination)) << ',';
    if (entry.is_hop()) {
      out << int{entry.port} << ',' << int{entry.layer} << '\n';
    } else {
      out << local << ",\n";
    }
  }
}

}  // namespace

RoutingTable read_table(std::string_view text, const std::string& path, const Topology& topology,
                        const std::vector<std::string>& missing) {
  TableReader reader(path, topology, missing);
  for_each_csv_row(
      path, text, [&reader](const CsvCells& cells, std::size_t line) { reader.read(cells, line); });
  return reader.take();
}

void write_table(std::ostream& out, const RoutingTable& table, const Topology& topology) {
  out << form_of_rows << '\n';
  for (std::size_t i = 0; i < table.router_count(); ++i) {
    heed_stop();
    write_row(out, table, topology, node_id(i), table.layers());
    for (int layer = 0; layer < table.layers(); ++layer) {
      write_row(out, table, topology, node_id(i), layer);
    }
  }
}

}  // namespace allport
