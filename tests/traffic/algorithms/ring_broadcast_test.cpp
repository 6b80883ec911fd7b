// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/blueprint.h"
#include "tests/traffic/algorithms/planning.h"
#include "traffic/theory/timing_model.h"

namespace allport {
namespace {

TEST(RingBroadcast, HandsTheMessageOnAroundTheRing) {
  const Routing ring = routing_on("ring:5");

  EXPECT_EQ(printed(planned("ring", ring, broadcast(ring.topology(), node_id(3)))),
            "(3,4,1) (4,0,2) (0,1,3) (1,2,4)");
}

TEST(RingBroadcast, IsCleanOnAnyRingFromAnySourceWithAnyPorts) {
  for (const char* shape : {"ring:2", "ring:3", "ring:8", "ring:13", "torus:6"}) {
    const Routing ring = routing_on(shape);
    const auto count = static_cast<int>(ring.topology().node_count());
    for (int source = 0; source < count; ++source) {
      for (const int ports : {1, 2}) {
        const Multicast goal =
            broadcast(ring.topology(), node_id(static_cast<std::size_t>(source)));
        const Schedule schedule = planned("ring", ring, goal, ports);
        EXPECT_EQ(schedule.steps(), count - 1);
        EXPECT_TRUE(checked(schedule, ring, goal, ports).ok()) << shape << " from " << source;
      }
    }
  }
}

// (p - 1) messages one after another, each over one link.
TEST(RingBroadcast, TakesAMessageTimePerNode) {
  const Routing ring = routing_on("ring:9");
  const Schedule schedule = planned("ring", ring, broadcast(ring.topology(), node_id(0)));

  const auto latency =
      predicted_latency(schedule, ring, nodes({0}), {20, 3, 64, test::With().link_delay(2)});

  EXPECT_EQ(latency[8], 8 * (20 + 1 + 2 + 64 + 3));
}

TEST(RingBroadcast, IsForRingsOnly) {
  for (const char* shape : {"torus:4x4", "mesh:8", "hypercube:3"}) {
    const Routing routing = routing_on(shape);
    EXPECT_THAT(
        complaint_of([&] { planned("ring", routing, broadcast(routing.topology(), node_id(0))); }),
        testing::StartsWith("algorithm ring is for rings; " + std::string(shape) +
                            " is not one, for which there are "));
  }
}

}  // namespace
}  // namespace allport
