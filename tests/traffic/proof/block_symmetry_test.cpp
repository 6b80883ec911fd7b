// SPDX-License-Identifier: Apache-2.0
// Proofs by symmetry are held against whole ones, on plans of all algorithms and on broken ones.
#include <gmock/gmock.h>

#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/graphs/graph.h"
#include "tests/traffic/proof/both_proofs.h"

namespace allport {
namespace {

BlockPlan plan_of(const Algorithm& algorithm, const Routing& routing, int ports, int flits) {
  const Topology& topology = routing.topology();
  const Multicast goal = broadcast(topology, node_id(0));
  PlanRequest request{routing, ports, goal};
  request.timing.flits = flits;
  Schedule schedule = plan(algorithm, request);
  Collective of_blocks = without_empty_blocks(algorithm, topology, goal, flits, schedule);
  return {std::move(schedule), std::move(of_blocks)};
}

std::vector<const Algorithm*> algorithms_on(const Topology& topology) {
  std::vector<const Algorithm*> list;
  for (const Algorithm& algorithm : algorithms()) {
    const bool has_blocks = algorithm.operation != Operation::bcast && !is_join(algorithm.kind);
    if (has_blocks && algorithm.is_for(topology)) list.push_back(&algorithm);
  }
  return list;
}

// None: it is larger than any plan may be.
std::optional<BlockPlan> plan_if_it_fits(const Algorithm& algorithm, const Routing& routing,
                                         int ports, int flits) {
  return if_it_fits([&] { return plan_of(algorithm, routing, ports, flits); });
}

// Tells how many of the plans on a fabric were proved by symmetry.
int count_alike(const std::string& shape, const std::vector<int>& flits, bool is_synthesized_too) {
  const Routing routing = routing_on(shape);
  int count = 0;
  for (const Algorithm* algorithm : algorithms_on(routing.topology())) {
    if (algorithm->is_synthesized && !is_synthesized_too) continue;
    for (const int length : flits) {
      for (const int ports : {1, all_ports(routing)}) {
        if (ports == 1 && routing.topology().node_count() > 64) continue;
        const std::string name = shape + " " + std::string(algorithm->name) + " " +
                                 std::to_string(length) + " flits, ports " + std::to_string(ports);
        const std::optional<BlockPlan> one = plan_if_it_fits(*algorithm, routing, ports, length);
        if (one) count += is_proved_alike(*one, routing, ports, name) ? 1 : 0;
      }
    }
  }
  return count;
}

TEST(BlockSymmetry, TellsWhatTheWholeProofTells) {
  int count = 0;
  for (const char* shape :
       {"ring:3", "ring:8", "ring:12", "torus:2x2", "torus:4x4", "torus:3x5", "torus:4x2x3",
        "torus:2x2x2x2", "mesh:4x4", "mesh:3x2", "hypercube:1", "hypercube:3", "hypercube:5"}) {
    count += count_alike(shape, {1, 7, 1000}, false);
  }
  EXPECT_GT(count, 400);
}

std::string by(const ScheduleReport& report) {
  return report.symmetry
             ? to_string(report.symmetry->shift) + (" " + std::to_string(report.symmetry->proved))
             : "none";
}

TEST(BlockSymmetry, FindsTheShiftOfEachAlgorithm) {
  const auto shift = [](const char* algorithm, const char* shape, int flits) {
    const Routing routing = routing_on(shape);
    const int ports = all_ports(routing);
    return by(
        report_on(plan_of(find_algorithm(algorithm), routing, ports, flits), routing, ports, true));
  };
  EXPECT_EQ(shift("bucket-allreduce", "torus:4x4x4", 4096), "coordinates 6");
  EXPECT_EQ(shift("bucket-allreduce", "torus:4x4x4", 4000), "coordinates 6") << "parts turn";
  EXPECT_EQ(shift("bucket-allreduce", "torus:4x4x4", 32), "coordinates 1") << "blocks are empty";
  EXPECT_EQ(shift("bucket-allgather", "torus:3x5", 64), "coordinates 4");
  EXPECT_EQ(shift("ring-allreduce", "ring:7", 64), "coordinates 1");
  EXPECT_EQ(shift("direct-alltoall", "mesh:3x4", 8), "coordinates 20");
  EXPECT_EQ(shift("direct-alltoall", "ring:5", 8), "coordinates 5");
  EXPECT_EQ(shift("doubling-allgather", "torus:4x4", 8), "coordinates 4") << "two ways a line";
  EXPECT_EQ(shift("rabenseifner", "hypercube:4", 64), "bits 1");
  EXPECT_EQ(shift("exchange-alltoall", "hypercube:4", 64), "bits 16");
  EXPECT_EQ(shift("bucket-allreduce", "torus:4x4x4", 1), "none") << "there is one block";
  EXPECT_EQ(shift("dims-allgather", "mesh:4x4", 8), "bits 4") << "what is mirrored";
  EXPECT_EQ(shift("ring-gather", "ring:8", 8), "none");
}

// The blocks of a ring of six nodes, on a fabric without dimensions and with no power of two nodes.
TEST(BlockSymmetry, NodesOfAGraphAreShiftedByTheirNumbers) {
  GraphDescription description;
  description.file = "six";
  for (std::size_t i = 0; i < 6; ++i) description.nodes.push_back({std::to_string(i), true});
  for (std::size_t i = 0; i < 6; ++i) description.edges.push_back({i, (i + 1) % 6});
  const Graph graph(description);
  const Routing ring = routing_on("ring:6");
  const BlockPlan one = plan_of(find_algorithm("ring-allgather"), ring, 2, 6);
  const auto alike = find_alike_blocks(one.schedule, one.goal, graph);
  ASSERT_TRUE(alike);
  EXPECT_EQ(alike->shift, NodeShift::numbers);
  EXPECT_EQ(alike->blocks, std::vector<BlockId>{0});
  EXPECT_EQ(alike->ways.unicasts.size(), 5U);
}

TEST(BlockSymmetry, NoBrokenPlanIsProved) {
  std::mt19937 draw(5);
  int refuted = 0;
  for (const char* shape : {"ring:5", "torus:4x4", "torus:3x2x2", "hypercube:3"}) {
    const Routing routing = routing_on(shape);
    const int ports = all_ports(routing);
    for (const Algorithm* algorithm : algorithms_on(routing.topology())) {
      if (algorithm->is_synthesized) continue;
      const BlockPlan sound = plan_of(*algorithm, routing, ports, 100);
      for (int i = 0; i < 16; ++i) {
        BlockPlan broken = sound;
        break_one(broken.schedule, routing.topology(), broken.goal.block_count(), draw);
        const std::string name = std::string(shape) + " " + std::string(algorithm->name);
        if (broken.goal.is_reduction() || broken.goal.has_alike_nodes()) {
          const std::string whole = told_or_refused(broken, routing, ports, false);
          const std::string report = told_or_refused(broken, routing, ports, true);
          EXPECT_EQ(report, whole) << name;
          if (report.substr(0, 4) != "0\n0\n") ++refuted;
        }
      }
    }
  }
  EXPECT_GT(refuted, 300);
}

// Block 3 goes a step later everywhere: it is received as it should be, and is no shift of others.
TEST(BlockSymmetry, OneBlockThatGoesAnotherWayIsEnough) {
  const Routing routing = routing_on("ring:6");
  BlockPlan one = plan_of(find_algorithm("ring-allgather"), routing, 2, 6);
  EXPECT_EQ(by(report_on(one, routing, 2, true)), "coordinates 1");
  for (Unicast& unicast : one.schedule.unicasts) {
    if (unicast.blocks.front() == 3) unicast.step += 1;
  }
  one.schedule.sort();
  const ScheduleReport report = report_on(one, routing, 2, true);
  EXPECT_EQ(by(report), "none");
  EXPECT_TRUE(report.collective.ok());
}

}  // namespace
}  // namespace allport
