// SPDX-License-Identifier: Apache-2.0
// Node models keep the order of what happens at a node within a cycle (docs/programs.md, section
// 2), which is the same on both models. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases
// (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"

namespace allport::test {
namespace {

// A collective of unicasts, each of which waits for those before it.
PlannedCollective chained(const std::vector<std::pair<std::size_t, std::size_t>>& sends) {
  PlannedCollective planned{{node_id(sends.front().first)}, {}, {}};
  for (const auto& [from, to] : sends) {
    Unicast unicast;
    unicast.u = node_id(from);
    unicast.v = node_id(to);
    unicast.step = static_cast<int>(planned.schedule.unicasts.size()) + 1;
    for (const Unicast& before : planned.schedule.unicasts) {
      if (before.u == unicast.u) unicast.order = before.order + 1;
    }
    planned.schedule.unicasts.push_back(unicast);
    planned.destinations.push_back(unicast.v);
  }
  return planned;
}

// The cycles of all tails when node 0 relays a flit of node 1 to nodes 2 and 4, and one of node 2
// has come in the same cycle.
std::string relayed(bool has_worms, const NodeModel& model) {
  return forked([&] {
    const Routing routing = routing_on("hypercube:3");
    SimulationConfig config = Experiment().times(0, 1).length(1);
    config.is_transaction_level = has_worms;
    config.model = model;
    Simulation simulation(config, routing);
    const Results results =
        simulation.run({{chained({{1, 0}, {0, 2}, {0, 4}}), chained({{2, 0}})}});
    std::string text = fault_of(results);
    for (const Delivery& one : results.deliveries) {
      text += std::to_string(index(one.source)) + ">" + std::to_string(index(one.destination)) +
              " in " + std::to_string(one.tail) + ", ";
    }
    return text;
  });
}

// Both flits are at node 0 in cycle 2, that of node 1 is taken over by cycle 3 and sent to node 2
// in it. Then the processor is free, and takes the other flit over, by cycle 4, before it prepares
// the next message.
TEST(NodeModel, WhatHasComeIsTakenOverBeforeTheNextMessageOfTheSameCycle) {
  for (const bool send_blocks : {false, true}) {
    NodeModel model;
    model.receive_occupies = true;
    model.send_blocks = send_blocks;
    for (const bool has_worms : {false, true}) {
      EXPECT_EQ(relayed(has_worms, model), "0>2 in 5, 0>4 in 6, 1>0 in 2, 2>0 in 2, ")
          << "blocks: " << send_blocks << ", worms: " << has_worms;
    }
  }
}

void draw_node(Draw& draw, NodeRequest& node) {
  node.ts = draw.one_of<Cycle>({0, 0, 0, 0, 1});
  node.tr = draw.one_of<Cycle>({0, 1, 1, 2});
  node.jitter = draw.one_of<Cycle>({0, 1, 3});
  node.model.ts_per_flit = draw.one_of<Cycle>({0, 0, 0, 0, 1});
  node.model.tr_per_flit = draw.one_of<Cycle>({0, 0, 1});
  node.model.send_blocks = draw.below(4) > 0;
  node.model.receive_occupies = draw.below(4) > 0;
  node.model.startup_per_port = draw.below(5) == 0;
}

std::string words_of(const RunRequest& request) {
  const NodeModel& model = request.node.model;
  std::ostringstream text;
  text << request.traffic.algorithm->name << " on " << request.fabric.topology->name() << " from";
  for (const NodeNumber& source : request.traffic.sources) text << " " << source.id;
  text << ", flits " << request.message.flits << " ts " << request.node.ts << " tr "
       << request.node.tr << " jitter " << request.node.jitter << " per flit " << model.ts_per_flit
       << " " << model.tr_per_flit << " blocks " << model.send_blocks << " occupies "
       << model.receive_occupies << " per port " << model.startup_per_port << " k "
       << request.fabric.ports.value_or(0) << " B " << request.router.buffer_depth << " d "
       << request.router.link_delay << " rate " << request.traffic.collective_rate.value_or(0)
       << " seed " << request.traffic.seed;
  return text.str();
}

RunRequest modelled_request(std::uint64_t seed) {
  Draw draw(seed);
  const auto [shape, algorithm] =
      draw.one_of<std::pair<const char*, const char*>>({{"hypercube:2", "direct-alltoall"},
                                                        {"hypercube:2", "esbt"},
                                                        {"hypercube:3", "sbt"},
                                                        {"hypercube:3", "wsort"},
                                                        {"hypercube:4", "wsort"},
                                                        {"hypercube:3", "doubling-allgather"},
                                                        {"hypercube:4", "doubling-allgather"},
                                                        {"hypercube:3", "xor-alltoall"},
                                                        {"hypercube:3", "exchange-barrier"},
                                                        {"hypercube:3", "sbt-allreduce"},
                                                        {"torus:4x4", "dcf"},
                                                        {"mesh:3x3", "umesh"},
                                                        {"torus:3x3", "dims-allgather"},
                                                        {"mesh:3x3", "direct-alltoall"},
                                                        {"ring:4", "ring-alltoall"}});
  RunRequest request;
  request.fabric.topology = parse_topology(shape);
  request.traffic.algorithm = &find_algorithm(algorithm);
  const std::size_t nodes = request.fabric.topology->node_count();
  for (const std::size_t node : draw.subset(nodes, static_cast<std::size_t>(1 + draw.below(4)))) {
    request.traffic.sources.push_back({node});
  }
  request.message.flits = draw.one_of<int>({1, 1, 1, 2});
  draw_node(draw, request.node);
  if (draw.below(6) == 0) request.fabric.ports = 1;
  if (draw.below(3) == 0) request.router.buffer_depth = 1;
  if (draw.below(3) == 0) request.router.link_delay = 1;
  request.traffic.seed = seed;
  if (draw.below(4) == 0) {
    request.traffic.collective_rate = 0.05;
    request.traffic.cycles = 400;
  }
  return request;
}

std::string seen_with(RunRequest request, Model model) {
  request.model = model;
  const Results results = simulate(plan(request));
  std::ostringstream text;
  text << fault_of(results) << results.digest << " latency " << results.latency.max << " "
       << results.latency.mean << " messages " << results.messages << " flit hops "
       << results.flit_hops << " missing " << results.missing << "\n"
       << contention_of(results);
  return text.str();
}

TEST(NodeModel, WormsAreWhereFlitsAre) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const RunRequest request = modelled_request(seed);
    const std::string on_flits = seen_with(request, Model::systemc);
    ASSERT_EQ(on_flits, seen_with(request, Model::worm)) << words_of(request);
    ASSERT_THAT(on_flits, testing::HasSubstr(" missing 0\n")) << words_of(request);
  }
}

}  // namespace
}  // namespace allport::test
