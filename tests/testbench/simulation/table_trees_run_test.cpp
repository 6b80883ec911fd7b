// SPDX-License-Identifier: Apache-2.0
// Whole runs with trees and joins along the tree of table:updown: cycles worked out by hand and by
// the formulas, deadlocks that the static check foresees and the run names, and what is refused.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/tables/make_table.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/drawn_net.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

constexpr Model both_models[] = {Model::systemc, Model::worm};

std::shared_ptr<const Topology> graph_of_edges(const std::string& edges) {
  return std::make_shared<Graph>(read_graph("net.csv", edges));
}

// A regular fabric as a graph, with the same numbers of ports.
std::shared_ptr<const Topology> as_graph(const Topology& regular) {
  std::string edges = "u,v,from_port,to_port\n";
  for (const Channel channel : regular.channels()) {
    const NodeId to = *regular.neighbour(channel.node, channel.port);
    if (to < channel.node) continue;
    edges += std::to_string(index(channel.node)) + "," + std::to_string(index(to)) + "," +
             std::to_string(index(channel.port)) + "," +
             std::to_string(index(regular.arrival_port(channel.node, channel.port))) + "\n";
  }
  return graph_of_edges(edges);
}

RunRequest request_by_tree(const std::shared_ptr<const Topology>& topology, const char* algorithm,
                           std::size_t source, const std::string& root) {
  RunRequest request;
  request.fabric.topology = topology;
  request.fabric.routing = RoutingOrder::table;
  request.fabric.table = parse_table("updown:" + root);
  request.traffic.algorithm = &find_algorithm(algorithm);
  request.traffic.sources = {NodeNumber{source}};
  return request;
}

std::map<std::size_t, Cycle> cycles_by_node(const Results& results) {
  std::map<std::size_t, Cycle> cycles;
  for (const DestinationLatency& one : results.by_destination) {
    cycles[index(one.node)] = one.cycles;
  }
  return cycles;
}

// The tree of node 4, the middle: it is above 5, 3, 7 and 1; 5 above 8 and 2, and 3 above 6 and 0.
// So from 0 the worm goes up over 3 to 4, and down from both.
TEST(TableTreeRuns, OfAMeshHaveTheCyclesOfTheirTree) {
  const auto mesh = parse_topology("mesh:3x3");
  const std::map<std::size_t, Cycle> at_once{{3, 17}, {4, 18}, {6, 18}, {5, 19},
                                             {7, 19}, {1, 19}, {8, 20}, {2, 20}};
  const std::map<std::size_t, Cycle> held{{3, 21}, {4, 24}, {6, 22}, {5, 27},
                                          {7, 25}, {1, 25}, {8, 28}, {2, 28}};
  for (const auto& topology : {mesh, as_graph(*mesh)}) {
    for (const Model model : both_models) {
      RunRequest request = request_by_tree(topology, "tree", 0, "4");
      request.model = model;
      Results results = simulate(plan(request));
      EXPECT_EQ(results.broken_invariant, "");
      EXPECT_EQ(cycles_by_node(results), at_once) << topology->name() << to_string(model);
      request.router.replication_delay = 2;
      results = simulate(plan(request));
      EXPECT_EQ(cycles_by_node(results), held) << topology->name() << to_string(model);
      EXPECT_EQ(predicted_latency(plan(request)), 28);
    }
  }
}

// Contributions go the other way: those of 8 and 2 meet at 5, all but those of 6 and 0 at 4, and
// the rest at 3. The farthest are four hops away from 0.
TEST(TableTreeRuns, OfAMeshHaveTheCyclesOfTheirJoins) {
  const auto mesh = parse_topology("mesh:3x3");
  for (const auto& topology : {mesh, as_graph(*mesh)}) {
    for (const Model model : both_models) {
      RunRequest request = request_by_tree(topology, "join-reduce", 0, "4");
      request.model = model;
      EXPECT_EQ(simulate(plan(request)).latency.max, 4 + 16);
      request.router.combine_delay = 2;
      EXPECT_EQ(simulate(plan(request)).latency.max, 4 * (1 + 2) + 16);
      request.traffic.algorithm = &find_algorithm("join-allreduce");
      request.router.buffer_depth = 8;
      EXPECT_EQ(simulate(plan(request)).latency.max, 4 * (1 + 2) + 4 + 16);
      EXPECT_EQ(predicted_latency(plan(request)), 4 * (1 + 2) + 4 + 16);
    }
  }
}

TEST(TableTreeRuns, ReachAllNodesOverSwitches) {
  const auto net = std::make_shared<Graph>(
      read_graph("net.dot",
                 "graph { s [processor=false] t [processor=false] u [processor=false] "
                 "s--t a--s b--s t--u c--t d--t }"));
  for (const Model model : both_models) {
    RunRequest request = request_by_tree(net, "tree", 0, "u");
    request.model = model;
    const RunPlan planned = plan(request);
    const Results results = simulate(planned);
    EXPECT_EQ(results.broken_invariant, "");
    EXPECT_EQ(results.flit_hops, 5 * 16U) << "s, t and the three nodes, but not u";
    EXPECT_THAT(cycles_by_node(results),
                testing::ElementsAre(std::pair(1U, 18), std::pair(2U, 19), std::pair(3U, 19)));
    const Schedule& edges = planned.trials().front().front().schedule;
    ASSERT_EQ(edges.unicasts.size(), 3U);
    for (const Unicast& edge : edges.unicasts) {
      EXPECT_EQ(edge.u, node_id(0)) << "switches are left out";
      EXPECT_EQ(edge.step, 1);
    }
  }
}

// A join to c over the switches s and t, of which t has one input: docs/router.md, joins in
// switches.
TEST(TableTreeRuns, HaveTheCyclesOfTheContractAtSwitches) {
  std::string nodes = "node,processor\na,\nb,\nc,\ns,false\nt,false\n";
  const auto net = std::make_shared<Graph>(read_graph("net.csv", "a,s\nb,s\ns,t\nc,t\n", &nodes));
  for (const Model model : both_models) {
    RunRequest request = request_by_tree(net, "join-reduce", 2, "a");
    request.model = model;
    request.router.combine_delay = 1;
    request.message.flits = 2;
    RunPlan planned = plan(request);
    const Results at_once = simulate(planned);
    EXPECT_EQ(at_once.broken_invariant, "");
    EXPECT_EQ(at_once.latency.max, 3 * (1 + 1) + 2) << to_string(model);
    EXPECT_EQ(at_once.flit_hops, 4 * 2U) << "one of all that meet";
    EXPECT_EQ(predicted_latency(planned), 8);
    request.traffic.algorithm = &find_algorithm("join-allreduce");
    request.router.buffer_depth = 5;
    planned = plan(request);
    EXPECT_EQ(simulate(planned).latency.max, 3 * (1 + 1) + 3 + 2) << to_string(model);
    EXPECT_EQ(predicted_latency(planned), 11);
  }
}

// Two spines, four leaves of two processors, and a fifth leaf that has none. The tree of spine 0
// has all leaves below it: a join goes up to it from three leaves and down to the fourth, and nodes
// of two leaves are four hops apart, of 1 + c cycles each.
constexpr const char* fat_tree_edges =
    "n0,l0\nn1,l0\nn2,l1\nn3,l1\nn4,l2\nn5,l2\nn6,l3\nn7,l3\n"
    "l0,s0\nl1,s0\nl2,s0\nl3,s0\nl4,s0\nl0,s1\nl1,s1\nl2,s1\nl3,s1\nl4,s1\n";

std::shared_ptr<const Topology> small_fat_tree() {
  std::string nodes = "node,processor\n";
  for (int i = 0; i < 8; ++i) nodes += "n" + std::to_string(i) + ",\n";
  for (int i = 0; i < 5; ++i) nodes += "l" + std::to_string(i) + ",false\n";
  nodes += "s0,false\ns1,false\n";
  return std::make_shared<Graph>(read_graph("net.csv", fat_tree_edges, &nodes));
}

TEST(TableTreeRuns, HaveTheCyclesOfJoinsOnAFatTree) {
  const auto net = small_fat_tree();
  for (const Model model : both_models) {
    for (const std::size_t root : {0U, 5U, 7U}) {
      RunRequest request = request_by_tree(net, "join-reduce", root, "s0");
      request.model = model;
      EXPECT_EQ(simulate(plan(request)).latency.max, 4 + 16);
      request.router.combine_delay = 2;
      const Results results = simulate(plan(request));
      EXPECT_EQ(results.broken_invariant, "");
      EXPECT_EQ(results.latency.max, 4 * (1 + 2) + 16);
      EXPECT_EQ(results.flit_hops, 12 * 16U) << "the links of the tree, each once";
      EXPECT_EQ(results.contention.events, 0U);
      request.traffic.algorithm = &find_algorithm("join-barrier");
      EXPECT_EQ(simulate(plan(request)).latency.max, 4 * (1 + 2) + 4 + 1);
      request.traffic.algorithm = &find_algorithm("join-allreduce");
      request.router.buffer_depth = 8;
      EXPECT_EQ(simulate(plan(request)).latency.max, 4 * (1 + 2) + 4 + 16);
    }
  }
}

// A join uses the first virtual channel alone, whatever others there are, so that several keep
// their order.
TEST(TableTreeRuns, KeepJoinsInOrderOnSeveralVirtualChannels) {
  const auto net = small_fat_tree();
  std::vector<std::string> outcomes;
  for (const Model model : both_models) {
    RunRequest request = request_by_tree(net, "join-reduce", 0, "s0");
    request.model = model;
    request.router.vcs = 2;
    request.traffic.sources = {NodeNumber{0U}, NodeNumber{5U}, NodeNumber{7U}, NodeNumber{2U}};
    request.message.flits = 9;
    const Results results = simulate(plan(request));
    EXPECT_TRUE(results.is_complete()) << fault_of(results);
    outcomes.push_back(results.digest);
  }
  EXPECT_EQ(outcomes[0], outcomes[1]);
}

TEST(TableTreeRuns, TakeTheCyclesOfTheTheoryAlone) {
  const RandomCases cases(40);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    Draw draw(seed + 4711);
    const auto algorithm =
        draw.one_of<const char*>({"tree", "tree", "join-reduce", "join-allreduce", "join-barrier"});
    std::string nodes;
    const std::string edges = draw_net(draw, nodes);
    const auto net = std::make_shared<Graph>(read_graph("net.csv", edges, &nodes));
    const auto source = static_cast<std::size_t>(draw.below(static_cast<int>(net->node_count())));
    const auto root =
        node_id(static_cast<std::size_t>(draw.below(static_cast<int>(net->router_count()))));
    RunRequest request = request_by_tree(net, algorithm, source, net->node_name(root));
    request.router.replication_delay = draw.below(3);
    request.router.combine_delay = draw.below(3);
    request.router.buffer_depth = 2 + 2 * 3 + 2 + 2 + draw.below(3);
    request.router.vcs = 1 + draw.below(3);
    request.node.ts = draw.below(9);
    request.node.tr = draw.below(9);
    request.message.flits = 1 + draw.below(20);
    if (draw.below(2) == 0) request.fabric.ports = 1;
    for (const Model model : both_models) {
      request.model = model;
      const RunPlan planned = plan(request);
      const Results results = simulate(planned);
      EXPECT_EQ(results.broken_invariant, "") << "seed " << seed;
      EXPECT_EQ(results.contention.events, 0U) << "seed " << seed;
      ASSERT_EQ(results.latency.max, predicted_latency(planned))
          << "seed " << seed << " " << to_string(model) << " " << algorithm << " of " << source
          << " by " << planned.routing.name() << "\n"
          << edges << nodes;
    }
  }
}

// ---- Deadlock ----

struct Sent {
  std::size_t from;
  std::optional<std::size_t> to;  // none: it is a tree
};

PlannedCollective sent(const std::vector<Sent>& messages, const Topology& topology) {
  PlannedCollective planned;
  std::map<std::size_t, int> orders;
  for (const Sent& one : messages) {
    Unicast line;
    line.u = node_id(one.from);
    line.v = node_id(one.to.value_or(0));
    line.kind = one.to ? MessageKind::unicast : MessageKind::tree;
    line.step = 1;
    line.order = orders[one.from]++;
    planned.schedule.unicasts.push_back(line);
  }
  for (const auto& [node, count] : orders) planned.sources.push_back(node_id(node));
  for (std::size_t i = 0; i < topology.node_count(); ++i)
    planned.destinations.push_back(node_id(i));
  return planned;
}

Routing updown_on(const std::shared_ptr<const Topology>& topology) {
  return {topology, make_table({"updown", nullptr, topology})};
}

// What is found of the circle before the run, and what comes of the run on each model.
struct TreeOutcome {
  std::size_t foreseen = 0;       // messages of the circle
  std::vector<std::string> runs;  // of both models
};

TreeOutcome outcome_of_trees(const std::vector<Sent>& messages, const Routing& routing,
                             const FabricConfig& fabric) {
  const PlannedCollective planned = sent(messages, routing.topology());
  const auto ports = static_cast<int>(routing.topology().node_port_count());
  CheckRequest check{routing, ports, planned.sources, planned.destinations};
  check.vcs = 1;
  check.join_vcs = fabric.join_vcs;
  TreeOutcome outcome;
  outcome.foreseen = check_schedule(planned.schedule, check).worms->circle.size();
  for (const bool is_transaction_level : {false, true}) {
    outcome.runs.push_back(forked([&] {
      Experiment experiment = Experiment().on(fabric).length(16).times(1, 0);
      experiment.is_transaction_level = is_transaction_level;
      Simulation simulation(experiment, routing);
      const Results results = simulation.run({{planned}});
      return results.is_complete() ? "complete" : fault_of(results);
    }));
  }
  return outcome;
}

// 0 is above 1 and 2, 1 above 3, 2 above 4, 4 above 5; 3 and 4 are joined by a link that is not of
// the tree, and leads down to 4. The tree worm of 0 has 4>5 and waits for 1>3; the message from 1
// to 5 has that and waits for 4>5.
constexpr const char* two_branches = "0,1\n0,2\n1,3\n2,4\n4,5\n3,4\n";

FabricConfig with_slow_link(const std::shared_ptr<const Topology>& topology) {
  FabricConfig fabric = With().vcs(1);
  auto links = std::make_shared<LinkTable>(*topology, 0, 1);
  links->set(*topology, {node_id(0), port_id(0)}, 1, 1);
  links->set(*topology, {node_id(1), port_id(0)}, 1, 1);
  fabric.links = links;
  return fabric;
}

TEST(TableTreeRuns, NameTheDeadlockOfATreeAndAUnicastOverAnotherLink) {
  const auto net = graph_of_edges(two_branches);
  const std::vector<Sent> messages{{0, std::nullopt}, {1, 0}, {1, 5}};
  FabricConfig fabric = with_slow_link(net);
  TreeOutcome outcome = outcome_of_trees(messages, updown_on(net), fabric);
  EXPECT_EQ(outcome.foreseen, 2U);
  EXPECT_THAT(outcome.runs[0], HasSubstr("0>all#0 waits for vc 0 at 1.1 held by 1>5#1\n"));
  EXPECT_THAT(outcome.runs[0], HasSubstr("1>5#1 waits for vc 0 at 4.1 held by 0>all#0\n"));
  EXPECT_EQ(outcome.runs[1], outcome.runs[0]);
  fabric.join_vcs = 1;
  outcome = outcome_of_trees(messages, updown_on(net), fabric);
  EXPECT_EQ(outcome.foreseen, 0U);
  EXPECT_EQ(outcome.runs, (std::vector<std::string>{"complete", "complete"}));
}

// Where all links are of the tree one tree among unicasts closes no circle.
TEST(TableTreeRuns, AreFreeAmongUnicastsWhereAllLinksAreOfTheTree) {
  const auto net = graph_of_edges("0,1\n0,2\n1,3\n2,4\n4,5\n");
  std::vector<Sent> messages{{3, std::nullopt}};
  for (std::size_t from = 0; from < net->node_count(); ++from) {
    for (std::size_t to = 0; to < net->node_count(); ++to) {
      if (from != to) messages.push_back({from, to});
    }
  }
  const TreeOutcome outcome = outcome_of_trees(messages, updown_on(net), With().vcs(1));
  EXPECT_EQ(outcome.foreseen, 0U);
  EXPECT_EQ(outcome.runs, (std::vector<std::string>{"complete", "complete"}));
}

// A line 0 1 2 3 with a leaf at 1 and one at 2. Each tree has the leaf next to it and lacks the
// other.
TEST(TableTreeRuns, NameTheDeadlockOfTwoTrees) {
  const auto net = graph_of_edges("0,1\n1,2\n2,3\n1,4\n2,5\n");
  const TreeOutcome outcome =
      outcome_of_trees({{0, std::nullopt}, {3, std::nullopt}}, updown_on(net), With().vcs(1));
  EXPECT_EQ(outcome.foreseen, 2U);
  EXPECT_THAT(outcome.runs[0], HasSubstr("0>all#0 waits for vc 0 at 2.2 held by 3>all#0\n"));
  EXPECT_THAT(outcome.runs[0], HasSubstr("3>all#0 waits for vc 0 at 1.2 held by 0>all#0\n"));
  EXPECT_EQ(outcome.runs[1], outcome.runs[0]);
}

// ---- What is refused ----

std::string refusal_of_tree(const RunRequest& request) {
  try {
    plan(request);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(TableTreeRuns, AreRefusedInASentenceThatSaysWhereTheyWork) {
  const auto star = std::make_shared<Graph>(
      read_graph("star.dot", "graph { hub [processor=false] a--hub b--hub c--hub }"));
  EXPECT_EQ(refusal_of_tree(request_by_tree(star, "tree", 0, "hub")), "");
  EXPECT_EQ(refusal_of_tree(request_by_tree(star, "join-reduce", 0, "hub")), "");
  RunRequest in_rtl = request_by_tree(star, "join-reduce", 0, "hub");
  in_rtl.model = Model::rtl;
  EXPECT_THAT(refusal_of_tree(in_rtl),
              HasSubstr("and this run has trees or joins; the models systemc and worm take trees "
                        "and joins by a table"));
  const auto mesh = parse_topology("mesh:3x3");
  RunRequest request = request_by_tree(mesh, "tree", 0, "0");
  request.fabric.table = parse_table("shortest");
  EXPECT_EQ(refusal_of_tree(request),
            "routing table:shortest is for unicasts and deposits only, and this is a tree message; "
            "of the tables, table:updown has trees and joins");
  request.router.join_vcs = 1;
  EXPECT_THAT(refusal_of_tree(request),
              HasSubstr("join VCs 1: routing table:shortest has neither joins nor trees"));
  request = request_by_tree(mesh, "join-reduce", 0, "0");
  request.traffic.sources.clear();
  request.traffic.group = parse_groups("dims:0");
  EXPECT_EQ(refusal_of_tree(request),
            "algorithm join-reduce is for all nodes under routing table:updown:0, and this group "
            "has 3 of 9");
}

}  // namespace
}  // namespace allport::test
