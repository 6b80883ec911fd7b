// SPDX-License-Identifier: Apache-2.0
// Routing by tables in whole runs: the table of the routes that are built in has their cycles, the
// models agree on every table, and what a run refuses. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED
// choose other cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/plan/place_values.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/router_declaration.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/simulation/task_graphs.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

void take_table(RunRequest& request, const std::string& rule) {
  request.fabric.routing = RoutingOrder::table;
  request.fabric.table = parse_table(rule);
}

std::string outcome_by_table(const RunRequest& request) {
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

RunRequest request_by_table(std::uint64_t seed) {
  SplitMix64 draw(seed * 104729 + 11);
  const auto number = [&](std::uint64_t below) { return static_cast<int>(draw.next() % below); };
  const std::vector<std::string> shapes{"hypercube:3", "mesh:3x3",  "ring:5",
                                        "ring:6",      "torus:3x4", "torus:4x2"};
  const std::string& shape = shapes[static_cast<std::size_t>(number(shapes.size()))];
  const bool wraps = shape[0] == 't' || shape[0] == 'r';
  RunRequest request;
  request.fabric.topology = parse_topology(shape);
  request.router.classes = 1 + number(3);
  request.router.vcs = request.router.classes * (wraps ? 2 * (1 + number(2)) : 1 + number(3));
  request.router.buffer_depth = 1 + number(6);
  request.router.link_delay = number(3);
  if (number(2) == 0) request.fabric.ports = 1 + number(2);
  request.model = number(2) == 0 ? Model::systemc : Model::worm;
  TaskGraph graph = random_graph(
      draw, static_cast<std::uint32_t>(request.fabric.topology->node_count()), {80, 48});
  for (Task& task : graph.tasks) {
    if (task.kind != TaskKind::send) continue;
    task.message_class =
        static_cast<std::uint8_t>(number(static_cast<std::uint64_t>(request.router.classes)));
  }
  request.traffic.graph = std::make_shared<TaskGraph>(std::move(graph));
  return request;
}

std::string case_by_table(std::uint64_t seed, const RunRequest& request) {
  return "seed " + std::to_string(seed) + ": " + request.fabric.topology->name() + ", classes " +
         std::to_string(request.router.classes) + ", vcs " + std::to_string(request.router.vcs) +
         ", model " + to_string(request.model);
}

TEST(RoutingTableRuns, OfTheRoutesThatAreBuiltInHaveTheirCycles) {
  const RandomCases cases(30);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SplitMix64 draw(seed);
    RunRequest built_in = request_by_table(seed);
    if (built_in.fabric.topology->wraps()) {
      const std::vector<TieBreak::Rule> rules{TieBreak::Rule::positive, TieBreak::Rule::negative,
                                              TieBreak::Rule::alternate};
      built_in.traffic.ties.rule = rules[draw.next() % rules.size()];
    }
    if (built_in.model == Model::systemc) {
      RouterRequest& router = built_in.router;
      router.switching = switching_modes[draw.next() % switching_modes.size()];
      if (buffers_messages(router.switching))
        router.buffer_depth = 12 + static_cast<int>(draw.next() % 20);
      if (draw.next() % 3 == 0) router.link_widths = {1 + static_cast<int>(draw.next() % 4)};
    }
    RunRequest by_table = built_in;
    const bool ascends = built_in.fabric.topology->is_hypercube() && draw.next() % 2 == 0;
    if (ascends) built_in.fabric.routing = RoutingOrder::ascending;
    take_table(by_table, ascends ? "dimension:ascending" : "dimension");
    EXPECT_EQ(outcome_by_table(by_table), outcome_by_table(built_in))
        << case_by_table(seed, built_in);
  }
}

TEST(RoutingTableRuns, AreTheSameOnWormsAndOnFlits) {
  const RandomCases cases(30);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SplitMix64 draw(seed + 1);
    RunRequest request = request_by_table(seed);
    if (draw.next() % 2 == 0) request.fabric.missing = parse_missing_links("random:1");
    const bool is_shortest = draw.next() % 2 == 0;
    if (is_shortest) request.router.vcs = 4 * request.router.classes;
    take_table(request, is_shortest ? "shortest" : "updown:1");
    request.model = Model::systemc;
    RunRequest on_worms = request;
    on_worms.model = Model::worm;
    EXPECT_EQ(outcome_by_table(on_worms), outcome_by_table(request))
        << case_by_table(seed, request);
  }
}

std::string refusal_by_table(const RunRequest& request) {
  try {
    plan(request);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

RunRequest algorithm_by_table(const char* shape, const char* algorithm) {
  RunRequest request;
  request.fabric.topology = parse_topology(shape);
  request.traffic.algorithm = &find_algorithm(algorithm);
  return request;
}

TEST(RoutingTableRuns, CarryOutCollectivesOfRanks) {
  for (const auto& [shape, algorithm] :
       std::vector<std::pair<const char*, const char*>>{{"torus:4x4", "bucket-allreduce"},
                                                        {"hypercube:3", "hk"},
                                                        {"hypercube:3", "wsort"},
                                                        {"torus:4x4", "synthesized-allgather"},
                                                        {"mesh:3x3", "direct-alltoall"}}) {
    RunRequest request = algorithm_by_table(shape, algorithm);
    take_table(request, "updown");
    const Results results = simulate(plan(request));
    EXPECT_EQ(results.broken_invariant, "") << algorithm;
    EXPECT_GT(results.messages, 0U) << algorithm;
  }
}

TEST(RoutingTableRuns, AreRefusedWhereThereIsNoTable) {
  RunRequest request = algorithm_by_table("hypercube:3", "hk");
  take_table(request, "updown");
  request.custom_router = std::make_shared<RouterDeclaration>();
  EXPECT_THAT(refusal_by_table(request),
              HasSubstr("--routing table:updown: the pins of a router of your own have none for a "
                        "table; the models systemc, worm, rtl and cosim have tables"));
  request.custom_router = nullptr;
  request.router.vcs = 2;
  request.router.classes = 4;
  EXPECT_THAT(refusal_by_table(request), HasSubstr("classes 4: vcs 2"));
  request.router.classes = 1;
  take_table(request, "dimension");
  request.router.join_vcs = 1;
  EXPECT_THAT(refusal_by_table(request),
              HasSubstr("join VCs 1: routing table:dimension has neither joins nor trees"));
  request.router.join_vcs = 0;
  request.traffic.algorithm = &find_algorithm("join-reduce");
  EXPECT_THAT(refusal_by_table(request),
              HasSubstr("routing table:dimension is for unicasts and deposits only"));
  request = algorithm_by_table("torus:4x4", "bucket-allreduce");
  take_table(request, "dimension");
  request.router.vc_use = VcUse::balanced;
  EXPECT_THAT(refusal_by_table(request),
              HasSubstr("--vc-use balanced: routing table:dimension says itself"));
}

TEST(RoutingTableRuns, HaveAsManyVirtualChannelsAsLayers) {
  RunRequest request = algorithm_by_table("torus:4x4", "bucket-allreduce");
  take_table(request, "dimension");
  EXPECT_EQ(plan(request).router.vcs, 2);
  EXPECT_EQ(plan(request).router.layers, 2);
  request.router.vcs = 3;  // the next number of layers that divides them
  EXPECT_EQ(plan(request).router.layers, 3);
  request.router.vcs = 6;
  request.router.classes = 2;
  EXPECT_EQ(plan(request).router.layers, 3);
  request.router.vcs = 8;
  EXPECT_EQ(plan(request).router.layers, 2);
}

}  // namespace
}  // namespace allport::test
