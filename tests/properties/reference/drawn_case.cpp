// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/drawn_case.h"

#include <algorithm>
#include <map>
#include <string>

#include "rtl_model/topology/group_routes.h"
#include "rtl_model/topology/label_order.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/drawn_trees.h"
#include "tests/support/draw.h"

namespace allport::test {

bool is_pattern(Traffic traffic) {
  return traffic == Traffic::uniform || traffic == Traffic::uniform_modes ||
         traffic == Traffic::uniform_narrow || traffic == Traffic::mixed ||
         traffic == Traffic::narrow_pattern || traffic == Traffic::narrow_mixed;
}

Routing routing_of(const reference::Config& config) {
  if (!config.tree.empty()) return routing_by_tree(config);
  const auto topology = parse_topology(config.topology);
  if (config.is_adaptive) return Routing(topology, RoutingOrder::adaptive);
  if (topology->wraps()) {
    return Routing(topology, RoutingOrder::dimension_ordered,
                   {static_cast<TieBreak::Rule>(config.ties), config.tie_seed},
                   config.is_balanced ? VcUse::balanced : VcUse::strict);
  }
  return Routing(topology,
                 config.is_ascending ? RoutingOrder::ascending : Routing::default_order(*topology));
}

namespace {

const std::vector<std::string>& topologies() {
  static const std::vector<std::string> names{
      "hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "hypercube:5", "ring:2",
      "ring:3",      "ring:5",      "ring:8",      "mesh:3x4",    "mesh:2x2x3",  "mesh:5",
      "torus:2x2",   "torus:3x3",   "torus:4x4",   "torus:5x4",   "torus:6x3",   "torus:2x5",
      "torus:3x2x4", "torus:7x2",   "torus:8x2"};
  return names;
}

bool has_narrow_modes(Traffic traffic) {
  return traffic == Traffic::narrow || traffic == Traffic::uniform_narrow;
}

bool is_mixed(Traffic traffic) {
  return traffic == Traffic::mixed || traffic == Traffic::narrow_mixed;
}

bool is_narrow(Traffic traffic) {
  return has_narrow_modes(traffic) || traffic == Traffic::narrow_schedule ||
         traffic == Traffic::narrow_pattern || traffic == Traffic::narrow_mixed;
}

bool has_modes(Traffic traffic) {
  return traffic == Traffic::modes || traffic == Traffic::uniform_modes ||
         has_narrow_modes(traffic);
}

// One dimension at least is narrow.
void draw_phits(Draw& draw, reference::Config& config) {
  const auto dimensions = parse_topology(config.topology)->dimension_count();
  for (std::size_t i = 0; i < dimensions; ++i) {
    config.phits.push_back(draw.one_of<int>({1, 2, 2, 3, 4, 7, 16}));
  }
  const auto narrow = static_cast<std::size_t>(draw.below(static_cast<int>(dimensions)));
  if (config.phits[narrow] == 1) config.phits[narrow] = 2;
}

void draw_mode(Draw& draw, reference::Config& config) {
  using reference::Mode;
  config.mode =
      draw.one_of<Mode>({Mode::wormhole, Mode::cut_through, Mode::cut_through,
                         Mode::store_and_forward, Mode::store_and_forward, Mode::circuit});
  config.is_adaptive = parse_topology(config.topology)->is_hypercube() &&
                       (draw.below(2) == 0 || config.is_ascending);
  if (config.is_adaptive) {
    config.is_ascending = false;
    config.vcs = draw.one_of<int>({2, 2, 3, 4});
  }
  if (config.mode == Mode::cut_through || config.mode == Mode::store_and_forward) {
    config.buffer_depth = config.flits + draw.one_of<int>({0, 0, 1, 7, config.flits});
  }
}

reference::Config draw_config(Draw& draw, Traffic traffic) {
  reference::Config config;
  config.topology = draw.one_of(topologies());
  const auto topology = parse_topology(config.topology);
  config.is_ascending = topology->is_hypercube() && draw.below(2) == 1;
  config.vcs = topology->wraps() ? draw.one_of<int>({2, 2, 4}) : draw.one_of<int>({1, 1, 2, 3});
  config.ports = 1 + draw.below(static_cast<int>(topology->port_count()));
  if (draw.below(2) == 0) config.ports = 0;
  config.link_delay = draw.one_of<int>({0, 0, 0, 1, 2, 5});
  config.replication_delay = draw.one_of<int>({0, 0, 1, 3});
  config.buffer_depth = draw.one_of<int>({1, 2, 3, 4, 4, 8, 17});
  config.flits = draw.one_of<int>({1, 1, 2, 3, 5, 8, 16, 40});
  config.ts = draw.one_of<int>({0, 0, 1, 7, 30});
  config.tr = draw.one_of<int>({0, 0, 1, 9});
  config.jitter = draw.one_of<int>({0, 0, 5, 60});
  config.seed = static_cast<std::uint64_t>(draw.below(1000));
  config.trial = static_cast<std::uint64_t>(is_pattern(traffic) ? 0 : draw.below(2));
  config.has_barrier = traffic == Traffic::kinds && draw.below(4) == 0;
  config.barrier = config.has_barrier ? draw.one_of<int>({0, 3}) : 0;
  if (!is_pattern(traffic) && config.seed % 3 == 0) config.skew = config.seed % 2 == 0 ? 7 : 200;
  if (has_modes(traffic)) draw_mode(draw, config);
  if (is_pattern(traffic) && topology->wraps()) {
    using reference::Ties;
    config.ties =
        draw.one_of<Ties>({Ties::positive, Ties::negative, Ties::alternate, Ties::random});
    config.tie_seed = static_cast<std::uint64_t>(draw.below(9));
  }
  config.is_balanced = topology->wraps() && config.seed % 2 == 1;
  if (draw.below(4) == 0) {
    config.link_delay = 0;
    for (std::size_t i = 0; i < topology->dimension_count(); ++i) {
      config.link_delays.push_back(draw.one_of<int>({0, 0, 1, 2, 5, 9}));
      config.link_delay = std::max(config.link_delay, config.link_delays.back());
    }
  }
  if (is_narrow(traffic)) draw_phits(draw, config);
  return config;
}

bool has_kinds(Traffic traffic, const reference::Config& config) {
  if (traffic == Traffic::kinds) return true;
  return (traffic == Traffic::modes || traffic == Traffic::narrow) && !config.is_adaptive &&
         config.mode != reference::Mode::circuit;
}

// Draws some nodes that the message visits on its way.
std::vector<int> draw_via(Draw& draw, int u, int v, int nodes) {
  std::vector<int> via;
  for (int tries = 1 + draw.below(5); tries > 0; --tries) {
    const int node = draw.below(nodes);
    const bool is_new = std::find(via.begin(), via.end(), node) == via.end();
    if (node != u && node != v && is_new) via.push_back(node);
  }
  return via;
}

// Draws a displacement: an exact tie sometimes goes the other way.
std::vector<int> draw_displacement(Draw& draw, const Routing& routing, int u, int v) {
  if (routing.topology().is_hypercube() || draw.below(2) == 0) return {};
  const auto ties = static_cast<TieMask>(draw.below(8));
  return routing.displacement(node_id(static_cast<std::size_t>(u)),
                              node_id(static_cast<std::size_t>(v)), ties);
}

// Makes a label worm of the line, to some nodes on the side of its destination.
void draw_label_worm(Draw& draw, const Topology& mesh, reference::Line& line) {
  const auto label = [&](int node) {
    return label_of(mesh, node_id(static_cast<std::size_t>(node)));
  };
  const bool goes_up = label(line.v) > label(line.u);
  std::vector<int> stops{line.v};
  for (const int node : draw_via(draw, line.u, line.v, static_cast<int>(mesh.node_count()))) {
    if ((label(node) > label(line.u)) == goes_up) stops.push_back(node);
  }
  std::sort(stops.begin(), stops.end(),
            [&](int a, int b) { return goes_up ? label(a) < label(b) : label(a) > label(b); });
  line.kind = reference::Kind::label;
  line.displacement.clear();
  line.v = stops.back();
  line.via.assign(stops.begin(), stops.end() - 1);
  const int dimension = draw.below(static_cast<int>(mesh.dimension_count()));
  std::vector<NodeId> nodes;
  for (const int stop : stops) nodes.push_back(node_id(static_cast<std::size_t>(stop)));
  const NodeId sender = node_id(static_cast<std::size_t>(line.u));
  const bool is_possible = label_fault(mesh, sender, nodes, TieMask{1} << dimension).empty();
  if (is_possible && draw.below(2) == 0) line.first_dimension = dimension;
}

reference::Collective draw_collective(Draw& draw, const Routing& routing, bool has_kinds) {
  const int nodes = static_cast<int>(routing.topology().node_count());
  std::vector<int> order(static_cast<std::size_t>(nodes));
  for (int i = 0; i < nodes; ++i) order[static_cast<std::size_t>(i)] = i;
  for (int i = nodes - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(draw.below(i + 1))]);
  }
  reference::Collective collective;
  collective.sources = {order.front()};
  std::vector<int> sent(static_cast<std::size_t>(nodes), 0);
  const int receivers = 1 + draw.below(nodes - 1);
  for (int i = 1; i <= receivers; ++i) {
    reference::Line line;
    line.u = order[static_cast<std::size_t>(draw.below(i))];
    line.v = order[static_cast<std::size_t>(i)];
    line.order = sent[static_cast<std::size_t>(line.u)]++;
    line.displacement = draw_displacement(draw, routing, line.u, line.v);
    if (has_kinds && draw.below(3) == 0) line.kind = reference::Kind::deposit;
    if (has_kinds && draw.below(4) == 0) {
      line.kind = reference::Kind::multidestination;
      line.displacement.clear();
      line.via = draw_via(draw, line.u, line.v, nodes);
    }
    const bool is_mesh = routing.topology().kind() == TopologyKind::mesh;
    if (has_kinds && is_mesh && draw.below(2) == 0) {
      draw_label_worm(draw, routing.topology(), line);
    }
    collective.lines.push_back(line);
  }
  if (has_kinds && draw.below(2) == 0) {
    const int u = collective.sources.front();
    const int last = sent[static_cast<std::size_t>(u)]++;
    const auto kind =
        routing.topology().is_hypercube()
            ? draw.one_of<reference::Kind>({reference::Kind::tree, reference::Kind::path})
            : reference::Kind::tree;
    collective.lines.push_back({u, 0, last, kind, {}, {}});
  }
  return collective;
}

// Gives messages lists of what their receivers serve, of `flits` flits for each; where the mode
// needs it, buffers become as deep as the longest. A sender's own line stands before its lines.
void add_lists(int flits, reference::Config& config, reference::Collective& collective) {
  std::map<int, int> served;
  for (auto line = collective.lines.rbegin(); line != collective.lines.rend(); ++line) {
    line->list = served[line->v] * flits;
    served[line->u] += served[line->v] + 1;
    const bool is_buffered = config.mode == reference::Mode::cut_through ||
                             config.mode == reference::Mode::store_and_forward;
    if (!is_buffered) continue;
    config.buffer_depth = std::max(config.buffer_depth, config.flits + line->list);
  }
}

// Adds the lines of a message of one of `kinds`; a join or tree has a random root, and a random
// group if the routing has groups.
void draw_group(Draw& draw, const Routing& routing, const std::vector<reference::Kind>& kinds,
                int number, std::map<int, int>& sent, reference::Collective& collective) {
  using reference::Kind;
  const Topology& topology = routing.topology();
  const int nodes = static_cast<int>(topology.node_count());
  reference::Line line;
  line.kind = draw.one_of<Kind>(kinds);
  line.u = line.v = draw.below(nodes);
  const int all = (1 << topology.dimension_count()) - 1;
  const bool has_groups = routing.table() == nullptr;
  if (has_groups && draw.below(2) == 0) line.free = (1 + draw.below(all)) % all;
  line.tag = number;
  if (line.kind == Kind::unicast) {
    line.v = draw.below(nodes);
    line.free = 0;
    if (line.u == line.v) return;
  }
  const bool is_joined = line.kind == Kind::join || line.kind == Kind::join_tree;
  const auto mask = group_mask(topology, static_cast<DimensionMask>(line.free));
  const auto root = node_id(static_cast<std::size_t>(line.v));
  for (int node = 0; node < nodes; ++node) {
    const bool is_sender =
        is_joined ? is_in_group(topology, node_id(static_cast<std::size_t>(node)), root, mask)
                  : node == line.u;
    if (!is_sender) continue;
    line.u = node;
    line.order = sent[node]++;
    collective.lines.push_back(line);
  }
}

// All nodes issue the messages in one order.
DrawnCase draw_groups(Draw& draw, Traffic traffic) {
  using reference::Kind;
  DrawnCase drawn;
  drawn.config = draw_config(draw, traffic);
  drawn.config.combine_delay = draw.one_of<int>({0, 0, 1, 4});
  drawn.config.join_vcs = draw.one_of<int>({0, 1, 2, 2});
  std::vector<Kind> kinds{Kind::join,      Kind::join, Kind::join_tree,
                          Kind::join_tree, Kind::tree, Kind::unicast};
  if (traffic == Traffic::tables) {
    const bool has_joins = draw.below(2) == 0;
    if (!has_joins) kinds = {Kind::tree, Kind::unicast};
    draw_tree(draw, drawn.config);
  }
  const Routing routing = routing_of(drawn.config);
  reference::Collective collective;
  std::map<int, int> sent;
  const int messages = 1 + draw.below(6);
  for (int i = 0; i < messages || sent.empty(); ++i) {
    draw_group(draw, routing, kinds, i, sent, collective);
  }
  for (const auto& [node, lines] : sent) collective.sources.push_back(node);
  drawn.collectives.push_back(collective);
  return drawn;
}

// A short worm may be in one buffer with its tail while its head is on the way for a long time.
DrawnCase draw_mixed_case(Draw& draw, Traffic traffic) {
  DrawnCase drawn;
  drawn.config.topology = draw.one_of<std::string>({"hypercube:4", "mesh:12x3", "ring:24"});
  const bool wraps = parse_topology(drawn.config.topology)->wraps();
  drawn.config.vcs = wraps ? 4 : 2 + draw.below(3);
  drawn.config.link_delay = draw.one_of<int>({3, 7, 10, 15, 20});
  drawn.config.link_delays.clear();
  drawn.config.buffer_depth = draw.one_of<int>({32, 64, 100});
  drawn.config.flits = draw.one_of<int>({24, 32, 40, 60});
  drawn.flits_long = 4000;
  drawn.pattern = {draw.one_of<double>({0.3, 0.5, 0.7}), 6000};
  drawn.config.seed = static_cast<std::uint64_t>(draw.below(1000));
  drawn.config.is_balanced = wraps && drawn.config.seed % 2 == 1;
  if (is_narrow(traffic)) draw_phits(draw, drawn.config);
  return drawn;
}

// All but the delays of a pipeline.
DrawnCase draw_plain_case(Traffic traffic, std::uint64_t seed) {
  Draw draw(seed);
  if (is_mixed(traffic)) return draw_mixed_case(draw, traffic);
  if (traffic == Traffic::groups || traffic == Traffic::tables) return draw_groups(draw, traffic);
  DrawnCase drawn;
  drawn.config = draw_config(draw, traffic);
  const Routing routing = routing_of(drawn.config);
  if (is_pattern(traffic)) {
    drawn.pattern = {0.02 * (1 + draw.below(30)), 50 + draw.below(400)};
    return drawn;
  }
  const bool is_schedule = traffic == Traffic::schedule || traffic == Traffic::narrow_schedule;
  const int collectives = is_schedule ? 1 : 1 + draw.below(3);
  for (int i = 0; i < collectives; ++i) {
    drawn.collectives.push_back(draw_collective(draw, routing, has_kinds(traffic, drawn.config)));
  }
  const bool has_lists = drawn.config.seed % 4 == 3 && !has_kinds(traffic, drawn.config);
  if (!has_lists) return drawn;
  drawn.address_flits = 1 + static_cast<int>(drawn.config.seed % 3);
  for (reference::Collective& collective : drawn.collectives) {
    add_lists(drawn.address_flits, drawn.config, collective);
  }
  return drawn;
}

}  // namespace

DrawnCase draw_case(Traffic traffic, std::uint64_t seed) {
  DrawnCase drawn = draw_plain_case(traffic, seed);
  draw_pipeline(16 * seed + static_cast<std::uint64_t>(traffic), drawn.config);
  return drawn;
}

}  // namespace allport::test
