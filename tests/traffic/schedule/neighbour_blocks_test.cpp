// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/neighbour_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/algorithms/algorithms.h"

namespace allport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Node 4 is the middle of a mesh of three by three; 0 is at its corner.
TEST(NeighbourBlocks, AreNumberedBySenderAndNeighbour) {
  const auto mesh = parse_topology("mesh:3x3");
  const NeighbourBlocks ports(Stencil::ports, *mesh, {});
  EXPECT_EQ(ports.per_rank(), 4U);
  EXPECT_THAT(ports.sent_by(4), ElementsAre(16, 17, 18, 19));
  EXPECT_EQ(ports.receiver(16), 5U);
  EXPECT_EQ(ports.receiver(17), 3U);
  EXPECT_EQ(ports.receiver(18), 7U);
  EXPECT_EQ(ports.receiver(19), 1U);
  EXPECT_THAT(ports.sent_by(0), ElementsAre(0, 2));
  EXPECT_EQ(ports.receiver(1), std::nullopt) << "beyond the edge";

  const NeighbourBlocks corner(Stencil::corner, *mesh, {});
  EXPECT_EQ(corner.receiver(12), 0U) << "NW";
  EXPECT_EQ(corner.receiver(13), 1U) << "N";
  EXPECT_EQ(corner.receiver(14), 3U) << "W";
  EXPECT_THAT(corner.sent_by(0), IsEmpty());
  EXPECT_THAT(corner.received_by(0), ElementsAre(5, 10, 12));

  EXPECT_EQ(NeighbourBlocks(Stencil::box, *mesh, {}).sent_by(4).size(), 8U);
}

// On a ring of two, both ports lead to the other node.
TEST(NeighbourBlocks, AreThereForEachPort) {
  const NeighbourBlocks ring(Stencil::ports, *parse_topology("ring:2"), {});
  EXPECT_THAT(ring.received_by(0), ElementsAre(2, 3));
  const NeighbourBlocks cube(Stencil::ports, *parse_topology("hypercube:3"), {});
  EXPECT_EQ(cube.per_rank(), 3U);
  EXPECT_EQ(cube.receiver(5 * 3 + 1), 7U);
}

TEST(NeighbourBlocks, FollowTheRanksToTheirPlaces) {
  const NeighbourBlocks ring(Stencil::ports, *parse_topology("ring:4"), {2, 0, 3, 1});
  EXPECT_EQ(ring.receiver(2 * 2), 0U) << "rank 0 sends to rank 1";
  EXPECT_EQ(ring.receiver(2 * 2 + 1), 1U) << "and to rank 3";
}

TEST(NeighbourBlocks, OfCornersAreForGrids) {
  const auto cube = parse_topology("hypercube:3");
  EXPECT_FALSE(has_neighbours(Stencil::box, *cube));
  EXPECT_THAT(complaint_of([&] { offsets_of(Stencil::corner, *cube); }),
              HasSubstr("not for hypercube:3"));
  const auto many = parse_topology("torus:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2");
  EXPECT_FALSE(has_neighbours(Stencil::box, *many));
  EXPECT_THAT(complaint_of([&] { offsets_of(Stencil::box, *many); }), HasSubstr("43046720"));
}

TEST(NeighbourBlocks, AreWhatACollectiveIsAbout) {
  const auto mesh = parse_topology("mesh:3x3");
  const Collective goal(Operation::neighbor_nw, 9, neighbours_of(Operation::neighbor_nw, *mesh), 2);
  EXPECT_EQ(goal.block_count(), 54U);
  EXPECT_FALSE(goal.is_reduction());
  EXPECT_THAT(goal.blocks_before(node_id(4)), ElementsAre(24, 25, 26, 27, 28, 29));
  EXPECT_THAT(goal.blocks_after(node_id(0)), ElementsAre(10, 11, 20, 21, 24, 25));
  EXPECT_TRUE(goal.holds_before(node_id(4), 27));
  EXPECT_FALSE(goal.holds_before(node_id(0), 0)) << "it has no neighbour there";
  EXPECT_TRUE(goal.must_hold(node_id(0), 11));
  EXPECT_FALSE(goal.must_hold(node_id(0), 12));
  EXPECT_EQ(goal.receivers(), nodes({0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace allport
