// SPDX-License-Identifier: Apache-2.0
// These ports do not send and receive in every cycle (docs/programs.md, section 2): the tests have
// cycles by hand, and what holds for all runs. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other
// cases (scripts/nightly).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/support/draw.h"
#include "tests/support/test_file.h"
#include "tests/testbench/simulation/block_plans.h"

namespace allport::test {
namespace {

NodeModel limited(bool is_half_duplex, bool shares_bandwidth) {
  NodeModel model;
  model.is_half_duplex = is_half_duplex;
  model.shares_bandwidth = shares_bandwidth;
  return model;
}

std::string cycles_with(const NodeModel& model, const PlannedCollective& plan,
                        const Routing& routing, const Times& times) {
  return forked([&] {
    Experiment experiment;
    experiment.times(times.ts, times.tr).length(times.flits).on(With().depth(16));
    experiment.model = model;
    Simulation simulation(experiment, routing);
    return in_words(simulation.run({{plan}}));
  });
}

// Two neighbours send to each other: for the two cycles that a flit is under way both send, then
// both receive. So flit i, of L, leaves in cycle ts + 4 floor(i/2) + i mod 2 and is there two
// cycles later; a message alone, or one on two ports that are full duplex, is there L - 1 + 2
// cycles after its head has left.
TEST(PortLimits, HalfDuplexNeighboursTakeTurns) {
  const Routing pair = routing_on("hypercube:1");
  const PlannedCollective both = of_blocks("direct-neighbor", pair, 0);
  for (const int flits : {1, 2, 3, 4, 7, 16}) {
    for (const Cycle ts : {0, 5}) {
      const Times times{ts, 3, flits};
      const Cycle last = flits - 1;
      EXPECT_EQ(cycles_with(limited(true, false), both, pair, times),
                std::to_string(ts + 4 * (last / 2) + last % 2 + 2 + 3))
          << flits;
      EXPECT_EQ(cycles_with(limited(false, false), both, pair, times),
                std::to_string(ts + last + 2 + 3));
      EXPECT_EQ(cycles_with(limited(true, false), single(0, 1, pair), pair, times),
                std::to_string(ts + last + 2 + 3));
    }
  }
}

// Where the ports share what a channel carries, a node sends its n messages of L flits in n L
// cycles, one flit after another of each; as many come, one a cycle.
TEST(PortLimits, SharedPortsSendAFlitACycle) {
  for (int n = 1; n <= 4; ++n) {
    const Routing cube = routing_on("hypercube:" + std::to_string(n));
    const PlannedCollective all = of_blocks("direct-neighbor", cube, 0);
    for (const int flits : {1, 2, 5, 16}) {
      EXPECT_EQ(cycles_with(limited(false, true), all, cube, {0, 3, flits}),
                std::to_string(n * flits + 1 + 3))
          << n << " " << flits;
    }
  }
}

// A node that sends only is not slowed down by its receiving half; what comes to node 0 by three
// ports at once is taken one flit a cycle.
TEST(PortLimits, SharedPortsTakeAFlitACycle) {
  const Routing cube = routing_on("hypercube:3");
  std::vector<PlannedCollective> senders;
  for (const std::size_t node : {1, 2, 4}) senders.push_back(single(node, 0, cube));
  const auto cycles = [&](const NodeModel& model) {
    return forked([&] {
      Experiment experiment;
      experiment.times(0, 0).length(10);
      experiment.model = model;
      Simulation simulation(experiment, cube);
      return in_words(simulation.run({senders}));
    });
  };
  EXPECT_EQ(cycles(limited(false, false)), "11");
  EXPECT_EQ(cycles(limited(false, true)), std::to_string(1 + 3 * 10));
  EXPECT_EQ(cycles(limited(true, true)), std::to_string(1 + 3 * 10));
}

// Node 2 of a ring of three begins messages of two flits in cycles 0 and 1, both by the one port,
// and in cycle 3, by the other, whose turn it then is: their heads are on the injection channels in
// cycles 0, 2 and 3, and their tails in 1, 4 and 5. Node 0 sends alone.
TEST(PortLimits, AMessageThatBeginsTakesItsTurnInTheSameCycle) {
  const std::string flows = test_file("flows.csv");
  std::ofstream(flows) << "2,0,2,2,0,1\n2,1,2,2,3,3\n0,1,2,2,0,0\n";
  RunRequest request;
  request.fabric.topology = parse_topology("ring:3");
  request.model = Model::systemc;
  request.traffic.flows = flows;
  request.traffic.cycles = 4;
  request.node.model = limited(false, true);
  const Results results = simulate(plan(request));
  EXPECT_EQ(results.messages, 4U);
  EXPECT_EQ(results.traffic->latency.mean, (3 + 5 + 4 + 3) / 4.0);
  EXPECT_EQ(results.traffic->network_latency.mean, (3 + 4 + 4 + 3) / 4.0);
}

RunRequest random_request(std::uint64_t seed) {
  Draw draw(seed);
  const auto [shape, algorithm] =
      draw.one_of<std::pair<const char*, const char*>>({{"hypercube:3", "direct-neighbor"},
                                                        {"torus:3x4", "direct-neighbor"},
                                                        {"torus:4x4", "shift-neighbor-box"},
                                                        {"mesh:3x3", "direct-neighbor-box"},
                                                        {"mesh:4x3", "shift-neighbor-nw"},
                                                        {"hypercube:3", "xor-alltoall"},
                                                        {"hypercube:4", "sbt-allreduce"},
                                                        {"torus:4x4", "bucket-allreduce"},
                                                        {"hypercube:4", "wsort"},
                                                        {"ring:6", "ring-alltoall"},
                                                        {"torus:3x3", "dims-alltoall"},
                                                        {"hypercube:3", "hamiltonian"},
                                                        {"hypercube:3", "tree"}});
  RunRequest request;
  request.fabric.topology = parse_topology(shape);
  request.traffic.algorithm = &find_algorithm(algorithm);
  request.message.flits = draw.one_of<int>({1, 2, 7, 20});
  request.node.ts = draw.one_of<Cycle>({0, 0, 3, 20});
  request.node.tr = draw.one_of<Cycle>({0, 2});
  if (draw.below(4) == 0) request.fabric.ports = 1;
  if (draw.below(3) == 0) request.router.buffer_depth = 1;
  if (draw.below(3) == 0) request.router.link_delay = 1;
  if (draw.below(4) == 0) request.node.model.startup_per_port = true;
  if (draw.below(4) == 0) request.node.model.send_blocks = true;
  request.model = Model::systemc;
  return request;
}

std::string limits_in_words(const RunRequest& request) {
  std::ostringstream text;
  text << request.traffic.algorithm->name << " on " << request.fabric.topology->name() << " flits "
       << request.message.flits << " ts " << request.node.ts << " tr " << request.node.tr << " k "
       << request.fabric.ports.value_or(0) << " B " << request.router.buffer_depth << " d "
       << request.router.link_delay << " per port " << request.node.model.startup_per_port
       << " blocks " << request.node.model.send_blocks << " half "
       << request.node.model.is_half_duplex << " shared " << request.node.model.shares_bandwidth;
  return text.str();
}

Results run_with(RunRequest request, bool is_half_duplex, bool shares_bandwidth) {
  request.node.model.is_half_duplex = is_half_duplex;
  request.node.model.shares_bandwidth = shares_bandwidth;
  return simulate(plan(request));
}

bool meets_nobody(const Results& results) {
  return results.contention.events == 0 && results.reception.events == 0;
}

// Nothing is lost, the same messages cross the same links, and where messages do not meet no limit
// makes anything faster.
TEST(PortLimits, LoseNothingAndAreNeverFaster) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const RunRequest request = random_request(seed);
    const Results full = run_with(request, false, false);
    for (const auto& [half, shared] : {std::pair(true, false), {false, true}, {true, true}}) {
      const Results results = run_with(request, half, shared);
      const std::string what = limits_in_words(request) + (half ? ", half" : "") +
                               (shared ? ", shared" : "") + ", seed " + std::to_string(seed);
      ASSERT_EQ(fault_of(results), "") << what;
      ASSERT_EQ(results.missing, 0U) << what;
      ASSERT_EQ(results.messages, full.messages) << what;
      ASSERT_EQ(results.flit_hops, full.flit_hops) << what;
      if (!meets_nobody(full) || !meets_nobody(results)) continue;
      ASSERT_GE(results.latency.max, full.latency.max) << what;
    }
  }
}

}  // namespace
}  // namespace allport::test
