// SPDX-License-Identifier: Apache-2.0
// Random joins, join-trees, trees and unicasts together: with virtual channels of their own and in
// an order that the check proves they are all delivered, with the bytes that they must have. The
// smallest cases without them deadlock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/simulation/group_cases.h"
#include "tests/testbench/simulation/join_mixture.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/joins.h"

namespace allport::test {
namespace {

std::string judged(const PlannedCollective& planned, const Routing& routing, int ports, int vcs) {
  CheckRequest request{routing, ports, planned.sources, planned.destinations};
  request.vcs = vcs;
  request.join_vcs = 2;
  const ScheduleReport report = check_schedule(planned.schedule, request);
  return report.worms->joins.ok() ? "" : report.worms->joins.first.front();
}

// What went wrong in case `seed`; `join_vcs`: 2, or 0 where all messages share channels.
std::string outcome(std::uint64_t seed, int join_vcs) {
  const JoinMixture mixture = draw_join_mixture(seed, join_vcs);
  const PlannedCollective& planned = mixture.planned;
  const Routing& routing = mixture.routing;
  if (!has_joins(planned.schedule)) return "";
  const FabricConfig& fabric = mixture.experiment.fabric;
  const int ports = fabric.internal_ports;
  const int own = fabric.vcs;
  if (const std::string fault = judged(planned, routing, ports, own); !fault.empty()) return fault;
  return forked([&]() -> std::string {
    Simulation simulation(mixture.experiment, routing);
    const Results results = simulation.run({{planned}});
    if (!results.is_complete()) return routing.topology().name() + ": " + fault_of(results);
    return results.missing == 0 ? "" : "somebody received nothing";
  });
}

TEST(JoinMixture, IsDeliveredWhereJoinsAndTreesHaveChannelsOfTheirOwn) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    EXPECT_EQ(outcome(seed, 2), "") << "seed " << seed;
  }
}

TEST(JoinMixture, DeadlocksWhereAllShareTheirChannels) {
  int deadlocks = 0;
  for (std::uint64_t seed = 0; seed < 200 && deadlocks == 0; ++seed) {
    deadlocks += outcome(seed, 0).find("deadlock") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(deadlocks, 0);
}

std::string deadlock_of(PlannedCollective planned, const std::vector<Unicast>& others,
                        const Routing& routing, int join_vcs) {
  std::map<NodeId, int> orders;
  for (const Unicast& line : planned.schedule.unicasts) {
    orders[line.u] = std::max(orders[line.u], line.order + 1);
  }
  for (Unicast line : others) {
    line.order = orders[line.u]++;
    planned.schedule.unicasts.push_back(line);
  }
  planned.schedule.sort();
  return forked([&]() -> std::string {
    Simulation simulation(Experiment().on(With().ports(1).depth(1).join_vcs(join_vcs)).length(8),
                          routing);
    const Results results = simulation.run({{planned}});
    return results.deadlock ? "deadlock" : fault_of(results);
  });
}

TEST(JoinMixture, TwoJoinsInDifferentOrderDeadlockAndTheCheckPredictsIt) {
  const Routing routing = routing_on("hypercube:1");
  PlannedCollective planned = group_collective(MessageKind::join, 0, 0, routing);
  for (Unicast line : group_collective(MessageKind::join, 1, 0, routing).schedule.unicasts) {
    line.order = 1;
    planned.schedule.unicasts.push_back(line);
  }
  EXPECT_EQ(deadlock_of(planned, {}, routing, 2), "");
  for (Unicast& line : planned.schedule.unicasts) {
    if (line.u == node_id(1)) line.order = 1 - line.order;
  }
  EXPECT_NE(judged(planned, routing, 1, 1), "");
  EXPECT_EQ(deadlock_of(planned, {}, routing, 2), "deadlock");
}

}  // namespace
}  // namespace allport::test
