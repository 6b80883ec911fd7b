// SPDX-License-Identifier: Apache-2.0
// Random joins, join-trees, trees and unicasts run together: with virtual channels of their own and
// in an order that the check proves they are all delivered, with the bytes that they must have. The
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

ScheduleReport report_on(const PlannedCollective& planned, const Routing& routing,
                         const FabricConfig& fabric, int join_vcs) {
  CheckRequest request{routing, fabric.internal_ports, planned.sources, planned.destinations};
  request.vcs = fabric.vcs;
  request.join_vcs = join_vcs;
  return check_schedule(planned.schedule, request);
}

std::string judged(const PlannedCollective& planned, const Routing& routing,
                   const FabricConfig& fabric, int join_vcs) {
  const ScheduleReport report = report_on(planned, routing, fabric, join_vcs);
  return report.worms->joins.ok() ? "" : report.worms->joins.first.front();
}

std::string outcome_of(const JoinMixture& mixture, bool is_transaction_level) {
  return forked([&]() -> std::string {
    Experiment experiment = mixture.experiment;
    experiment.is_transaction_level = is_transaction_level;
    Simulation simulation(experiment, mixture.routing);
    const Results results = simulation.run({{mixture.planned}});
    if (!results.is_complete()) {
      return mixture.routing.topology().name() + ": " + fault_of(results);
    }
    return results.missing == 0 ? "" : "somebody received nothing";
  });
}

// What went wrong in case `seed`, whose order is proved for channels of which `proved_vcs` serve
// joins and trees alone, on channels with `join_vcs` such.
std::string outcome(std::uint64_t seed, int proved_vcs, int join_vcs, Nets nets = Nets::regular) {
  JoinMixture mixture = draw_join_mixture(seed, proved_vcs, Steps::proved, nets);
  if (!has_joins(mixture.planned.schedule)) return "";
  FabricConfig& fabric = mixture.experiment.fabric;
  const std::string fault = judged(mixture.planned, mixture.routing, fabric, proved_vcs);
  if (!fault.empty()) return fault;
  fabric.join_vcs = join_vcs;
  return outcome_of(mixture, false);
}

TEST(JoinMixture, IsDeliveredWhereJoinsAndTreesHaveChannelsOfTheirOwn) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const int join_vcs = 1 + static_cast<int>(seed % 2);
    EXPECT_EQ(outcome(seed, join_vcs, join_vcs), "") << "seed " << seed;
  }
}

TEST(JoinMixture, IsDeliveredOverSwitches) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const int join_vcs = 1 + static_cast<int>(seed % 2);
    EXPECT_EQ(outcome(seed, join_vcs, join_vcs, Nets::with_switches), "") << "seed " << seed;
  }
}

void expect_no_deadlock_where_proved(Nets nets) {
  const RandomCases cases(150);
  std::uint64_t proved = 0;
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    const int join_vcs = static_cast<int>(seed % 3);
    const JoinMixture mixture = draw_join_mixture(seed, join_vcs, Steps::any, nets);
    if (!has_joins(mixture.planned.schedule)) continue;
    const ScheduleReport report =
        report_on(mixture.planned, mixture.routing, mixture.experiment.fabric, join_vcs);
    if (!report.worms->joins.ok() || !report.worms->circle.empty()) continue;
    ++proved;
    EXPECT_EQ(outcome_of(mixture, seed % 2 == 0), "") << "seed " << seed;
  }
  EXPECT_GT(10 * proved, cases.end - cases.first) << "too few plans are proved";
}

// Plans of all kinds, some with one join among unicasts on the same channels: what the check calls
// free from deadlock never stands still, whatever the delays.
TEST(JoinMixture, NeverDeadlocksWhereTheCheckSaysSo) {
  expect_no_deadlock_where_proved(Nets::regular);
}

TEST(JoinMixture, NeverDeadlocksOverSwitchesWhereTheCheckSaysSo) {
  expect_no_deadlock_where_proved(Nets::with_switches);
}

TEST(JoinMixture, DeadlocksWhereAllShareTheirChannels) {
  int deadlocks = 0;
  for (std::uint64_t seed = 0; seed < 200 && deadlocks == 0; ++seed) {
    deadlocks += outcome(seed, 2, 0).find("deadlock") != std::string::npos ? 1 : 0;
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
  EXPECT_NE(judged(planned, routing, With().ports(1), 2), "");
  EXPECT_EQ(deadlock_of(planned, {}, routing, 2), "deadlock");
}

}  // namespace
}  // namespace allport::test
