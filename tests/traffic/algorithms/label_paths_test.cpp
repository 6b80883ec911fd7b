// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "rtl_model/topology/label_order.h"
#include "tests/support/draw.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/schedule/schedule_file.h"

namespace allport {
namespace {

using test::Draw;

// Each worm in a line: step, the nodes on its way, those that it is for in brackets.
std::string ways(const Schedule& schedule, const Routing& routing) {
  std::ostringstream text;
  for (const Unicast& worm : schedule.unicasts) {
    text << worm.step << ": " << index(worm.u);
    const std::vector<NodeId> stops = destinations(worm);
    std::size_t reached = 0;
    for (const Channel channel : channels(worm, routing)) {
      const NodeId node = *routing.topology().neighbour(channel.node, channel.port);
      const bool is_stop = node == stops[reached];
      if (is_stop) ++reached;
      text << (is_stop ? " [" : " ") << index(node) << (is_stop ? "]" : "");
    }
    text << '\n';
  }
  return text.str();
}

//  15 14 13 12   labels, of the nodes 12 13 14 15
//   8  9 10 11                         8  9 10 11
//   7  6  5  4                         4  5  6  7
//   0  1  2  3                         0  1  2  3
TEST(LabelPaths, AreTheseOnA4x4Mesh) {
  const Routing routing = routing_on("mesh:4x4");
  const Multicast goal = multicast(routing.topology(), node_id(6), nodes({1, 2, 5, 7, 8, 11, 13}));
  EXPECT_EQ(ways(planned("dual-path", routing, goal), routing),
            "1: 6 [5] 4 [8] 9 10 [11] 15 14 [13]\n"
            "1: 6 [7] 3 [2] [1]\n");
  EXPECT_EQ(ways(planned("multi-path", routing, goal), routing),
            "1: 6 [5] 4 [8] 9 [13]\n"
            "1: 6 10 [11]\n"
            "1: 6 [7]\n"
            "1: 6 [2] [1]\n");
}

TEST(LabelPaths, OfOneInjectionPortGoInSuccessiveSteps) {
  const Routing routing = routing_on("mesh:4x4");
  const Multicast goal = multicast(routing.topology(), node_id(6), nodes({1, 5, 7, 11}));
  const Schedule schedule = planned("multi-path", routing, goal, 1);
  std::vector<StepIndex> steps;
  for (const Unicast& worm : schedule.unicasts) steps.push_back(worm.step);
  EXPECT_THAT(steps, testing::ElementsAre(1, 2, 3, 4));
}

std::string draw_mesh(Draw& draw) {
  const auto side = [&draw](int most) { return std::to_string(2 + draw.below(most)); };
  return draw.one_of<std::string>({"mesh:" + side(20), "mesh:" + side(6) + "x" + side(6),
                                   "mesh:" + side(3) + "x" + side(3) + "x" + side(3)});
}

// Whether the labels on the way of `worm` rise, or fall, from hop to hop.
bool is_monotone(const Unicast& worm, const Routing& routing) {
  const Topology& mesh = routing.topology();
  const bool goes_up = label_of(mesh, worm.v) > label_of(mesh, worm.u);
  for (const Channel channel : channels(worm, routing)) {
    const NodeId next = *mesh.neighbour(channel.node, channel.port);
    if ((label_of(mesh, next) > label_of(mesh, channel.node)) != goes_up) return false;
  }
  return true;
}

// Whether every worm of multi-path keeps to one side of the source's column.
bool keeps_to_a_side(const Unicast& worm, const Topology& mesh) {
  const int own = mesh.coordinate(worm.u, 0);
  const auto side = [&](NodeId node) { return mesh.coordinate(node, 0) - own; };
  const int last = side(worm.v);
  for (const NodeId node : worm.via) {
    const bool is_other =
        worm.first_dimension == 0 ? side(node) * last <= 0 : side(node) * last < 0;
    if (is_other) return false;
  }
  return true;
}

TEST(LabelPaths, ReachEachDestinationOnceByLabelsAndAreFreeOfDeadlockAlone) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Draw draw(seed);
    const std::string shape = draw_mesh(draw);
    SCOPED_TRACE(shape + " seed " + std::to_string(seed));
    const Routing routing = routing_on(shape);
    const Topology& mesh = routing.topology();
    const std::size_t count = mesh.node_count();
    const auto source = static_cast<std::size_t>(draw.below(static_cast<int>(count)));
    std::vector<NodeId> goals;
    const auto most = 1 + static_cast<std::size_t>(draw.below(static_cast<int>(count) - 1));
    for (const std::size_t i : draw.subset(count, most)) {
      if (i != source) goals.push_back(node_id(i));
    }
    if (goals.empty()) continue;
    const Multicast goal = multicast(mesh, node_id(source), goals);
    const int ports = 1 + draw.below(all_ports(routing));
    for (const char* name : {"dual-path", "multi-path"}) {
      const Schedule schedule = planned(name, routing, goal, ports);
      CheckRequest request{routing, ports, {goal.source}, goal.destinations};
      request.vcs = 1 + draw.below(3);
      const ScheduleReport report = check_schedule(schedule, request);
      ASSERT_TRUE(report.routes_valid.ok() && report.collective.ok() && report.port_rule.ok())
          << name;
      ASSERT_TRUE(report.worms && report.worms->circle.empty()) << name << ", ports " << ports;
      ASSERT_LE(schedule.unicasts.size(), name == std::string("dual-path") ? 2U : 4U);
      for (const Unicast& worm : schedule.unicasts) {
        ASSERT_TRUE(is_monotone(worm, routing)) << name;
        if (name == std::string("multi-path")) {
          ASSERT_TRUE(keeps_to_a_side(worm, mesh));
        }
      }
      std::stringstream file;
      write_schedule(file, schedule, mesh);
      const std::string written = file.str();
      std::stringstream again;
      write_schedule(again, read_schedule(file, "f", mesh), mesh);
      ASSERT_EQ(again.str(), written);
    }
  }
}

// The sum of the hops of the legs is the length of the way, shortest on one and two dimensions.
TEST(LabelPaths, OfDualPathHaveShortestLegsOnTwoDimensions) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Draw draw(seed);
    const Routing routing =
        routing_on(draw.one_of<std::string>({"mesh:6x5", "mesh:9", "mesh:4x7"}));
    const std::size_t count = routing.topology().node_count();
    const std::vector<std::size_t> drawn = draw.subset(count, count / 2);
    const Multicast goal = multicast(routing.topology(), node_id(drawn.front()),
                                     nodes({drawn.begin() + 1, drawn.end()}));
    for (const Unicast& worm : planned("dual-path", routing, goal).unicasts) {
      int hops = 0;
      NodeId here = worm.u;
      for (const NodeId stop : destinations(worm)) {
        hops += routing.distance(here, stop);
        here = stop;
      }
      ASSERT_EQ(static_cast<int>(channels(worm, routing).size()), hops) << "seed " << seed;
    }
  }
}

TEST(LabelPaths, AreForMeshes) {
  const Routing routing = routing_on("torus:4x4");
  const Multicast goal = broadcast(routing.topology(), node_id(0));
  EXPECT_EQ(
      complaint_of([&] { planned("multi-path", routing, goal); }),
      "algorithm multi-path is for meshes; torus:4x4 is not one, for which there are separate, utorus, synthesized-bcast");
}

}  // namespace
}  // namespace allport
