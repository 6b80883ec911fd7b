// SPDX-License-Identifier: Apache-2.0
// Nodes can run a schedule to the end if its routes are valid and every sender is reached in an
// earlier step.
#include "traffic/schedule/reception.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"

namespace allport {
namespace {

using testing::ElementsAre;

Unicast worm(std::size_t u, std::size_t v, StepIndex step, MessageKind kind) {
  return {node_id(u), node_id(v), step, 0, kind, {}};
}

std::string complaint_about(const std::string& shape, const std::vector<Unicast>& unicasts) {
  const Routing routing = routing_on(shape);
  const CheckRequest request{routing, 1, nodes({0}), nodes({1})};
  return complaint_of([&] { require_runnable({unicasts}, request); });
}

TEST(Reception, KnowsTheStepOfEachFirstReception) {
  const Routing ring = routing_on("ring:6");
  const Unicast first = worm(0, 2, 4, MessageKind::unicast);
  const Unicast second = worm(0, 2, 7, MessageKind::unicast);

  EXPECT_THAT(first_receptions({&first, &second}, ring, nodes({0})),
              ElementsAre(held_from_start, never_received, 4, never_received, never_received,
                          never_received));
}

TEST(Reception, NodesOnTheWayOfADepositReceive) {
  const Routing ring = routing_on("ring:6");
  Unicast deposit = worm(0, 3, 2, MessageKind::deposit);
  const Unicast up = deposit;
  deposit.displacement = {-3};

  EXPECT_THAT(first_receptions({&up}, ring, nodes({0})),
              ElementsAre(held_from_start, 2, 2, 2, never_received, never_received));
  EXPECT_THAT(first_receptions({&deposit}, ring, nodes({0})),
              ElementsAre(held_from_start, never_received, never_received, 2, 2, 2));
}

TEST(Reception, EverybodyButItsSenderReceivesFromATree) {
  const Routing cube = routing_on("hypercube:2");
  const Unicast early = worm(0, 1, 1, MessageKind::unicast);
  const Unicast tree = worm(2, 0, 3, MessageKind::tree);
  const Unicast other = worm(3, 0, 5, MessageKind::tree);

  EXPECT_THAT(first_receptions({&early, &tree}, cube, nodes({0})),
              ElementsAre(held_from_start, 1, never_received, 3));
  EXPECT_THAT(first_receptions({&early, &tree, &other}, cube, nodes({0})),
              ElementsAre(held_from_start, 1, 5, 3));
}

TEST(Runnable, AcceptsWhatTheAlgorithmsPlan) {
  const Routing cube = routing_on("hypercube:5");
  const Multicast goal = broadcast(cube.topology(), node_id(7));
  for (const char* algorithm : {"ucube", "wsort", "sbt", "separate", "tree"}) {
    EXPECT_NO_THROW(require_runnable(planned(algorithm, cube, goal),
                                     {cube, 5, {goal.source}, goal.destinations}));
  }
}

TEST(Runnable, DoesNotAskForEverybodyToReceive) {
  EXPECT_EQ(complaint_about("hypercube:3", {worm(0, 6, 1, MessageKind::unicast)}), "no complaint");
}

TEST(Runnable, RejectsInvalidRoutes) {
  EXPECT_EQ(complaint_about("hypercube:3", {worm(0, 8, 1, MessageKind::unicast)}),
            "unicast 0 -> 8 (step 1): node 8 is not one of 0..7 of hypercube:3");
  EXPECT_EQ(complaint_about("hypercube:3", {worm(9, 0, 1, MessageKind::tree)}),
            "tree worm 9 -> all (step 1): node 9 is not one of 0..7 of hypercube:3");
  EXPECT_EQ(complaint_about("torus:4x4", {worm(0, 0, 1, MessageKind::path)}),
            "path worm 0 -> all (step 1): path worms are for hypercubes; torus:4x4 is not one");
  Unicast tree = worm(0, 0, 1, MessageKind::tree);
  EXPECT_EQ(complaint_about("torus:4x4", {tree}), "no complaint");
  tree.free = 6;
  EXPECT_EQ(complaint_about("torus:4x4", {tree}),
            "tree worm 0 -> all (step 1): dimension 2 of free must be one of 0..1 of torus:4x4");
  Unicast join = worm(1, 0, 1, MessageKind::join);
  EXPECT_EQ(complaint_about("torus:4x4", {join}), "no complaint");
  join.free = 2;
  EXPECT_EQ(
      complaint_about("torus:4x4", {join}),
      "join 1 -> 0 (step 1): node 1 is not of the group of root 0, whose nodes agree with it in all but dimension 1");
  Unicast other = worm(1, 0, 1, MessageKind::unicast);
  other.free = 1;
  EXPECT_EQ(
      complaint_about("torus:4x4", {other}),
      "unicast 1 -> 0 (step 1): free is for the kinds tree, join and join-tree, not for unicast");
  EXPECT_EQ(complaint_about("hypercube:3", {worm(0, 0, 1, MessageKind::deposit)}),
            "deposit worm 0 -> 0 (step 1): u and v are equal");
}

TEST(Runnable, RejectsBrokenAndCyclicCausality) {
  EXPECT_EQ(complaint_about("hypercube:3", {worm(0, 1, 1, MessageKind::unicast),
                                            worm(1, 3, 1, MessageKind::unicast)}),
            "unicast 1 -> 3 (step 1): node 1 receives only in step 1");
  EXPECT_EQ(complaint_about("hypercube:3", {worm(1, 2, 1, MessageKind::unicast),
                                            worm(2, 1, 2, MessageKind::unicast)}),
            "unicast 1 -> 2 (step 1): node 1 receives only in step 2");
  EXPECT_EQ(complaint_about("hypercube:3", {worm(5, 2, 3, MessageKind::deposit)}),
            "deposit worm 5 -> 2 (step 3): node 5 is not a source and never receives");
}

TEST(Runnable, DepositsAndTreesFeedTheNodesTheyReach) {
  EXPECT_EQ(complaint_about("ring:8", {worm(0, 3, 1, MessageKind::deposit),
                                       worm(2, 5, 2, MessageKind::unicast)}),
            "no complaint");
  EXPECT_EQ(complaint_about("ring:8", {worm(0, 3, 1, MessageKind::unicast),
                                       worm(2, 5, 2, MessageKind::unicast)}),
            "unicast 2 -> 5 (step 2): node 2 is not a source and never receives");
  EXPECT_EQ(complaint_about("hypercube:3", {worm(0, 0, 1, MessageKind::tree),
                                            worm(6, 1, 2, MessageKind::unicast)}),
            "no complaint");
}

// A node waits for its own first reception only, so any program order of a causal schedule ends.
TEST(Runnable, AcceptsAProgramOrderThatContradictsTheSteps) {
  Unicast late = worm(0, 1, 5, MessageKind::unicast);
  Unicast soon = worm(0, 2, 1, MessageKind::unicast);
  soon.order = 1;

  EXPECT_EQ(complaint_about("hypercube:3", {late, soon}), "no complaint");
}

}  // namespace
}  // namespace allport
