// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/worm_group_case.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "rtl_model/topology/deposits.h"
#include "rtl_model/topology/label_order.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/drawn_trees.h"
#include "tests/properties/reference/transcript.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/group_cases.h"

namespace allport::test {

namespace {

struct GroupCase {
  Routing routing;
  Experiment experiment;
  PlannedCollective planned;
};

bool is_by_table(Groups groups) {
  return groups == Groups::trees_by_tables || groups == Groups::joins_by_tables ||
         groups == Groups::mixed_by_tables;
}

bool is_mixed(Groups groups) {
  return groups == Groups::mixed || groups == Groups::mixed_by_tables;
}

// Regular fabrics and graphs with a tree, and the links of the latter.
Routing draw_routing_by_tree(Draw& draw, Groups groups, Experiment& experiment) {
  reference::Config config;
  config.topology = draw.one_of<std::string>({"mesh:5", "mesh:3x4", "torus:4x3", "hypercube:3"});
  config.link_delay = draw.below(3);
  draw_tree(draw, config);
  experiment.fabric.links = links_of_edges(config);
  return routing_by_tree(config);
}

Routing draw_group_routing(Draw& draw) {
  const auto name = draw.one_of<std::string>(
      {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "hypercube:5", "mesh:5",
       "mesh:3x4", "mesh:2x3x2", "mesh:4x4", "ring:2", "ring:4", "ring:5", "ring:8", "torus:2x2",
       "torus:4x3", "torus:4x4", "torus:5x2", "torus:2x3x3"});
  const auto topology = parse_topology(name);
  if (topology->is_hypercube() && draw.below(2) == 0) return ascending_on(name);
  if (topology->wraps() && draw.below(3) == 0) {
    return Routing(topology, RoutingOrder::dimension_ordered, {}, VcUse::balanced);
  }
  return routing_on(name);
}

// Half of all cases have channels narrower than a flit: of a dimension, or single ones of a graph.
// They are drawn apart, so that all else of a case is drawn as without them.
void draw_widths(std::uint64_t seed, const Topology& topology, FabricConfig& fabric) {
  Draw draw(seed ^ 0xa0761d6478bd642fU);
  if (draw.below(2) == 0) return;
  const auto draw_phits = [&] { return draw.one_of<int>({1, 2, 2, 3, 4, 7, 16}); };
  if (fabric.links == nullptr) {
    for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
      fabric.phits.push_back(draw_phits());
    }
    return;
  }
  LinkTable links = *fabric.links;
  for (std::size_t router = 0; router < topology.router_count(); ++router) {
    for (std::size_t port = 0; port < topology.port_count(); ++port) {
      const Channel channel{node_id(router), port_id(port)};
      if (!topology.neighbour(channel.node, channel.port)) continue;
      links.set(topology, channel, links.delays[links.place(channel.node, port)], draw_phits());
    }
  }
  fabric.links = std::make_shared<const LinkTable>(std::move(links));
}

// A third of all cases have routers that buffer whole messages. They are drawn apart as well.
void draw_mode(std::uint64_t seed, Groups groups, Experiment& experiment) {
  Draw draw(seed ^ 0x8ebc6af09c88c6e3U);
  if (draw.below(3) != 0) return;
  const bool has_joins =
      groups != Groups::rows && groups != Groups::trees && groups != Groups::trees_by_tables;
  const bool is_stored = !has_joins && draw.below(2) == 0;
  experiment.fabric.switching = is_stored ? Switching::store_and_forward : Switching::cut_through;
  const int flits = draw.one_of<int>({1, 2, 3, 5, 8, 16});
  experiment.length(flits);
  experiment.fabric.buffer_depth = flits + draw.one_of<int>({0, 0, 1, 2, 7});
  if (is_stored) experiment.fabric.replication_delay = 0;
}

Experiment draw_experiment(Draw& draw, Groups groups, const Topology& topology) {
  Experiment experiment;
  FabricConfig& fabric = experiment.fabric;
  const bool has_classes = topology.wraps() && !is_by_table(groups);
  fabric.vcs = has_classes ? draw.one_of<int>({2, 2, 4}) : draw.one_of<int>({1, 1, 2, 3});
  fabric.join_vcs = is_mixed(groups) ? 1 + draw.below(2) : draw.one_of<int>({0, 0, 1, 2});
  const auto ports = static_cast<int>(topology.node_port_count());
  fabric.internal_ports = draw.below(2) == 0 ? 0 : 1 + draw.below(ports);
  fabric.buffer_depth = draw.one_of<int>({1, 1, 2, 3, 4, 4, 5, 8, 17});
  fabric.link_delay = draw.one_of<int>({0, 0, 0, 1, 2, 5});
  fabric.replication_delay = draw.one_of<int>({0, 0, 1, 3});
  fabric.combine_delay = draw.one_of<int>({0, 0, 1, 4});
  if (draw.below(4) == 0) {
    fabric.link_delay = 0;
    for (std::size_t i = 0; i < topology.dimension_count(); ++i) {
      fabric.link_delays.push_back(draw.one_of<int>({0, 0, 1, 2, 5}));
      fabric.link_delay = std::max(fabric.link_delay, fabric.link_delays.back());
    }
  }
  experiment.times(draw.one_of<int>({0, 0, 1, 7, 30}), draw.one_of<int>({0, 0, 1, 9}));
  experiment.length(draw.one_of<int>({1, 1, 2, 3, 5, 8, 16, 40, 150, 600}));
  experiment.with_jitter(draw.one_of<int>({0, 0, 5, 60}));
  experiment.with_seed(static_cast<std::uint64_t>(draw.below(1000)));
  return experiment;
}

DimensionMask draw_free(Draw& draw, const Routing& routing) {
  if (routing.table() != nullptr) return 0;
  const Topology& topology = routing.topology();
  const DimensionMask all = free_dimensions(topology, 0);
  const auto free = static_cast<DimensionMask>(1 + draw.below(static_cast<int>(all)));
  return group_mask(topology, draw.below(2) == 0 ? all : free);
}

// Sorts the destinations of a label worm of `source` by label, and leaves out those on the other
// side of it than the first.
void sort_by_label(const Topology& mesh, NodeId source, std::vector<NodeId>& nodes) {
  const auto label = [&](NodeId node) { return label_of(mesh, node); };
  const bool goes_up = label(nodes.front()) > label(source);
  const auto is_other = [&](NodeId node) { return (label(node) > label(source)) != goes_up; };
  nodes.erase(std::remove_if(nodes.begin(), nodes.end(), is_other), nodes.end());
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
    return goes_up ? label(a) < label(b) : label(a) > label(b);
  });
}

// A message of one row of channels, from a node to up to six others.
Unicast draw_row(Draw& draw, const Topology& topology) {
  const auto nodes = static_cast<int>(topology.node_count());
  const bool is_mesh = !topology.is_hypercube() && !topology.wraps();
  std::vector<MessageKind> kinds{MessageKind::unicast, MessageKind::deposit,
                                 MessageKind::multidestination, MessageKind::multidestination};
  if (topology.is_hypercube()) kinds.push_back(MessageKind::path);
  if (is_mesh) kinds.insert(kinds.end(), 2, MessageKind::label);
  Unicast row;
  row.kind = draw.one_of(kinds);
  row.u = node_id(static_cast<std::size_t>(draw.below(nodes)));
  std::vector<NodeId> stops;
  const int count = goes_by_list(row.kind) ? 1 + draw.below(6) : 1;
  for (int i = 0; i < count; ++i) {
    const NodeId stop = node_id(static_cast<std::size_t>(draw.below(nodes)));
    const bool is_new = stop != row.u && std::find(stops.begin(), stops.end(), stop) == stops.end();
    if (is_new) stops.push_back(stop);
  }
  if (stops.empty()) stops.push_back(node_id((index(row.u) + 1) % topology.node_count()));
  if (row.kind == MessageKind::label) sort_by_label(topology, row.u, stops);
  row.v = stops.back();
  stops.pop_back();
  row.via = stops;
  return row;
}

// Adds the lines of a tree or join, or a unicast, to `planned`; some of the contributions to a join
// stand in earlier steps than the root's.
void draw_message(Draw& draw, Groups groups, bool is_single, const Routing& routing, int number,
                  StepIndex step, PlannedCollective& planned) {
  const Topology& topology = routing.topology();
  const auto root = static_cast<std::size_t>(draw.below(static_cast<int>(topology.node_count())));
  std::vector<MessageKind> kinds{MessageKind::tree};
  if (groups == Groups::rows && draw.below(8) > 0) {
    Unicast row = draw_row(draw, topology);
    row.step = step;
    planned.schedule.unicasts.push_back(row);
    return;
  }
  const bool has_joins =
      groups != Groups::rows && groups != Groups::trees && groups != Groups::trees_by_tables;
  if (has_joins) kinds = {MessageKind::join, MessageKind::join_tree, kinds.front()};
  if (groups == Groups::trees_by_tables) {
    kinds.push_back(MessageKind::unicast);
    if (deposit_fault(topology).empty()) kinds.push_back(MessageKind::deposit);
  }
  const auto draw_among = [&] {
    return groups == Groups::mixed ? draw.below(2) == 0 : draw.below(8) > 0;
  };
  const bool is_among = is_mixed(groups) && (is_single ? number > 0 : draw_among());
  if (is_among) kinds = {MessageKind::unicast};
  const MessageKind kind = number == 0 ? kinds.front() : draw.one_of(kinds);
  if (kind == MessageKind::unicast || kind == MessageKind::deposit) {
    const auto to = static_cast<std::size_t>(draw.below(static_cast<int>(topology.node_count())));
    if (to == root) return;
    Unicast unicast;
    unicast.kind = kind;
    unicast.u = node_id(root);
    unicast.v = node_id(to);
    unicast.step = step;
    planned.schedule.unicasts.push_back(unicast);
    return;
  }
  const JoinTag tag{number, JoinOperation::sum, LaneType::u32};
  const PlannedCollective one =
      group_collective(kind, root, draw_free(draw, routing), routing, tag);
  const bool is_uneven = draw.below(3) == 0;
  for (Unicast line : one.schedule.unicasts) {
    const bool is_early = is_uneven && is_join(kind) && line.u != line.v;
    line.step = is_early ? 1 + draw.below(step) : step;
    planned.schedule.unicasts.push_back(line);
  }
}

GroupCase draw_groups(Groups groups, std::uint64_t seed) {
  Draw draw(seed);
  Experiment of_links;
  const Routing routing =
      is_by_table(groups) ? draw_routing_by_tree(draw, groups, of_links) : draw_group_routing(draw);
  GroupCase drawn{routing, draw_experiment(draw, groups, routing.topology()), {}};
  drawn.experiment.fabric.links = of_links.fabric.links;
  const int messages = groups == Groups::mixed             ? 2 + draw.below(12)
                       : groups == Groups::mixed_by_tables ? 20 + draw.below(60)
                       : groups == Groups::rows            ? 2 + draw.below(40)
                                                           : 1 + draw.below(4);
  const bool has_steps = groups != Groups::trees && groups != Groups::trees_by_tables;
  const int steps = has_steps ? 1 + draw.below(messages) : 1;
  const bool is_single = groups == Groups::mixed && draw.below(4) == 0;  // on shared channels
  if (is_single) drawn.experiment.fabric.join_vcs = 0;
  for (int i = 0; i < messages; ++i) {
    draw_message(draw, groups, is_single, routing, i, 1 + i * steps / messages, drawn.planned);
  }
  number_by_step(drawn.planned.schedule);
  std::set<NodeId> senders;
  for (const Unicast& line : drawn.planned.schedule.unicasts) senders.insert(line.u);
  drawn.planned.sources.assign(senders.begin(), senders.end());
  for (std::size_t i = 0; i < routing.topology().node_count(); ++i) {
    drawn.planned.destinations.push_back(node_id(i));
  }
  draw_mode(seed, groups, drawn.experiment);
  draw_pipeline(seed, drawn.experiment.fabric);
  draw_widths(seed, drawn.routing.topology(), drawn.experiment.fabric);
  return drawn;
}

}  // namespace

std::string describe_groups(Groups groups, std::uint64_t seed) {
  const GroupCase drawn = draw_groups(groups, seed);
  std::ostringstream out;
  out << "seed " << seed << ": " << drawn.routing.topology().name() << " " << drawn.routing.name()
      << " " << to_string(drawn.routing.vc_use()) << " " << describe(drawn.experiment) << " c "
      << drawn.experiment.fabric.combine_delay << " join VCs " << drawn.experiment.fabric.join_vcs;
  for (const int delay : drawn.experiment.fabric.link_delays) out << "," << delay;
  for (const int phits : drawn.experiment.fabric.phits) out << " s " << phits;
  out << pipeline_in_words(drawn.experiment.fabric);
  for (const Unicast& line : drawn.planned.schedule.unicasts) {
    out << "\n  step " << line.step << " " << to_string(line.kind) << " " << index(line.u) << ">"
        << index(line.v) << " by";
    for (const NodeId stop : line.via) out << " " << index(stop);
    out << " free " << line.free << " tag " << line.join.tag();
  }
  return out.str();
}

std::string compare_groups(Groups groups, std::uint64_t seed) {
  const GroupCase drawn = draw_groups(groups, seed);
  const auto run = [&](bool is_transaction_level) {
    return forked([&] {
      Experiment experiment = drawn.experiment;
      experiment.is_transaction_level = is_transaction_level;
      Simulation simulation(experiment, drawn.routing);
      return transcript(simulation.run({2, {drawn.planned}}));
    });
  };
  return first_difference(run(false), run(true));
}

std::string compare_orders(Groups groups, std::uint64_t seed) {
  GroupCase drawn = draw_groups(groups, seed);
  const bool has_floats = seed % 2 == 1;
  const LaneType type = has_floats ? LaneType::float32 : LaneType::u32;
  for (Unicast& line : drawn.planned.schedule.unicasts) {
    if (is_join(line.kind)) line.join = {line.join.tag(), JoinOperation::sum, type};
  }
  const auto run = [&](CombineOrder order) {
    return forked([&] {
      Experiment experiment = drawn.experiment;
      experiment.fabric.combine_order = order;
      Simulation simulation(experiment, drawn.routing);
      const Results results = simulation.run({2, {drawn.planned}});
      const bool differs = results.combine && results.combine->differing_lanes > 0;
      return transcript(results) + (differs && !has_floats ? "other integers\n" : "");
    });
  };
  return first_difference(run(CombineOrder::port), run(CombineOrder::arrival));
}

}  // namespace allport::test
