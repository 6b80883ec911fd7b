// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/graphs.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "tests/properties/reference/csv.h"

namespace allport::reference {

namespace {

constexpr int most_graph_ports = 63;

struct FileNode {
  std::string name;
  bool has_processor = true;
  std::string ports = {};
};

bool is_of_digits(const std::string& name) {
  return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
}

/// The nodes in the order of the file of nodes; without one by number if all names are numbers,
/// else as the edges name them.
std::vector<FileNode> nodes_in_order(const Config& config, const std::vector<CsvRow>& edges) {
  std::vector<FileNode> nodes;
  for (const CsvRow& row :
       read_csv(config.nodes, {"node", "processor", "ports", "x", "y", "group", "level"})) {
    const std::string processor = cell_of(row, "processor");
    require(processor.empty() || processor == "true" || processor == "false",
            "a processor is true or false");
    nodes.push_back({cell_of(row, "node"), processor != "false", cell_of(row, "ports")});
  }
  if (!nodes.empty()) return nodes;
  std::set<std::string> known;
  for (const CsvRow& row : edges) {
    for (const auto& [column, cell] : row) {  // v may stand before u
      const bool is_end = column == "u" || column == "v";
      if (is_end && known.insert(cell).second) nodes.push_back({cell});
    }
  }
  if (!std::all_of(known.begin(), known.end(), is_of_digits)) return nodes;
  std::sort(nodes.begin(), nodes.end(), [](const FileNode& a, const FileNode& b) {
    return std::stoi(a.name) < std::stoi(b.name);
  });
  return nodes;
}

/// The ports of the routers that have a link.
class UsedPorts {
 public:
  /// Takes `named`, or the lowest one that is free if it is none.
  int take(int router, int named) {
    int port = named;
    if (port == none) {
      for (port = 0; used_.count({router, port}) != 0;) ++port;
    }
    require(used_.emplace(router, port).second, "a port has a link already");
    require(port < most_graph_ports, "a router has too many ports");
    return port;
  }

 private:
  std::set<std::pair<int, int>> used_;
};

void connect(Shape& shape, End from, const Link& link) {
  shape.links[{from.node, from.port}] = link;
  shape.origins[{link.to.node, link.to.port}] = from;
  for (const End end : {from, link.to}) {
    int& ports = shape.ports_of[static_cast<std::size_t>(end.node)];
    ports = std::max(ports, end.port + 1);
    shape.ports = std::max(shape.ports, ports);
  }
}

}  // namespace

Shape graph_shape(const Config& config) {
  const std::vector<CsvRow> edges =
      read_csv(config.edges, {"u", "v", "delay", "width", "from_port", "to_port"});
  const std::vector<FileNode> nodes = nodes_in_order(config, edges);
  Shape shape;
  shape.is_graph = true;
  std::vector<std::string> own_ports;
  for (const bool has_processor : {true, false}) {
    for (const FileNode& node : nodes) {
      if (node.has_processor != has_processor) continue;
      shape.names.push_back(node.name);
      own_ports.push_back(node.ports);
    }
    if (has_processor) shape.nodes = static_cast<int>(shape.names.size());
  }
  shape.routers = static_cast<int>(shape.names.size());
  shape.ports_of.resize(shape.names.size());
  std::map<std::string, int> numbers;
  for (int i = 0; i < shape.routers; ++i) {
    require(numbers.emplace(shape.names[static_cast<std::size_t>(i)], i).second,
            "a name is there twice");
  }
  UsedPorts outputs;
  UsedPorts inputs;
  for (const CsvRow& row : edges) {
    const int u = numbers.at(cell_of(row, "u"));
    const int v = numbers.at(cell_of(row, "v"));
    require(u != v, "an edge is a loop");
    UsedPorts& ends = config.is_directed ? inputs : outputs;
    const End from{u, outputs.take(u, number_in(row, "from_port", none))};
    const End to{v, ends.take(v, number_in(row, "to_port", none))};
    const int width = number_in(row, "width", config.link_width);
    const int phits = width == 0 ? 1 : (config.flit_bytes + width - 1) / width;
    const int delay = number_in(row, "delay", config.link_delay);
    connect(shape, from, {to, delay, phits});
    if (!config.is_directed) connect(shape, to, {from, delay, phits});
  }
  for (std::size_t i = 0; i < own_ports.size(); ++i) {
    const std::string& own = own_ports[i];
    const int external = shape.ports_of[i];
    shape.internal_ports_of.push_back(own.empty() ? 0 : own == "all" ? external : std::stoi(own));
    require(own.empty() || static_cast<int>(i) < shape.nodes, "a switch has no internal ports");
    require(shape.internal_ports_of.back() <= external, "more internal than external ports");
  }
  return shape;
}

void add_link_attributes(Shape& shape, const Config& config) {
  for (const CsvRow& row :
       read_csv(config.link_attributes, {"u", "v", "delay", "width", "from_port"})) {
    const int u = std::stoi(cell_of(row, "u"));
    const int v = std::stoi(cell_of(row, "v"));
    const int named = number_in(row, "from_port", none);
    const int width = number_in(row, "width", 0);
    bool is_there = false;
    for (int port = 0; port < shape.ports; ++port) {
      if (neighbour(shape, u, port) != v || (named != none && named != port)) continue;
      is_there = true;
      const End back{v, far_port(shape, port)};
      for (const End end : {End{u, port}, back}) {
        Link link;
        link.delay =
            number_in(row, "delay", static_cast<int>(link_delay_of(config, shape, end.port)));
        link.phits = width == 0 ? phits_of(config, shape, end.port)
                                : (config.flit_bytes + width - 1) / width;
        require(shape.own.emplace(std::pair(end.node, end.port), link).second,
                "a link has its attributes twice");
      }
    }
    require(is_there, "there is no such link");
  }
}

}  // namespace allport::reference
