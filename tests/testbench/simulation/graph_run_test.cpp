// SPDX-License-Identifier: Apache-2.0
// Whole runs on graphs: the models agree, nothing is lost, and what a run refuses.
// ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "testbench/plan/place_values.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/plan_theory.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/simulation/task_graphs.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

std::shared_ptr<const Topology> dot_graph(const std::string& text) {
  return std::make_shared<Graph>(read_graph("g.dot", text));
}

// A connected graph of up to 12 routers, of which some have no processor.
std::shared_ptr<const Topology> random_graph_of_routers(SplitMix64& draw) {
  const std::size_t routers = 3 + draw.next() % 10;
  std::string text = "strict graph {\n";
  for (std::size_t i = 0; i < routers; ++i) {
    const bool is_switch = i > 1 && draw.next() % 3 == 0;
    text += "n" + std::to_string(i) + (is_switch ? " [processor=false]\n" : "\n");
  }
  for (std::size_t i = 1; i < routers; ++i) {
    text += "n" + std::to_string(i) + " -- n" + std::to_string(draw.next() % i) + "\n";
  }
  for (std::size_t more = draw.next() % routers; more > 0; --more) {
    const std::size_t a = draw.next() % routers;
    const std::size_t b = draw.next() % routers;
    if (a != b) text += "n" + std::to_string(a) + " -- n" + std::to_string(b) + "\n";
  }
  return dot_graph(text + "}\n");
}

std::string outcome_on_graph(const RunRequest& request) {
  const Results results = simulate(plan(request));
  std::ostringstream text;
  text << results.broken_invariant << "makespan " << results.tasks->makespan << ", "
       << results.messages << " messages, " << results.flit_hops << " flit hops, contention "
       << results.contention.events << " " << results.contention.blocked_cycles << ", reception "
       << results.reception.events << " " << results.reception.blocked_cycles << ", digest "
       << results.digest;
  if (results.deadlock) text << ", deadlock in cycle " << results.deadlock->cycle;
  return text.str();
}

TEST(GraphRuns, AreTheSameOnWormsAndOnFlits) {
  const RandomCases cases(40);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SplitMix64 draw(seed * 15485863 + 3);
    RunRequest request;
    request.fabric.topology = random_graph_of_routers(draw);
    request.router.classes = 1 + static_cast<int>(draw.next() % 2);
    request.router.vcs = request.router.classes * (1 + static_cast<int>(draw.next() % 3));
    request.router.buffer_depth = 1 + static_cast<int>(draw.next() % 6);
    request.router.link_delay = static_cast<int>(draw.next() % 3);
    if (draw.next() % 2 == 0) request.fabric.ports = 1;
    if (draw.next() % 2 == 0) {
      request.router.vcs = 8 * request.router.classes;
      request.fabric.routing = RoutingOrder::table;
      request.fabric.table = parse_table("shortest");
    }
    TaskGraph graph = random_graph(
        draw, static_cast<std::uint32_t>(request.fabric.topology->node_count()), {80, 48});
    for (Task& task : graph.tasks) {
      if (task.kind != TaskKind::send) continue;
      task.message_class = static_cast<std::uint8_t>(
          draw.next() % static_cast<std::uint64_t>(request.router.classes));
    }
    request.traffic.graph = std::make_shared<TaskGraph>(std::move(graph));
    request.model = Model::systemc;
    RunRequest on_worms = request;
    on_worms.model = Model::worm;
    const std::string expected = outcome_on_graph(request);
    EXPECT_EQ(outcome_on_graph(on_worms), expected) << "seed " << seed;
    EXPECT_THAT(expected, testing::StartsWith("makespan")) << "seed " << seed;
    EXPECT_THAT(expected, Not(HasSubstr("deadlock"))) << "seed " << seed;
  }
}

TEST(GraphRuns, OfAMeshHaveTheCyclesOfTheMesh) {
  // The mesh of 3 x 2 with its own ports, by the table of its dimension order.
  const auto mesh = parse_topology("mesh:3x2");
  std::string edges = "u,v,from_port,to_port\n";
  for (const Channel channel : mesh->channels()) {
    const NodeId to = *mesh->neighbour(channel.node, channel.port);
    if (to < channel.node) continue;
    edges += std::to_string(index(channel.node)) + "," + std::to_string(index(to)) + "," +
             std::to_string(index(channel.port)) + "," +
             std::to_string(index(mesh->arrival_port(channel.node, channel.port))) + "\n";
  }
  std::string rows;
  const Routing routing(mesh, Routing::default_order(*mesh));
  for (std::size_t from = 0; from < mesh->node_count(); ++from) {
    for (std::size_t to = 0; to < mesh->node_count(); ++to) {
      if (from == to) continue;
      const auto hop = routing.route(node_id(from), node_id(to), 0);
      for (const char* layer : {"inject", "0"}) {
        rows += std::to_string(from) + "," + layer + "," + std::to_string(to) + "," +
                std::to_string(index(hop->port)) + ",0\n";
      }
    }
  }
  const RandomCases cases(10);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SplitMix64 draw(seed);
    RunRequest request;
    request.fabric.topology = mesh;
    request.fabric.ports = 1 + static_cast<int>(draw.next() % 2);
    request.model = draw.next() % 2 == 0 ? Model::systemc : Model::worm;
    request.traffic.graph = std::make_shared<TaskGraph>(random_graph(draw, 6, {80, 48}));
    RunRequest on_graph = request;
    on_graph.fabric.topology = std::make_shared<Graph>(read_graph("mesh.csv", edges));
    on_graph.fabric.routing = RoutingOrder::table;
    on_graph.fabric.table =
        TableChoice{"mesh-table.csv", std::make_shared<const std::string>(rows)};
    EXPECT_EQ(outcome_on_graph(on_graph), outcome_on_graph(request)) << "seed " << seed;
  }
}

std::string refusal_on_graph(const RunRequest& request) {
  try {
    plan(request);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

RunRequest algorithm_on_graph(const std::string& graph, const char* algorithm) {
  RunRequest request;
  request.fabric.topology = dot_graph(graph);
  request.traffic.algorithm = &find_algorithm(algorithm);
  return request;
}

constexpr const char* two_switches =
    "graph { s [processor=false] t [processor=false] s--t a--s b--s c--t d--t }";

TEST(GraphRuns, CarryOutCollectivesOfRanks) {
  for (const char* algorithm : {"ring-allreduce", "separate", "direct-alltoall", "wsort"}) {
    const Results results = simulate(plan(algorithm_on_graph(two_switches, algorithm)));
    EXPECT_EQ(results.broken_invariant, "") << algorithm;
    EXPECT_GT(results.messages, 0U) << algorithm;
  }
  const Results results =
      simulate(plan(algorithm_on_graph("graph { a--b--c--a c--d }", "synthesized-allgather")));
  EXPECT_EQ(results.broken_invariant, "");
}

// 2 x 2 blocks of 16 flits each way over the one channel between the switches, where three reach
// each processor.
TEST(GraphRuns, HaveABoundByTheirCuts) {
  const std::optional<LowerBound> bound =
      lower_bound_of(plan(algorithm_on_graph(two_switches, "direct-alltoall")));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->cycles, 1 + 2 * 2 * 16);
  EXPECT_EQ(bound->binds, "cut");
}

TEST(GraphRuns, AreNeverFasterThanTheirBound) {
  const RandomCases cases(12);
  int by_cuts = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SplitMix64 draw(seed * 32452843 + 7);
    RunRequest request;
    request.fabric.topology = random_graph_of_routers(draw);
    request.router.link_delay = static_cast<int>(draw.next() % 3);
    request.message.flits = 1 + static_cast<int>(draw.next() % 40);
    request.node.ts = static_cast<Cycle>(draw.next() % 2 * 9);
    if (draw.next() % 2 == 0) request.fabric.ports = 1;
    request.model = Model::worm;
    for (const char* algorithm :
         {"direct-alltoall", "ring-allreduce", "ring-allgather", "ring-reduce-scatter", "separate",
          "ring-scatter", "ring-gather"}) {
      request.traffic.algorithm = &find_algorithm(algorithm);
      const RunPlan planned = plan(request);
      const std::optional<LowerBound> bound = lower_bound_of(planned);
      ASSERT_TRUE(bound) << algorithm;
      by_cuts += bound->binds == "cut" ? 1 : 0;
      EXPECT_GE(simulate(planned).latency.max, bound->cycles)
          << "seed " << seed << " " << algorithm << " by " << bound->binds;
    }
  }
  EXPECT_GT(by_cuts, 0);
}

// Groups of two processors each beside a switch of their own: between groups go the halves of the
// vector that a processor has summed, not all of it.
TEST(GraphRuns, GoFirstWithinTheirGroups) {
  RunRequest request;
  request.fabric.topology = dot_graph(
      "graph { s [processor=false] t [processor=false] a [group=x] c [group=y] b [group=x] d [group=y]"
      " s--t a--s b--s c--t d--t }");
  request.traffic.algorithm = &find_algorithm("dims-allreduce");
  request.traffic.place = parse_place("groups");
  request.message.flits = 64;
  const RunPlan planned = plan(request);
  const auto& unicasts = planned.trials().front().front().schedule.unicasts;
  const std::string group_of = "xyxy";  // of a, c, b, d
  std::size_t across = 0;
  int first_across = 1 << 20;
  int first_within = 1 << 20;
  for (const Unicast& one : unicasts) {
    const bool is_within = group_of[index(one.u)] == group_of[index(one.v)];
    int& first = is_within ? first_within : first_across;
    first = std::min(first, one.step);
    across += is_within ? 0 : 1;
  }
  EXPECT_LT(first_within, first_across);
  EXPECT_GT(across, 0U);
  EXPECT_EQ(simulate(planned).broken_invariant, "");
  EXPECT_THAT(refusal_on_graph(request), "");
  request.fabric.topology = dot_graph(two_switches);
  EXPECT_THAT(refusal_on_graph(request), HasSubstr("node a of graph:g.dot is of no `group`"));
  request.fabric.topology = parse_topology("mesh:4x4");
  EXPECT_THAT(refusal_on_graph(request), HasSubstr("--place groups: mesh:4x4 has no groups"));
}

TEST(GraphRuns, AreRefusedWhereTheyHaveNoMeaning) {
  EXPECT_THAT(refusal_on_graph(algorithm_on_graph(two_switches, "dcf")),
              HasSubstr("algorithm dcf is for"));
  EXPECT_THAT(refusal_on_graph(algorithm_on_graph(two_switches, "synthesized-allgather")),
              HasSubstr("all fabrics without switches"));
  EXPECT_EQ(refusal_on_graph(algorithm_on_graph(two_switches, "join-reduce")), "");
  RunRequest request = algorithm_on_graph(two_switches, "separate");
  request.custom_router = std::make_shared<RouterDeclaration>();
  EXPECT_THAT(refusal_on_graph(request),
              HasSubstr("--topology graph:g.dot: the pins of a router of your own have none for a "
                        "table"));
  request.custom_router = nullptr;
  request.fabric.routing = RoutingOrder::descending;
  EXPECT_THAT(refusal_on_graph(request), HasSubstr("graph:g.dot has no dimensions"));
  request = {};
  request.fabric.topology = dot_graph(two_switches);
  request.traffic.pattern = "tornado";
  request.traffic.rate = 0.1;
  request.traffic.cycles = 100;
  EXPECT_THAT(refusal_on_graph(request), HasSubstr("tornado"));
}

TEST(GraphRuns, TakePatternsAmongTheirProcessors) {
  for (const Model model : {Model::systemc, Model::worm}) {
    RunRequest request;
    request.fabric.topology = dot_graph(two_switches);
    request.traffic.pattern = "uniform";
    request.traffic.rate = 0.2;
    request.traffic.cycles = 2000;
    request.model = model;
    const Results results = simulate(plan(request));
    EXPECT_EQ(results.broken_invariant, "");
    EXPECT_GT(results.messages, 10U);
    EXPECT_FALSE(results.deadlock);
  }
}

}  // namespace
}  // namespace allport::test
