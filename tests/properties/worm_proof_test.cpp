// SPDX-License-Identifier: Apache-2.0
// These are random messages of all kinds: if the static check proves them free of deadlock they
// never deadlock, and if it proves them free of contention they show no event, whatever the machine
// and the times. (Nothing is claimed about the converse, except that there are cases of each sort.)
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "rtl_model/topology/label_order.h"
#include "tests/properties/reference/drawn_pipeline.h"
#include "tests/properties/reference/drawn_trees.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

struct WormCase {
  std::string shape;
  VcUse vc_use = VcUse::strict;
  reference::Config by_table;  // with a tree: the fabric and its table in their place
  SimulationConfig config;
  std::vector<PlannedCollective> collectives;
};

Routing routing_of(const WormCase& given) {
  if (!given.by_table.tree.empty()) return routing_by_tree(given.by_table);
  const auto topology = parse_topology(given.shape);
  return Routing(topology, Routing::default_order(*topology), {}, given.vc_use);
}

std::vector<NodeId> draw_stops(Draw& draw, std::size_t u, std::size_t nodes) {
  std::vector<NodeId> stops;
  const auto count = static_cast<std::size_t>(1 + draw.below(3));
  for (const std::size_t node : draw.subset(nodes, std::min(count, nodes))) {
    if (node != u) stops.push_back(node_id(node));
  }
  return stops;
}

// Leaves those stops that are on the first one's side of the sender, in the order of labels.
void keep_one_side(std::vector<NodeId>& stops, NodeId sender, const Topology& mesh) {
  const std::size_t own = label_of(mesh, sender);
  const bool goes_up = label_of(mesh, stops.front()) > own;
  const auto is_other = [&](NodeId node) { return (label_of(mesh, node) > own) != goes_up; };
  stops.erase(std::remove_if(stops.begin(), stops.end(), is_other), stops.end());
  std::sort(stops.begin(), stops.end(), [&](NodeId a, NodeId b) {
    return (label_of(mesh, a) < label_of(mesh, b)) == goes_up && a != b;
  });
}

// A message of any kind from u; empty if it would go nowhere.
std::vector<Unicast> draw_message(Draw& draw, const Routing& routing, std::size_t u) {
  std::vector<MessageKind> kinds{MessageKind::unicast, MessageKind::deposit,
                                 MessageKind::multidestination};
  if (routing.topology().is_hypercube() && draw.below(2) == 0) {
    kinds = {MessageKind::tree, MessageKind::path};
  }
  if (routing.topology().kind() == TopologyKind::mesh) kinds.push_back(MessageKind::label);
  if (routing.table() != nullptr) {
    kinds = {MessageKind::unicast, MessageKind::unicast, MessageKind::tree};
  }
  Unicast one;
  one.u = node_id(u);
  one.kind = draw.one_of(kinds);
  if (goes_to_all(one.kind)) return {one};
  std::vector<NodeId> stops = draw_stops(draw, u, routing.topology().node_count());
  if (stops.empty()) return {};
  if (one.kind == MessageKind::label) keep_one_side(stops, one.u, routing.topology());
  one.v = stops.back();
  stops.pop_back();
  one.via = std::move(stops);
  if (!goes_by_list(one.kind)) {
    one.via.clear();
    set_ties(one, static_cast<TieMask>(draw.below(8)), routing);
  }
  return {one};
}

// Messages of the source, and one from each node that some of them reach.
PlannedCollective draw_collective(Draw& draw, const Routing& routing, std::size_t source) {
  PlannedCollective planned;
  planned.sources = {node_id(source)};
  std::vector<std::size_t> holders{source};
  for (int i = 1 + draw.below(3); i > 0; --i) {
    const std::size_t u =
        holders[static_cast<std::size_t>(draw.below(static_cast<int>(holders.size())))];
    for (Unicast one : draw_message(draw, routing, u)) {
      one.order = static_cast<int>(planned.schedule.unicasts.size());
      one.step = static_cast<StepIndex>(planned.schedule.unicasts.size() + 1);
      planned.schedule.unicasts.push_back(one);
      if (!goes_to_all(one.kind)) holders.push_back(index(one.v));
    }
  }
  planned.schedule.sort();
  for (std::size_t node = 0; node < routing.topology().node_count(); ++node) {
    if (node != source) planned.destinations.push_back(node_id(node));
  }
  return planned;
}

WormCase draw_case(std::uint64_t seed, bool is_by_table) {
  Draw draw(seed);
  WormCase drawn;
  drawn.shape = draw.one_of<std::string>({"hypercube:2", "hypercube:3", "hypercube:4", "mesh:3x3",
                                          "mesh:5", "ring:4", "ring:6", "torus:3x3", "torus:4x3"});
  if (is_by_table) {
    drawn.by_table.topology = drawn.shape;
    draw_tree(draw, drawn.by_table);
  }
  const bool wraps = parse_topology(drawn.shape)->wraps();
  if (wraps && draw.below(2) == 0) drawn.vc_use = VcUse::balanced;
  const Routing routing = routing_of(drawn);
  const int external = static_cast<int>(routing.topology().node_port_count());
  drawn.config = Experiment()
                     .on(With()
                             .ports(draw.below(3) > 0 ? 0 : 1 + draw.below(external))
                             .vcs(wraps ? draw.one_of<int>({2, 2, 4}) : draw.one_of<int>({1, 1, 2}))
                             .depth(draw.one_of<int>({1, 2, 4}))
                             .link_delay(draw.one_of<int>({0, 0, 2})))
                     .length(draw.one_of<int>({1, 3, 8, 24}))
                     .times(draw.one_of<int>({0, 1, 9}), draw.one_of<int>({0, 5}))
                     .with_jitter(draw.one_of<int>({0, 10, 60}))
                     .with_seed(static_cast<std::uint64_t>(draw.below(1000)));
  drawn.config.fabric.replication_delay = draw.one_of<int>({0, 0, 2});
  if (is_by_table) drawn.config.fabric.links = links_of_edges(drawn.by_table);
  if (draw.below(4) == 0) drawn.config.barrier = draw.one_of<int>({0, 5});
  const auto count = static_cast<std::size_t>(1 + draw.below(3));
  const std::size_t nodes = routing.topology().node_count();
  for (const std::size_t source : draw.subset(nodes, std::min(count, nodes))) {
    PlannedCollective planned = draw_collective(draw, routing, source);
    if (!planned.schedule.unicasts.empty()) drawn.collectives.push_back(planned);
  }
  draw_pipeline(seed, drawn.config.fabric);
  return drawn;
}

struct Verdict {
  bool has_contention = false;
  bool has_deadlock = false;
};

Verdict verdict_on(const WormCase& given, const Routing& routing) {
  const RouterConfig router = router_config(given.config.fabric, routing);
  std::vector<CheckedPart> parts;
  for (const PlannedCollective& one : given.collectives) {
    CheckRequest request{routing, router.internal_ports, one.sources, {}};
    request.vcs = router.vcs;
    const int phase = given.config.barrier ? 2 * static_cast<int>(parts.size()) : 0;
    parts.push_back({one.schedule, request, phase});
  }
  const ScheduleReport report = check_together(parts);
  return {!report.worms->contention.ok(), !report.worms->circle.empty()};
}

std::string describe_case(std::uint64_t seed, bool is_by_table) {
  const WormCase drawn = draw_case(seed, is_by_table);
  std::ostringstream text;
  text << "case " << seed << " on " << drawn.shape << ", " << to_string(drawn.vc_use);
  if (is_by_table) {
    text << ", in its place " << drawn.by_table.topology << " by the tree of "
         << drawn.by_table.tree << ":\n"
         << drawn.by_table.edges << drawn.by_table.nodes;
  }
  text << (drawn.config.barrier ? ", barrier" : "") << "; " << describe(drawn.config)
       << pipeline_in_words(drawn.config.fabric) << "\n";
  for (const PlannedCollective& one : drawn.collectives) {
    for (const Unicast& unicast : one.schedule.unicasts) {
      text << "  " << describe_of_ranks(unicast) << " via";
      for (const NodeId node : unicast.via) text << " " << index(node);
      text << "\n";
    }
  }
  return text.str();
}

// The verdict of the proof and what was seen, in a few words.
std::string judge(const WormCase& given) {
  return forked([&]() -> std::string {
    const Routing routing = routing_of(given);
    const Verdict verdict = verdict_on(given, routing);
    Simulation simulation(given.config, routing);
    const Results results = simulation.run(
        std::vector<std::vector<PlannedCollective>>(3, given.collectives));  // jitters differ
    if (!results.broken_invariant.empty()) return results.broken_invariant;
    if (results.deadlock && !verdict.has_deadlock) return "a deadlock that was excluded";
    const bool has_single_flits = given.config.flits == 1 && !given.by_table.tree.empty();
    if (results.deadlock && has_single_flits) return "a deadlock of single flits";
    if (results.contention.events > 0 && !verdict.has_contention) {
      return "contention that was excluded: " + printed(results.contention.list);
    }
    return std::string(verdict.has_deadlock ? "circle" : "no circle") +
           (results.deadlock ? ", deadlock" : "") +
           (verdict.has_contention ? "; pairs" : "; no pairs") +
           (results.contention.events > 0 ? ", events" : "");
  });
}

void expect_what_is_proved(bool is_by_table) {
  std::map<std::string, int> seen;
  const RandomCases cases(300);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const WormCase drawn = draw_case(seed, is_by_table);
    if (drawn.collectives.empty()) continue;
    const std::string found = judge(drawn);
    ASSERT_TRUE(found.find("circle") != std::string::npos) << found << "\n"
                                                           << describe_case(seed, is_by_table);
    ++seen[found];
  }
  // Both properties are proved in some cases and refuted in others, and what is refuted is seen.
  EXPECT_GT(seen["no circle; no pairs"], 0);
  EXPECT_GT(seen["no circle; pairs, events"], 0);
  EXPECT_GT(seen["circle, deadlock; pairs, events"], 0);
}

TEST(WormProof, WhatIsExcludedIsNeverSeen) { expect_what_is_proved(false); }

TEST(WormProof, WhatIsExcludedOfTreesByTablesIsNeverSeen) { expect_what_is_proved(true); }

}  // namespace
}  // namespace allport::test
