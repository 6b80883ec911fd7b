// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/groups.h"
#include "traffic/planning/pieces.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/planning/embedding.h"
#include "traffic/schedule/block_flow.h"

namespace allport {
namespace {

using testing::HasSubstr;

NodeGroup box(const char* shape, const std::vector<int>& sides, const std::vector<int>& corner) {
  return box_group(*parse_topology(shape), sides, corner);
}

TEST(Groups, ABoxHasItsNodesInOrderAndAShape) {
  EXPECT_EQ(box("mesh:4x4", {2, 3}, {1, 1}).nodes, nodes({5, 6, 9, 10, 13, 14}));
  EXPECT_EQ(box("mesh:4x4", {2, 3}, {1, 1}).shape->name(), "mesh:2x3");
  EXPECT_EQ(box("torus:4x4", {4, 2}, {0, 1}).shape->name(), "mesh:4x2");
  EXPECT_EQ(box("torus:4x4", {4, 1}, {0, 1}).shape->name(), "ring:4");
  EXPECT_EQ(box("torus:4x4", {3, 1}, {0, 1}).shape->name(), "mesh:3");
  EXPECT_EQ(box("torus:4x4x4", {4, 1, 4}, {0, 1, 0}).shape->name(), "torus:4x4");
  EXPECT_EQ(box("ring:9", {5}, {3}).nodes, nodes({3, 4, 5, 6, 7}));
  EXPECT_EQ(box("mesh:4x4", {4, 1}, {0, 1}).shape->name(), "mesh:4");
}

TEST(Groups, ASubcubeIsNamedByItsPattern) {
  const auto cube = parse_topology("hypercube:4");
  const NodeGroup group = subcube_group(*cube, "1x0x");

  EXPECT_EQ(group.nodes, nodes({0b1000, 0b1001, 0b1100, 0b1101}));
  EXPECT_EQ(group.shape->name(), "hypercube:2");
}

// Neighbours in the shape are neighbours on the fabric.
TEST(Groups, ShapesLieOnTheFabric) {
  const Routing torus = routing_on("torus:4x3x5");
  for (const std::vector<std::size_t>& dimensions :
       std::vector<std::vector<std::size_t>>{{0}, {1}, {2}, {0, 1}, {0, 2}, {2, 1}, {0, 1, 2}}) {
    for (const NodeGroup& group : groups_along(torus.topology(), dimensions)) {
      EXPECT_EQ(dilation_of({group.shape, group.nodes}, torus).longest, 1);
      EXPECT_TRUE(group.shape->wraps());
    }
  }
  const Routing cube = routing_on("hypercube:5");
  for (const NodeGroup& group : groups_along(cube.topology(), {4, 1})) {
    EXPECT_EQ(dilation_of({group.shape, group.nodes}, cube).longest, 1);
    EXPECT_EQ(group.shape->name(), "hypercube:2");
  }
}

TEST(Groups, APartitionHasEveryNodeOnce) {
  const auto check = [](const Topology& topology, const std::vector<NodeGroup>& groups,
                        std::size_t count) {
    EXPECT_EQ(groups.size(), count);
    require_disjoint(topology, groups);
    std::set<NodeId> all;
    for (const NodeGroup& group : groups) all.insert(group.nodes.begin(), group.nodes.end());
    EXPECT_EQ(all.size(), topology.node_count());
  };
  const auto mesh = parse_topology("mesh:4x6");
  check(*mesh, groups_of_boxes(*mesh, {2, 3}), 4);
  check(*mesh, groups_along(*mesh, {1}), 4);
  check(*mesh, groups_along(*mesh, {0}), 6);
  const auto cube = parse_topology("hypercube:6");
  check(*cube, groups_along(*cube, {5, 0, 2}), 8);
}

TEST(Groups, RefuseWhatIsNoGroup) {
  const auto mesh = parse_topology("mesh:4x4");
  const auto cube = parse_topology("hypercube:4");
  EXPECT_EQ(
      complaint_of([&] {
        box("mesh:4x4", {2, 3}, {3, 0});
      }),
      "box:2x3: with side 2 from 3 on it leaves dimension 0 of mesh:4x4, whose coordinates are 0..3");
  EXPECT_THAT(complaint_of([&] { box("mesh:4x4", {2}, {0}); }), HasSubstr("must have 2"));
  EXPECT_THAT(complaint_of([&] { box("mesh:4x4", {2, 2}, {0}); }), HasSubstr("its corner has 1"));
  EXPECT_THAT(complaint_of([&] { box("mesh:4x4", {1, 1}, {0, 0}); }), HasSubstr("one member"));
  EXPECT_THAT(complaint_of([&] {
                box_group(*cube, {2, 2, 2, 1}, {0, 0, 0, 0});
              }),
              HasSubstr("is a subcube"));
  EXPECT_THAT(complaint_of([&] { subcube_group(*cube, "xx1"); }), HasSubstr("must have 4"));
  EXPECT_THAT(complaint_of([&] { subcube_group(*cube, "0011"); }), HasSubstr("one member"));
  EXPECT_THAT(complaint_of([&] { subcube_group(*mesh, "xx11"); }), HasSubstr("is a box"));
  EXPECT_THAT(complaint_of([&] { list_group(*mesh, nodes({3})); }), HasSubstr("one member"));
  EXPECT_THAT(complaint_of([&] {
                list_group(*mesh, nodes({3, 5, 3}));
              }),
              HasSubstr("node 3 is named twice"));
  EXPECT_THAT(complaint_of([&] { list_group(*mesh, nodes({3, 16})); }), HasSubstr("0..15"));
  EXPECT_THAT(complaint_of([&] { groups_along(*mesh, {2}); }), HasSubstr("not one of 0..1"));
  EXPECT_THAT(complaint_of([&] { groups_along(*mesh, {1, 1}); }), HasSubstr("named twice"));
  EXPECT_THAT(complaint_of([&] {
                groups_of_boxes(*mesh, {3, 2});
              }),
              HasSubstr("its side 3 does not divide the side 4 of dimension 0"));
  EXPECT_EQ(complaint_of([&] {
              require_disjoint(
                  *mesh, {list_group(*mesh, nodes({1, 2})), list_group(*mesh, nodes({4, 2}))});
            }),
            "groups 0 and 1 overlap: both have node 2");
}

struct GroupCase {
  const char* fabric;
  NodeGroup group;
};

std::vector<GroupCase> cases() {
  std::vector<GroupCase> all;
  const auto add = [&](const char* fabric, auto make) {
    all.push_back({fabric, make(*parse_topology(fabric))});
  };
  add("torus:8x8", [](const Topology& t) { return box_group(t, {4, 4}, {2, 3}); });
  add("torus:4x4x3", [](const Topology& t) { return box_group(t, {4, 4, 1}, {0, 0, 1}); });
  add("mesh:5x5", [](const Topology& t) { return box_group(t, {3, 2}, {2, 3}); });
  add("ring:12", [](const Topology& t) { return box_group(t, {8}, {4}); });
  add("hypercube:5", [](const Topology& t) { return subcube_group(t, "x1xx0"); });
  add("mesh:4x4", [](const Topology& t) {
    return list_group(t, {node_id(1), node_id(6), node_id(11), node_id(12), node_id(15)});
  });
  return all;
}

// Only members send and receive, and the checker proves the collective of the group.
TEST(Groups, EveryAlgorithmIsProvedAmongItsMembers) {
  int proved = 0;
  for (const auto& [fabric, group] : cases()) {
    const Routing host = routing_on(fabric);
    const auto ring = parse_topology("ring:" + std::to_string(group.nodes.size()));
    for (const auto& ranks : {group.shape, ring}) {
      if (ranks == nullptr) continue;
      const Embedding embedding(Placement{ranks, group.nodes}, host);
      for (const Algorithm& algorithm : algorithms()) {
        if (!algorithm.is_for(*ranks) || algorithm.kind != MessageKind::unicast) continue;
        if (algorithm.destinations == Destinations::one || algorithm.is_synthesized) continue;
        for (const int ports : {1, all_ports(host)}) {
          std::vector<NodeId> others(group.nodes);
          others.erase(others.begin() + 1);
          const Multicast goal = multicast(host.topology(), group.nodes[1], others);
          const Schedule schedule = embedding.plan(algorithm, goal, ports);
          const std::size_t pieces =
              algorithm.operation == Operation::bcast ? piece_count(schedule) : 0;
          const Collective collective =
              pieces > 0 ? Collective(host.topology().node_count(), goal, pieces)
                         : collective_of(algorithm, host.topology(), goal,
                                         part_count(algorithm, embedding.guest().topology(), 0),
                                         group.nodes, embedding.neighbours(algorithm.operation));
          const bool has_blocks = algorithm.operation != Operation::bcast || pieces > 0;
          const ScheduleReport report = check_schedule(
              schedule,
              {host, ports, {goal.source}, goal.destinations, has_blocks ? &collective : nullptr});
          const std::string what = std::string(algorithm.name) + " of " + ranks->name() + " on " +
                                   fabric + " k " + std::to_string(ports);
          EXPECT_TRUE(report.exactly_once.ok()) << what;
          EXPECT_TRUE(report.causality.ok()) << what;
          EXPECT_TRUE(report.collective.ok()) << what;
          EXPECT_TRUE(report.routes_valid.ok()) << what;
          EXPECT_TRUE(report.port_rule.ok()) << what;
          if (has_blocks) {
            EXPECT_EQ(BlockFlow(schedule, collective).program_fault(), "") << what;
          }
          for (const Unicast& unicast : schedule.unicasts) {
            EXPECT_TRUE(group.has(unicast.u) && group.has(unicast.v)) << what;
          }
          ++proved;
        }
      }
    }
  }
  EXPECT_GT(proved, 200);
}

// A box of all of a torus' dimensions keeps the ways round the rings that were planned.
TEST(Groups, TiesStayAsTheyArePlanned) {
  const Routing host = routing_on("torus:4x4x2");
  const NodeGroup group = box_group(host.topology(), {4, 4, 1}, {0, 0, 1});
  const Routing own = routing_on("torus:4x4");
  const Multicast goal = broadcast(own.topology(), node_id(0));
  std::vector<NodeId> others(group.nodes.begin() + 1, group.nodes.end());
  const Schedule whole = planned("edn", own, goal);

  const Schedule placed =
      Embedding({group.shape, group.nodes, group.dimensions}, host)
          .plan(find_algorithm("edn"), multicast(host.topology(), group.nodes[0], others),
                all_ports(host));

  std::size_t ties = 0;
  ASSERT_EQ(placed.unicasts.size(), whole.unicasts.size());
  for (std::size_t i = 0; i < placed.unicasts.size(); ++i) {
    std::vector<int> expected = whole.unicasts[i].displacement;
    if (!expected.empty()) {
      expected.push_back(0);
      ++ties;
    }
    EXPECT_EQ(placed.unicasts[i].displacement, expected);
  }
  EXPECT_GT(ties, 0U);
}

TEST(Groups, TheCheckerFindsAMemberThatIsLeftOut) {
  const Routing host = routing_on("ring:8");
  const std::vector<NodeId> members = nodes({1, 3, 6});
  const Collective gather(Operation::gather, 8, node_id(3), 1, 1, members);
  EXPECT_EQ(gather.block_count(), 3U);
  EXPECT_TRUE(gather.holds_before(node_id(6), 2));
  EXPECT_FALSE(gather.holds_before(node_id(2), 2));
  EXPECT_EQ(gather.receivers(), nodes({3}));
  Schedule schedule;
  schedule.unicasts.push_back({node_id(1), node_id(3), 1, 0, MessageKind::unicast, {}, {}, {0}});

  const ScheduleReport report =
      check_schedule(schedule, {host, 2, {node_id(3)}, gather.receivers(), &gather});

  EXPECT_THAT(report.exactly_once.first, testing::ElementsAre("node 3 never receives block 2"));
}

// A node outside passes a sum on, but has no contribution of its own to send.
TEST(Groups, SumsPassNodesOutsideWhichAddNothing) {
  const std::vector<NodeId> members = nodes({1, 3});
  const Collective reduce(Operation::reduce, 8, node_id(3), 1, 1, members);
  const auto report_on = [&](StepIndex first, StepIndex second) {
    Schedule schedule;
    schedule.unicasts.push_back(
        {node_id(1), node_id(2), first, 0, MessageKind::unicast, {}, {}, {0}, true});
    schedule.unicasts.push_back(
        {node_id(2), node_id(3), second, 0, MessageKind::unicast, {}, {}, {0}, true});
    schedule.sort();
    return check_schedule(schedule,
                          {routing_on("ring:8"), 2, {node_id(3)}, reduce.receivers(), &reduce});
  };

  EXPECT_TRUE(report_on(1, 2).ok());
  const ScheduleReport too_early = report_on(2, 1);
  EXPECT_THAT(too_early.causality.first,
              testing::ElementsAre(
                  "unicast 2 -> 3 (step 1): node 2 does not hold block 0 before that step"));
  EXPECT_THAT(too_early.exactly_once.first,
              testing::ElementsAre("the sum of node 3 has 1 of 2 contributions at the end"));
}

}  // namespace
}  // namespace allport
