// SPDX-License-Identifier: Apache-2.0
// The blocks of these collectives go in parts: rings both ways, rotated, bucket and swing.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/schedule/block_flow.h"
#include "traffic/schedule/in_parts.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

struct Planned {
  Schedule schedule;
  Collective goal;
};

Planned in_its_parts(std::string_view name, const Routing& routing, int parts = 0, int ports = 0,
                     int flits = 16) {
  const Algorithm& algorithm = find_algorithm(name);
  const Multicast goal = broadcast(routing.topology(), node_id(0));
  PlanRequest request{routing, ports == 0 ? all_ports(routing) : ports, goal, StepRule::naive,
                      parts};
  request.timing.flits = flits;
  Schedule schedule = plan(algorithm, request);
  return {std::move(schedule), collective_of(algorithm, routing.topology(), goal, parts)};
}

ScheduleReport report_on(const Planned& one, const Routing& routing, int ports = 0) {
  return check_schedule(one.schedule,
                        {routing, ports == 0 ? all_ports(routing) : ports, {}, {}, &one.goal});
}

// What a node sends, in the order of its program: `1 adds 3.0 to 1` is step, part 0 of block 3.
std::vector<std::string> sends_of(std::size_t node, const Planned& one) {
  const std::size_t parts = one.goal.part_count();
  std::map<int, std::string> sends;
  for (const Unicast& unicast : one.schedule.unicasts) {
    if (index(unicast.u) != node) continue;
    std::string& text = sends[unicast.order];
    text = std::to_string(unicast.step) + (unicast.adds ? " adds" : " sends");
    for (const BlockId block : unicast.blocks) {
      text += " " + std::to_string(block / parts) + "." + std::to_string(block % parts);
    }
    text += " to " + std::to_string(index(unicast.v));
    for (const int offset : unicast.displacement) text += " " + std::to_string(offset);
  }
  std::vector<std::string> list;
  for (const auto& [order, text] : sends) list.push_back(text);
  return list;
}

std::string faults(const ScheduleReport& report) {
  std::string text;
  for (const Finding* finding : {&report.exactly_once, &report.causality, &report.port_rule,
                                 &report.routes_valid, &report.collective}) {
    for (const std::string& sentence : finding->first) text += sentence + "\n";
  }
  return text;
}

TEST(AlgorithmsInParts, ARingGoesBothWays) {
  const Routing ring = routing_on("ring:4");

  EXPECT_THAT(sends_of(0, in_its_parts("ring-reduce-scatter", ring, 2)),
              ElementsAre("1 adds 3.0 to 1", "1 adds 1.1 to 3", "2 adds 2.0 to 1",
                          "2 adds 2.1 to 3", "3 adds 1.0 to 1", "3 adds 3.1 to 3"));
  EXPECT_THAT(sends_of(1, in_its_parts("ring-reduce-scatter", routing_on("ring:2"), 2)),
              ElementsAre("1 adds 0.0 to 0", "1 adds 0.1 to 0 -1"));
  EXPECT_EQ(sends_of(0, in_its_parts("ring-allreduce", ring)).size(), 6U) << "one part";
}

TEST(AlgorithmsInParts, EachPartOfARotatedExchangeCrossesADimensionOfItsOwn) {
  const Routing cube = routing_on("hypercube:3");

  EXPECT_THAT(sends_of(1, in_its_parts("rotated-allgather", cube)),
              ElementsAre("1 sends 1.0 to 0", "1 sends 1.1 to 3", "1 sends 1.2 to 5",
                          "2 sends 0.0 1.0 to 3", "2 sends 1.1 3.1 to 5", "2 sends 1.2 5.2 to 0",
                          "3 sends 0.0 1.0 2.0 3.0 to 5", "3 sends 1.1 3.1 5.1 7.1 to 0",
                          "3 sends 0.2 1.2 4.2 5.2 to 3"));
  const std::vector<std::string> sums = sends_of(0, in_its_parts("rotated-allreduce", cube));
  ASSERT_EQ(sums.size(), 18U);
  EXPECT_EQ(sums[0], "1 adds 1.0 3.0 5.0 7.0 to 1");
  EXPECT_EQ(sums[3], "2 adds 2.0 6.0 to 2");
  EXPECT_EQ(sums[6], "3 adds 4.0 to 4");
  EXPECT_EQ(sums[9], "4 sends 0.0 to 4");
  EXPECT_EQ(sums[12], "5 sends 0.0 4.0 to 2");
  EXPECT_EQ(sums[15], "6 sends 0.0 2.0 4.0 6.0 to 1");
  EXPECT_EQ(sends_of(0, in_its_parts("rotated-alltoall", routing_on("hypercube:2"))),
            (std::vector<std::string>{"1 sends 1.0 3.0 to 1", "1 sends 2.1 3.1 to 2",
                                      "2 sends 2.0 6.0 to 2", "2 sends 1.1 9.1 to 1"}));
}

// Node 0 of a torus of 3 columns and 2 rows, whose parts have different numbers of steps in a
// dimension, so that some meet at a port.
TEST(AlgorithmsInParts, BucketsGoAroundTheRingsOfAllDimensions) {
  EXPECT_THAT(
      sends_of(0, in_its_parts("bucket-allgather", routing_on("torus:3x3"))),
      ElementsAre("1 sends 0.0 to 1", "1 sends 0.1 to 2", "1 sends 0.2 to 3", "1 sends 0.3 to 6",
                  "2 sends 2.0 to 1", "2 sends 1.1 to 2", "2 sends 6.2 to 3", "2 sends 3.3 to 6",
                  "3 sends 0.0 1.0 2.0 to 3", "3 sends 0.1 1.1 2.1 to 6",
                  "3 sends 0.2 3.2 6.2 to 1", "3 sends 0.3 3.3 6.3 to 2",
                  "4 sends 6.0 7.0 8.0 to 3", "4 sends 3.1 4.1 5.1 to 6",
                  "4 sends 2.2 5.2 8.2 to 1", "4 sends 1.3 4.3 7.3 to 2"));
  EXPECT_THAT(
      sends_of(0, in_its_parts("bucket-reduce-scatter", routing_on("ring:3"))),
      ElementsAre("1 adds 1.0 to 2", "1 adds 2.1 to 1", "2 adds 2.0 to 2", "2 adds 1.1 to 1"));
  const Routing uneven = routing_on("torus:3x2");
  EXPECT_EQ(faults(report_on(in_its_parts("bucket-allreduce", uneven), uneven)), "");
  EXPECT_EQ(in_its_parts("bucket-allgather", uneven).schedule.steps(), 4);
}

// Blocks of 3 flits have parts of 2 and 1; those of 4 have equal ones, and of 1 only the first.
TEST(AlgorithmsInParts, BucketsTurnThePartsOfAVectorThatDoesNotDivide) {
  const Routing ring = routing_on("ring:3");
  const auto sends_with = [&](int flits) {
    return sends_of(0, in_its_parts("bucket-allreduce", ring, 0, 0, flits));
  };

  EXPECT_THAT(sends_with(9), ElementsAre("1 adds 1.1 to 2", "1 adds 2.1 to 1", "2 adds 2.0 to 2",
                                         "2 adds 1.0 to 1", "3 sends 0.0 to 1", "3 sends 0.1 to 2",
                                         "4 sends 2.0 to 1", "4 sends 1.0 to 2"));
  const std::vector<std::string> fixed = sends_with(12);
  EXPECT_EQ(fixed[0], "1 adds 1.0 to 2");
  EXPECT_EQ(sends_with(3), fixed);
  EXPECT_EQ(sends_with(5), fixed);
  EXPECT_EQ(sends_of(0, in_its_parts("bucket-allreduce", ring, 0, 1, 9)),
            sends_of(0, in_its_parts("bucket-allreduce", ring, 0, 1, 12)))
      << "one port for both ways";
}

// The checker holds the postcondition; all parts of each block are there.
TEST(AlgorithmsInParts, TurnedPartsAreAllSummed) {
  for (const char* shape : {"ring:4", "ring:5", "torus:4x4", "torus:3x2", "torus:3x4x2"}) {
    const Routing torus = routing_on(shape);
    for (const int flits : {100, 333, 1001}) {
      const Planned one = in_its_parts("bucket-allreduce", torus, 0, 0, flits);
      EXPECT_EQ(faults(report_on(one, torus)), "") << shape << " flits " << flits;
    }
  }
}

TEST(AlgorithmsInParts, SwingMeetsPartnersOnBothSides) {
  const auto partners = [](const Planned& one, std::size_t node, std::size_t part) {
    std::vector<std::size_t> list;
    for (const Unicast& unicast : one.schedule.unicasts) {
      const bool is_its = unicast.blocks.front() % one.goal.part_count() == part;
      if (index(unicast.u) == node && is_its) list.push_back(index(unicast.v));
    }
    return list;
  };
  const Planned on_eight = in_its_parts("swing-reduce-scatter", routing_on("ring:8"));
  EXPECT_THAT(partners(on_eight, 0, 0), ElementsAre(1, 7, 3));
  EXPECT_THAT(partners(on_eight, 0, 1), ElementsAre(7, 1, 5)) << "mirrored";
  EXPECT_THAT(partners(on_eight, 5, 0), ElementsAre(4, 6, 2));
  EXPECT_THAT(sends_of(0, in_its_parts("swing-allreduce", routing_on("ring:4"))),
              ElementsAre("1 adds 1.0 2.0 to 1", "1 adds 2.1 3.1 to 3", "2 adds 3.0 to 3",
                          "2 adds 1.1 to 1", "3 sends 0.0 to 3", "3 sends 0.1 to 1",
                          "4 sends 0.0 3.0 to 1", "4 sends 0.1 1.1 to 3"));
  const Planned on_sides = in_its_parts("swing-allgather", routing_on("torus:4x2"));
  EXPECT_THAT(partners(on_sides, 0, 0), ElementsAre(3, 4, 1)) << "the steps backwards";
}

// Partners three apart use channels that their neighbours use.
TEST(AlgorithmsInParts, SwingContendsFromEightNodesOnALineOn) {
  for (const char* name : {"swing-allgather", "swing-reduce-scatter", "swing-allreduce"}) {
    const Routing four = routing_on("torus:4x4");
    EXPECT_TRUE(report_on(in_its_parts(name, four), four).ok()) << name;
    for (const char* shape : {"ring:8", "torus:4x8", "ring:16"}) {
      const Routing torus = routing_on(shape);
      const ScheduleReport report = report_on(in_its_parts(name, torus), torus);
      EXPECT_TRUE(report.collective.ok() && report.port_rule.ok()) << name << " " << shape;
      EXPECT_FALSE(report.theorem1.ok() || report.stepwise.ok()) << name << " " << shape;
    }
  }
}

TEST(AlgorithmsInParts, AreProvedOnUnevenAndLargeFabricsAndOnFewPorts) {
  for (const char* shape : {"torus:5x3x2", "torus:2x3", "torus:2x2x3", "torus:6x5", "ring:17",
                            "torus:4x4x4", "hypercube:6", "torus:2x8", "torus:7x2"}) {
    const Routing routing = routing_on(shape);
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.own_parts == nullptr || !algorithm.is_for(routing.topology())) continue;
      if (algorithm.is_synthesized) continue;  // synthesis_test.cpp has them
      if (is_join(algorithm.kind)) continue;   // joins carry no blocks
      const PartCounts counts = algorithm.own_parts(routing.topology());
      for (int parts = counts.least; parts <= counts.most; ++parts) {
        for (const int ports : {1, 2, all_ports(routing)}) {
          const Planned one = in_its_parts(algorithm.name, routing, parts, ports);
          EXPECT_EQ(faults(report_on(one, routing, ports)), "")
              << algorithm.name << " on " << shape << " k " << ports;
          EXPECT_EQ(BlockFlow(one.schedule, one.goal).program_fault(), "") << algorithm.name;
        }
      }
    }
  }
}

// Any other collective can be cut: one part follows the other.
TEST(AlgorithmsInParts, AnyCollectiveButABarrierCanBeCut) {
  for (const char* shape : {"ring:5", "hypercube:3", "mesh:3x2", "torus:3x4"}) {
    const Routing routing = routing_on(shape);
    for (const Algorithm& algorithm : algorithms()) {
      const bool is_cut = algorithm.operation != Operation::bcast &&
                          algorithm.operation != Operation::barrier &&
                          algorithm.own_parts == nullptr && algorithm.is_for(routing.topology());
      if (!is_cut) continue;
      const Planned whole = in_its_parts(algorithm.name, routing, 1);
      for (const int parts : {2, 3}) {
        const Planned one = in_its_parts(algorithm.name, routing, parts);
        EXPECT_EQ(faults(report_on(one, routing)), "") << algorithm.name << " on " << shape;
        EXPECT_EQ(BlockFlow(one.schedule, one.goal).program_fault(), "") << algorithm.name;
        EXPECT_EQ(one.schedule.unicasts.size(),
                  static_cast<std::size_t>(parts) * whole.schedule.unicasts.size());
      }
    }
  }
  const Planned sums = in_its_parts("exchange-allreduce", routing_on("hypercube:2"), 2);
  EXPECT_THAT(sends_of(0, sums), ElementsAre("1 adds 0.0 to 1", "2 adds 0.1 to 1",
                                             "3 adds 0.0 to 2", "4 adds 0.1 to 2"));
}

TEST(AlgorithmsInParts, OtherNumbersOfPartsAreRefused) {
  const auto complaint = [](std::string_view name, const char* shape, int parts) {
    const Routing routing = routing_on(shape);
    return complaint_of([&] { in_its_parts(name, routing, parts); });
  };
  EXPECT_EQ(complaint("bucket-allreduce", "torus:3x3", 3),
            "algorithm bucket-allreduce cuts each block into 4 parts on torus:3x3, not into 3");
  EXPECT_EQ(complaint("ring-allreduce", "ring:4", 3),
            "algorithm ring-allreduce cuts each block into 1..2 parts on ring:4, not into 3");
  EXPECT_EQ(
      complaint("sbt", "hypercube:3", 2),
      "algorithm sbt is a multicast, whose message is cut into pieces, not into parts of blocks");
  EXPECT_EQ(complaint("sbt-barrier", "hypercube:3", 2),
            "algorithm sbt-barrier is a barrier, whose block is one flit and cannot be cut");
}

// The plan of blocks some of which have no flit: as it is made where these are left out afterwards,
// and before.
std::vector<Schedule> without_empty(std::string_view name, const Routing& routing, int ports,
                                    int flits) {
  const Algorithm& algorithm = find_algorithm(name);
  const Multicast goal = broadcast(routing.topology(), node_id(0));
  std::vector<Schedule> plans;
  for (const bool are_left_out : {false, true}) {
    PlanRequest request{routing, ports, goal, StepRule::naive, 0};
    request.timing.flits = flits;
    request.has_blocks_left_out = are_left_out;
    plans.push_back(plan(algorithm, request));
    without_empty_blocks(algorithm, routing.topology(), goal, flits, plans.back());
  }
  return plans;
}

TEST(AlgorithmsInParts, BucketsPlanBlocksWithAFlitAsIfOthersWereLeftOutLater) {
  for (const char* shape : {"ring:4", "ring:5", "torus:2x2", "torus:3x3", "torus:4x4", "torus:4x2",
                            "torus:3x5", "torus:3x3x3", "torus:2x3x2"}) {
    const Routing routing = routing_on(shape);
    const auto most = static_cast<int>(2 * routing.topology().dimension_count() *
                                       routing.topology().node_count());
    for (const char* name : {"bucket-allgather", "bucket-reduce-scatter", "bucket-allreduce"}) {
      for (const int ports : {1, all_ports(routing)}) {
        for (const int flits : {1, 2, 3, 4, 5, 7, most / 3, most / 2, most - 1, most, most + 1}) {
          SCOPED_TRACE(std::string(name) + " on " + shape + " by " + std::to_string(ports) +
                       " ports, " + std::to_string(flits) + " flits");
          const std::vector<Schedule> plans = without_empty(name, routing, ports, flits);
          ASSERT_EQ(plans[0].unicasts.size(), plans[1].unicasts.size());
          for (std::size_t i = 0; i < plans[0].unicasts.size(); ++i) {
            const Unicast& late = plans[0].unicasts[i];
            const Unicast& early = plans[1].unicasts[i];
            ASSERT_EQ(describe(late, routing.topology()), describe(early, routing.topology()));
            ASSERT_EQ(late.order, early.order);
            ASSERT_EQ(late.adds, early.adds);
            ASSERT_EQ(late.displacement, early.displacement);
            ASSERT_EQ(late.blocks.values(), early.blocks.values());
          }
        }
      }
    }
  }
}

// With all blocks it would have 36 million messages, which carry 13 thousand million blocks.
TEST(AlgorithmsInParts, BucketsOfFewFlitsFitOnManyNodes) {
  const Routing torus = routing_on("torus:32x32x32");
  const Multicast goal = broadcast(torus.topology(), node_id(0));
  PlanRequest request{torus, all_ports(torus), goal, StepRule::naive, 0};
  request.timing.flits = 40;
  const Algorithm& algorithm = find_algorithm("bucket-allreduce");
  EXPECT_THAT(complaint_of([&] { plan(algorithm, request); }), StartsWith("torus:32x32x32 is too"));

  request.has_blocks_left_out = true;
  Schedule schedule = plan(algorithm, request);
  // Of the rings along x 2 begin with a block, 40 nodes of them, then of those along y 32, then
  // 1024.
  EXPECT_EQ(schedule.unicasts.size(), 2U * 31U * (40U + 64U + 1024U));
  const Collective goal_of_all =
      without_empty_blocks(algorithm, torus.topology(), goal, request.timing.flits, schedule);
  EXPECT_EQ(faults(report_on({schedule, goal_of_all}, torus)), "");
}

// Two parts lose a message and exchange one.
TEST(AlgorithmsInParts, TheCheckJudgesEachPartByItself) {
  const Routing torus = routing_on("torus:3x3");
  Planned one = in_its_parts("bucket-allreduce", torus);
  OneOrMore<BlockId>& blocks = one.schedule.unicasts.front().blocks;
  std::vector<BlockId> others = blocks.values();
  others.front() ^= 1U;  // the same block of another part
  blocks = others;
  EXPECT_FALSE(report_on(one, torus).collective.ok());
  Planned other = in_its_parts("bucket-allgather", torus);
  other.schedule.unicasts.erase(other.schedule.unicasts.begin() + 5);
  const ScheduleReport report = report_on(other, torus);
  EXPECT_FALSE(report.causality.ok());
  EXPECT_FALSE(report.exactly_once.ok());
}

}  // namespace
}  // namespace allport
