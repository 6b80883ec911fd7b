// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/drawn_graphs.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/graphs/link_attributes.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/tables/table_file.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/plan_run.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/graphs.h"
#include "tests/support/draw.h"

namespace allport::test {

namespace {

template <class Item>
void shuffle(Draw& draw, std::vector<Item>& items) {
  std::vector<Item> shuffled;
  for (const std::size_t i : draw.subset(items.size(), items.size())) shuffled.push_back(items[i]);
  items = shuffled;
}

std::string joined(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += cell + ",";
  line.back() = '\n';
  return line;
}

/// Writes a list of edges: between random nodes, with attributes and ports of their own here and
/// there.
class EdgeWriter {
 public:
  EdgeWriter(Draw& draw, const reference::Config& config, bool has_widths,
             std::vector<std::string> names)
      : draw_(draw),
        config_(config),
        has_widths_(has_widths),
        names_(std::move(names)),
        routers_(static_cast<int>(names_.size())) {}

  std::string write() {
    draw_pairs();
    const bool has_delays = draw_.below(4) > 0;
    std::vector<std::string> columns{"u", "v"};
    if (has_delays || draw_.below(3) == 0) columns.emplace_back("delay");
    if (has_widths_ || draw_.below(3) == 0) columns.emplace_back("width");
    const bool is_in_order = columns.size() < 3 || columns[2] == "delay";
    const bool has_header = has_parallel_links_ || !is_in_order || draw_.below(3) == 0;
    if (has_header) {
      columns.insert(columns.end(), {"from_port", "to_port"});
      shuffle(draw_, columns);
    }
    std::string text = has_header ? joined(columns) : "";
    for (const Pair& pair : pairs_) {
      for (int copies = pair.is_parallel ? 2 : 1; copies > 0; --copies) {
        std::map<std::string, std::string> cells{{"u", name(pair.u)}, {"v", name(pair.v)}};
        if (has_delays && draw_.below(3) > 0) cells["delay"] = std::to_string(draw_.below(5));
        cells["width"] = draw_width();
        name_ports(pair, has_header, cells);
        std::vector<std::string> line;
        for (const std::string& column : columns) line.push_back(cells[column]);
        text += joined(line);
      }
    }
    return text;
  }

 private:
  struct Pair {
    int u, v;
    bool is_parallel = false;
  };

  const std::string& name(int node) const { return names_[static_cast<std::size_t>(node)]; }

  /// A tree, or in a directed graph a ring, and some more.
  void draw_pairs() {
    std::set<std::pair<int, int>> known;
    const auto add = [&](int u, int v) {
      const auto key =
          config_.is_directed ? std::pair(u, v) : std::pair(std::min(u, v), std::max(u, v));
      if (u == v || !known.insert(key).second) return;
      const bool is_parallel = draw_.below(8) == 0;
      has_parallel_links_ = has_parallel_links_ || is_parallel;
      pairs_.push_back({u, v, is_parallel});
    };
    std::vector<int> ring;
    for (int i = 0; i < routers_; ++i) ring.push_back(i);
    shuffle(draw_, ring);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      if (config_.is_directed) {
        add(ring[i], ring[(i + 1) % ring.size()]);
      } else if (i > 0) {
        add(ring[i], ring[static_cast<std::size_t>(draw_.below(static_cast<int>(i)))]);
      }
    }
    for (int more = draw_.below(routers_ + 1); more > 0; --more) {
      add(draw_.below(routers_), draw_.below(routers_));
    }
    shuffle(draw_, pairs_);
  }

  std::string draw_width() {
    const int bytes = config_.flit_bytes;
    if (draw_.below(3) == 0) return "";
    return std::to_string(has_widths_ ? 1 + draw_.below(bytes) : bytes + draw_.below(3));
  }

  /// Parallel links name both ports, others now and then. The ports that have a link are counted
  /// only to name some that have none.
  void name_ports(const Pair& pair, bool may_name, std::map<std::string, std::string>& cells) {
    for (const bool is_from : {true, false}) {
      const int node = is_from ? pair.u : pair.v;
      std::set<int>& used = (is_from || !config_.is_directed ? outputs_ : inputs_)[node];
      int port = 0;
      const bool is_named = pair.is_parallel || (may_name && draw_.below(8) == 0);
      if (is_named) port = draw_.below(9);
      while (used.count(port) != 0) ++port;
      used.insert(port);
      if (is_named) cells[is_from ? "from_port" : "to_port"] = std::to_string(port);
    }
  }

  Draw& draw_;
  const reference::Config& config_;
  const bool has_widths_;
  const std::vector<std::string> names_;
  const int routers_;
  bool has_parallel_links_ = false;
  std::vector<Pair> pairs_;
  std::map<int, std::set<int>> outputs_, inputs_;  // that have a link, by node
};

std::vector<std::string> draw_names(Draw& draw) {
  const std::string letters = draw.one_of<std::string>({"", "n", "s"});
  std::vector<std::string> names;
  for (int i = 3 + draw.below(12); i > 0; --i) names.push_back(letters + std::to_string(3 * i));
  shuffle(draw, names);
  return names;
}

/// Some routers are switches; without any there is not always a file of nodes.
std::string draw_nodes(Draw& draw, std::vector<std::string> names) {
  const bool has_switches = names.size() > 2 && draw.below(3) > 0;
  if (!has_switches && draw.below(2) == 0) return "";
  shuffle(draw, names);
  std::string text = "node,processor\n";
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_switch = has_switches && i > 1 && draw.below(3) == 0;
    lines.push_back(names[i] + (is_switch ? ",false\n" : draw.below(2) == 0 ? ",true\n" : ",\n"));
  }
  shuffle(draw, lines);
  for (const std::string& line : lines) text += line;
  return text;
}

/// The file of nodes `text` with a column for the internal ports of some nodes.
std::string with_own_ports(Draw& draw, const std::string& text, const reference::Shape& shape) {
  std::istringstream lines(text);
  std::string with;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(','));
    const auto place = std::find(shape.names.begin(), shape.names.end(), name);
    const auto number = static_cast<std::size_t>(place - shape.names.begin());
    const bool is_node = number < static_cast<std::size_t>(shape.nodes);
    std::string ports;
    if (name == "node") {
      ports = "ports";
    } else if (is_node && draw.below(3) > 0) {
      const int most = shape.ports_of[number];
      ports = draw.below(4) == 0 ? "all" : std::to_string(1 + draw.below(most));
    }
    with += line + "," + ports + "\n";
  }
  return with;
}

/// Attributes of some links of a regular fabric.
std::string draw_link_attributes(Draw& draw, const Topology& topology, int flit_bytes,
                                 bool has_widths) {
  std::vector<std::string> columns{"u", "v", "delay", "width", "from_port"};
  const bool has_header = draw.below(2) == 0;
  if (has_header) shuffle(draw, columns);
  std::string text = has_header ? joined(columns) : "";
  for (const Channel channel : topology.channels()) {
    const NodeId to = *topology.neighbour(channel.node, channel.port);
    const Channel back{to, topology.arrival_port(channel.node, channel.port)};
    if (!(channel < back) || draw.below(2) == 0) continue;
    const bool turns = draw.below(2) == 0;
    const Channel named = turns ? back : channel;
    std::map<std::string, std::string> cells{
        {"u", std::to_string(index(named.node))},
        {"v", std::to_string(index(turns ? channel.node : to))}};
    std::size_t parallel = 0;
    for (std::size_t i = 0; i < topology.port_count(); ++i) {
      if (topology.neighbour(channel.node, port_id(i)) == to) ++parallel;
    }
    if (parallel > 1 || draw.below(4) == 0) {
      cells["from_port"] = std::to_string(index(named.port));
    }
    cells["delay"] = std::to_string(draw.below(7));
    if (draw.below(3) > 0) {
      cells["width"] =
          std::to_string(has_widths ? 1 + draw.below(flit_bytes) : flit_bytes + draw.below(3));
    }
    std::vector<std::string> line;
    for (const std::string& column : columns) line.push_back(cells[column]);
    text += joined(line);
  }
  return text;
}

/// Channels from each router to `node`.
std::vector<int> distances_to(const reference::Shape& shape, int node) {
  std::vector<int> distances(static_cast<std::size_t>(shape.routers), -1);
  std::vector<int> reached{node};
  distances[static_cast<std::size_t>(node)] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const auto& [from, link] : shape.links) {
      int& distance = distances[static_cast<std::size_t>(from.first)];
      if (link.to.node != reached[i] || distance >= 0) continue;
      distance = distances[static_cast<std::size_t>(reached[i])] + 1;
      reached.push_back(from.first);
    }
  }
  return distances;
}

/// Rows of ways that are drawn anew for each router, layer and destination: the layer is the number
/// of channels before, so no channels wait in a cycle. They are shortest ways, or some lead about
/// and cross a channel twice.
std::string draw_rising_rows(Draw& draw, const reference::Shape& shape, int* layers) {
  std::vector<std::vector<int>> distances;
  *layers = 1;
  for (int to = 0; to < shape.nodes; ++to) {
    distances.push_back(distances_to(shape, to));
    for (int from = 0; from < shape.nodes; ++from) {
      *layers = std::max(*layers, distances.back()[static_cast<std::size_t>(from)]);
    }
  }
  const bool leads_about = *layers < 12 && draw.below(3) == 0;
  if (leads_about) *layers += 1 + draw.below(4);
  std::vector<std::string> rows;
  for (int to = 0; to < shape.nodes; ++to) {
    const auto& distance = distances[static_cast<std::size_t>(to)];
    for (int node = 0; node < shape.routers; ++node) {
      const int left = distance[static_cast<std::size_t>(node)];
      for (int layer = -1; layer + 1 + left <= *layers; ++layer) {
        if (layer < 0 && (node >= shape.nodes || node == to)) continue;
        std::vector<int> ports;
        for (const auto& [from, link] : shape.links) {
          const int then = distance[static_cast<std::size_t>(link.to.node)];
          const bool is_way = leads_about ? then >= 0 && layer + 2 + then <= *layers : then < left;
          if (from.first == node && is_way) ports.push_back(from.second);
        }
        rows.push_back(joined({shape.names[static_cast<std::size_t>(node)],
                               layer < 0 ? "inject" : std::to_string(layer),
                               shape.names[static_cast<std::size_t>(to)],
                               node == to ? "local" : std::to_string(draw.one_of(ports)),
                               node == to ? "" : std::to_string(layer + 1)}));
      }
    }
  }
  shuffle(draw, rows);
  std::string text = draw.below(2) == 0 ? "" : "node,layer,destination,port,next_layer\n";
  for (const std::string& row : rows) text += row;
  return text;
}

/// The layers of `shortest` on the graph; 17: more than a channel has VCs.
int shortest_layers(const std::shared_ptr<const Topology>& graph) {
  TableRequest table;
  table.rule = "shortest";
  table.topology = graph;
  table.vcs = 16;
  try {
    return make_table(table)->layers();
  } catch (const std::invalid_argument&) {
    return 17;
  }
}

/// Draws the table of a graph, and virtual channels for it.
void draw_table(Draw& draw, const reference::Shape& shape, DrawnRun& drawn) {
  reference::Config& config = drawn.config;
  FabricRequest& fabric = drawn.request.fabric;
  int each = 1 + draw.below(3);
  int kind = config.is_directed ? 3 + draw.below(3) : draw.below(6);
  const int shortest = kind == 3 || kind == 4 ? shortest_layers(fabric.topology) : 1;
  if (shortest > 16) kind = 5;
  if (kind == 5) {
    int layers = 1;
    config.table = draw_rising_rows(draw, shape, &layers);
    if (config.classes * layers > 16) config.classes = 1;
    each = layers + draw.below(16 / config.classes - layers + 1);
    fabric.table = TableChoice{"rows.csv", std::make_shared<const std::string>(config.table)};
  } else if (kind > 2) {
    config.classes = std::min(config.classes, 16 / shortest);
    each = draw.below(2) == 0 ? 0 : 16 / config.classes;
    fabric.table = parse_table("shortest");
  } else if (kind > 0) {
    const auto root = static_cast<std::size_t>(draw.below(shape.routers));
    fabric.table = parse_table("updown:" + shape.names[root]);
  }
  if (fabric.table) fabric.routing = RoutingOrder::table;
  if (kind <= 2 && draw.below(4) == 0) each = 0;
  config.vcs = config.classes * each;
}

void draw_lines(Draw& draw, int nodes, DrawnRun& drawn) {
  const reference::Config& config = drawn.config;
  const int cycles = draw.one_of<int>({1, 20, 100});
  const int hotspot = draw.below(3) == 0 ? draw.below(nodes) : -1;
  for (int i = 1 + draw.below(60); i > 0; --i) {
    reference::Line line;
    line.u = draw.below(nodes);
    const bool is_to_hotspot = hotspot >= 0 && hotspot != line.u && draw.below(2) == 0;
    line.v = is_to_hotspot ? hotspot : (line.u + 1 + draw.below(nodes - 1)) % nodes;
    line.message_class = draw.below(config.classes);
    line.flits = 1 + draw.below(config.flits);
    line.at = draw.below(cycles);
    drawn.lines.push_back(line);
  }
  std::stable_sort(drawn.lines.begin(), drawn.lines.end(),
                   [](const reference::Line& a, const reference::Line& b) { return a.at < b.at; });
  std::map<int, int> sent;
  for (reference::Line& line : drawn.lines) line.order = sent[line.u]++;
}

/// Classes, buffers, times and switching, which is always wormhole if `is_plain`.
void draw_router(Draw& draw, bool is_plain, reference::Config& config) {
  using reference::Mode;
  config.classes = 1 + draw.below(3);
  config.buffer_depth = 1 + draw.below(6);
  config.link_delay = draw.below(4);
  config.flits = 1 + draw.below(12);
  config.ts = draw.one_of<int>({0, 0, 0, 1, 5});
  config.seed = static_cast<std::uint64_t>(draw.below(1000));
  if (!is_plain) {
    config.mode = draw.one_of<Mode>(
        {Mode::wormhole, Mode::cut_through, Mode::store_and_forward, Mode::circuit});
  }
  const bool is_whole = config.mode == Mode::cut_through || config.mode == Mode::store_and_forward;
  if (is_whole) config.flits = 1 + draw.below(config.buffer_depth);
}

/// What the configuration says, and the request says alike. Both count on the default if it has
/// one.
void ask_for(const reference::Config& config, RunRequest& request) {
  request.router.buffer_depth = config.buffer_depth;
  request.router.link_delay = config.link_delay;
  request.router.link_delays = config.link_delays;
  copy_pipeline(config, request.router);
  request.router.classes = config.classes;
  request.router.vcs = config.vcs;
  request.router.switching = static_cast<Switching>(config.mode);
  if (config.ports > 0) request.fabric.ports = config.ports;
  request.message.flit_bytes = config.flit_bytes;
  request.node.ts = config.ts;
  request.traffic.seed = config.seed;
}

}  // namespace

DrawnRun draw_graph_run(std::uint64_t seed) {
  Draw draw(seed);
  DrawnRun drawn;
  reference::Config& config = drawn.config;
  const bool has_widths = draw.below(2) == 0;
  draw_router(draw, !has_widths, config);
  config.topology = "graph";
  config.flit_bytes = draw.one_of<int>({1, 2, 4, 4, 7});
  if (has_widths && draw.below(2) == 0) config.link_width = 1 + draw.below(config.flit_bytes);
  config.is_directed = draw.below(4) == 0;
  const std::vector<std::string> names = draw_names(draw);
  config.edges = EdgeWriter(draw, config, has_widths, names).write();
  config.nodes = draw_nodes(draw, names);
  reference::Shape shape = reference::graph_shape(config);
  Draw own(seed ^ 0x9e3779b97f4a7c15U);  // so that all else is drawn as without them
  if (!config.nodes.empty() && own.below(2) == 0) {
    config.nodes = with_own_ports(own, config.nodes, shape);
    shape = reference::graph_shape(config);
  }
  const int most_ports =
      *std::max_element(shape.ports_of.begin(), shape.ports_of.begin() + shape.nodes);
  if (draw.below(2) == 0) config.ports = 1 + draw.below(most_ports);
  GraphDescription description =
      read_graph("net.csv", config.edges, config.nodes.empty() ? nullptr : &config.nodes);
  description.is_directed = config.is_directed;
  drawn.request.fabric.topology = std::make_shared<Graph>(description);
  draw_table(draw, shape, drawn);
  draw_lines(draw, shape.nodes, drawn);
  draw_pipeline(seed, config);
  ask_for(config, drawn.request);
  if (config.link_width > 0) drawn.request.router.link_widths = {config.link_width};
  return drawn;
}

DrawnRun draw_regular_run(std::uint64_t seed) {
  Draw draw(seed);
  DrawnRun drawn;
  reference::Config& config = drawn.config;
  const bool is_plain = draw.below(2) == 0;
  draw_router(draw, is_plain, config);
  config.topology =
      draw.one_of<std::string>({"hypercube:1", "hypercube:3", "mesh:3x3", "mesh:2x2x3", "ring:2",
                                "ring:5", "ring:6", "torus:3x4", "torus:4x2", "torus:4x4"});
  const auto topology = parse_topology(config.topology);
  config.vcs = config.classes * (topology->wraps() ? 2 + draw.below(3) : 1 + draw.below(3));
  if (draw.below(3) == 0) config.vcs = 0;
  const int most_ports = static_cast<int>(topology->port_count());
  if (draw.below(2) == 0) config.ports = 1 + draw.below(most_ports);
  const bool has_widths = !is_plain && draw.below(2) == 0;
  const bool has_delays = draw.below(3) == 0;
  if (has_delays) config.link_delay = 0;
  for (std::size_t i = 0; i < topology->dimension_count(); ++i) {
    if (has_delays) config.link_delays.push_back(draw.below(5));
    if (has_delays) config.link_delay = std::max(config.link_delay, config.link_delays.back());
    if (!has_widths) continue;
    drawn.request.router.link_widths.push_back(1 + draw.below(config.flit_bytes));
    const int width = drawn.request.router.link_widths.back();
    config.phits.push_back((config.flit_bytes + width - 1) / width);
  }
  draw_lines(draw, static_cast<int>(topology->node_count()), drawn);
  FabricRequest& fabric = drawn.request.fabric;
  fabric.topology = topology;
  fabric.routing = RoutingOrder::table;
  config.is_ascending = topology->is_hypercube() && draw.below(2) == 0;
  fabric.table = parse_table(config.is_ascending ? "dimension:ascending" : "dimension");
  if (topology->wraps()) {
    using reference::Ties;
    config.ties = draw.one_of<Ties>({Ties::positive, Ties::negative, Ties::alternate});
    drawn.request.traffic.ties.rule = static_cast<TieBreak::Rule>(config.ties);
  }
  draw_pipeline(seed, config);
  ask_for(config, drawn.request);
  Draw own(seed ^ 0x9e3779b97f4a7c15U);
  if (own.below(3) > 0) {
    const bool is_narrow = !is_plain && own.below(2) == 0;
    config.link_attributes = draw_link_attributes(own, *topology, config.flit_bytes, is_narrow);
    const bool has_lines = config.link_attributes.find_first_of("0123456789") != std::string::npos;
    if (!has_lines) config.link_attributes.clear();
  }
  if (!config.link_attributes.empty()) {
    drawn.request.router.link_attributes =
        std::make_shared<LinkAttributes>(read_link_attributes("links.csv", config.link_attributes));
  }
  return drawn;
}

bool is_for_worms(const DrawnRun& drawn) { return drawn.config.mode == reference::Mode::wormhole; }

RunRequest with_lines(const DrawnRun& drawn) {
  TaskGraph graph;
  graph.ranks = static_cast<std::uint32_t>(drawn.request.fabric.topology->node_count());
  for (const reference::Line& line : drawn.lines) {
    Task send;
    send.kind = TaskKind::send;
    send.rank = static_cast<std::uint32_t>(line.u);
    send.peer = static_cast<std::uint32_t>(line.v);
    send.tag = static_cast<std::uint32_t>(line.order);
    send.amount = static_cast<std::uint64_t>(line.flits * drawn.config.flit_bytes);
    send.at = line.at;
    send.message_class = static_cast<std::uint8_t>(line.message_class);
    graph.tasks.push_back(send);
    Task receive;
    receive.kind = TaskKind::receive;
    receive.rank = send.peer;
    receive.peer = send.rank;
    receive.tag = send.tag;
    receive.amount = any_length;
    graph.tasks.push_back(receive);
  }
  RunRequest request = drawn.request;
  request.traffic.graph = std::make_shared<TaskGraph>(std::move(graph));
  return request;
}

reference::Config with_rows(const reference::Config& config, const RunRequest& request) {
  reference::Config with = config;
  if (!with.table.empty()) return with;
  const RunPlan planned = plan(request);
  std::ostringstream rows;
  write_table(rows, *planned.routing.table(), planned.routing.topology());
  with.table = rows.str();
  return with;
}

std::string in_words(const DrawnRun& drawn) {
  const reference::Config& c = drawn.config;
  std::ostringstream out;
  out << c.topology << " mode " << static_cast<int>(c.mode) << " C " << c.classes << " V " << c.vcs
      << " k " << c.ports << " B " << c.buffer_depth << " F " << c.flit_bytes << " d "
      << c.link_delay;
  for (const int delay : c.link_delays) out << "," << delay;
  for (const int phits : c.phits) out << " s " << phits;
  out << pipeline_in_words(c);
  out << " W " << c.link_width << " L " << c.flits << " ts " << c.ts << " ties "
      << static_cast<int>(c.ties) << " table "
      << (drawn.request.fabric.table ? drawn.request.fabric.table->rule : "none");
  if (c.topology == "graph") {
    out << (c.is_directed ? ", directed" : "") << ", edges:\n" << c.edges << "nodes:\n" << c.nodes;
  }
  if (!c.link_attributes.empty()) out << ", attributes of links:\n" << c.link_attributes;
  for (const reference::Line& line : drawn.lines) {
    out << "\n"
        << line.u << ">" << line.v << "#" << line.order << " class " << line.message_class
        << " flits " << line.flits << " at " << line.at;
  }
  return out.str();
}

}  // namespace allport::test
