// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/tables.h"

#include <algorithm>

#include "tests/properties/reference/csv.h"

namespace allport::reference {

namespace {

/// The router that a row calls `name`: a regular fabric has numbers for names.
int router_called(const Shape& shape, const std::string& name) {
  if (!shape.is_graph) {
    const int number = std::stoi(name);
    require(number >= 0 && number < shape.routers, "a row names no node");
    return number;
  }
  const auto found = std::find(shape.names.begin(), shape.names.end(), name);
  require(found != shape.names.end(), "a row names no node");
  return static_cast<int>(found - shape.names.begin());
}

}  // namespace

const TableEntry& Table::look_up(int node, int layer, int destination) const {
  const auto found = rows.find({node, layer, destination});
  require(found != rows.end(), "a table has no row for a head that comes");
  return found->second;
}

Table read_table(const std::string& text, const Shape& shape) {
  Table table;
  for (const CsvRow& row : read_csv(text, {"node", "layer", "destination", "port", "next_layer"})) {
    table.is_there = true;
    const bool is_injected = cell_of(row, "layer") == "inject";
    const int layer = is_injected ? none : number_in(row, "layer", none);
    TableEntry entry;
    if (cell_of(row, "port") != "local") {
      entry.port = number_in(row, "port", none);
      entry.layer = number_in(row, "next_layer", none);
    }
    table.layers = std::max({table.layers, layer + 1, entry.layer + 1});
    const int node = router_called(shape, cell_of(row, "node"));
    const int destination = router_called(shape, cell_of(row, "destination"));
    require(table.rows.emplace(std::tuple(node, layer, destination), entry).second,
            "a table has two rows for one head");
  }
  return table;
}

std::vector<Hop> table_path(const Shape& shape, const Table& table, int u, int v) {
  std::vector<Hop> path;
  int node = u;
  int layer = none;
  while (table.look_up(node, layer, v).port != none) {
    const TableEntry& entry = table.look_up(node, layer, v);
    require(path.size() < table.rows.size(), "a table runs in a circle");
    path.push_back({node, entry.port, VcClass::any, entry.layer});
    node = neighbour(shape, node, entry.port);
    require(node != none, "a table leads over a link that is not there");
    layer = entry.layer;
  }
  require(node == v, "a table ends elsewhere");
  return path;
}

int layers_among(const Table& table, int vcs) {
  int layers = table.layers;
  require(layers <= vcs, "a table has more layers than a message class has VCs");
  while (vcs % layers != 0) ++layers;
  return layers;
}

}  // namespace allport::reference
