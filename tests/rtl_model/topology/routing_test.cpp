// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/routing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <queue>
#include <stdexcept>

#include "rtl_model/topology/group_routes.h"

namespace allport {
namespace {

using testing::ElementsAre;

Routing routing_of(const char* shape) {
  const auto topology = parse_topology(shape);
  return Routing(topology, Routing::default_order(*topology));
}

const char* const shapes[] = {"hypercube:1", "hypercube:5", "ring:2",     "ring:7",
                              "ring:8",      "torus:2x2",   "torus:4x4",  "torus:5x3",
                              "mesh:4x3",    "torus:2x3x4", "mesh:2x3x4", "torus:6x2",
                              "torus:4x4x2", "mesh:9"};

std::vector<TieMask> all_ties(const Topology& topology) {
  std::vector<TieMask> masks;
  for (TieMask mask = 0; mask < TieMask{1} << topology.dimension_count(); ++mask) {
    masks.push_back(mask);
  }
  return masks;
}

// Hops from node 0 to every node by breadth-first search over the channels.
std::vector<int> distances_from_zero(const Topology& topology) {
  std::vector<int> distances(topology.node_count(), -1);
  std::queue<NodeId> queue;
  distances[0] = 0;
  queue.push(node_id(0));
  while (!queue.empty()) {
    const NodeId here = queue.front();
    queue.pop();
    for (std::size_t port = 0; port < topology.port_count(); ++port) {
      const std::optional<NodeId> there = topology.neighbour(here, port_id(port));
      if (!there || distances[index(*there)] >= 0) continue;
      distances[index(*there)] = distances[index(here)] + 1;
      queue.push(*there);
    }
  }
  return distances;
}

TEST(Routing, PathsAreConnectedMinimalAndEndAtTheDestination) {
  for (const char* shape : shapes) {
    const Routing routing = routing_of(shape);
    const Topology& topology = routing.topology();
    for (std::size_t from = 0; from < topology.node_count(); ++from) {
      for (std::size_t to = 0; to < topology.node_count(); ++to) {
        for (const TieMask ties : all_ties(topology)) {
          const auto path = routing.path(node_id(from), node_id(to), ties);
          NodeId here = node_id(from);
          for (const Channel channel : path) {
            ASSERT_EQ(channel.node, here) << shape;
            here = *topology.neighbour(channel.node, channel.port);
          }
          ASSERT_EQ(here, node_id(to)) << shape;
          ASSERT_EQ(static_cast<int>(path.size()), routing.distance(node_id(from), node_id(to)))
              << shape;
        }
      }
    }
  }
}

TEST(Routing, DistanceIsThatOfBreadthFirstSearch) {
  for (const char* shape : shapes) {
    const Routing routing = routing_of(shape);
    const std::vector<int> expected = distances_from_zero(routing.topology());
    for (std::size_t to = 0; to < expected.size(); ++to) {
      EXPECT_EQ(routing.distance(node_id(0), node_id(to)), expected[to]) << shape << ' ' << to;
    }
  }
}

TEST(Routing, DimensionsAreCrossedInOrder) {
  for (const char* shape : shapes) {
    const Routing routing = routing_of(shape);
    const Topology& topology = routing.topology();
    for (std::size_t to = 0; to < topology.node_count(); ++to) {
      const auto path = routing.path(node_id(0), node_id(to));
      for (std::size_t i = 1; i < path.size(); ++i) {
        const std::size_t before = topology.dimension_of(path[i - 1].port);
        const std::size_t after = topology.dimension_of(path[i].port);
        EXPECT_TRUE(topology.is_hypercube() ? after < before : after >= before) << shape;
      }
    }
  }
}

TEST(Routing, AscendingCorrectsTheLowestBitFirst) {
  const Routing routing(parse_topology("hypercube:5"), RoutingOrder::ascending);

  // The example of the nCUBE-2: 10111 -> 10110 -> 11110 -> 01110.
  EXPECT_THAT(
      routing.path(node_id(0b10111), node_id(0b01110)),
      ElementsAre(Channel{node_id(0b10111), port_id(0)}, Channel{node_id(0b10110), port_id(3)},
                  Channel{node_id(0b11110), port_id(4)}));
}

TEST(Routing, AnExactHalfRingGoesUpUnlessItsTieIsSet) {
  const Routing routing = routing_of("torus:4x6");
  const NodeId to = node_id(2 + 4 * 3);

  EXPECT_THAT(routing.displacement(node_id(0), to, 0b00), ElementsAre(2, 3));
  EXPECT_THAT(routing.displacement(node_id(0), to, 0b01), ElementsAre(-2, 3));
  EXPECT_THAT(routing.displacement(node_id(0), to, 0b10), ElementsAre(2, -3));
  EXPECT_EQ(routing.path(node_id(0), to, 0b01).front().port, port_id(1));
}

TEST(Routing, TiesDoNotMatterWhereThereIsNone) {
  const Routing routing = routing_of("torus:5x4");
  for (std::size_t to = 0; to < 20; ++to) {
    if (routing.topology().coordinate(node_id(to), 1) == 2) continue;
    EXPECT_EQ(routing.path(node_id(0), node_id(to), 0),
              routing.path(node_id(0), node_id(to), ~TieMask{0}));
  }
}

TEST(Routing, DisplacementsRoundTripThroughTies) {
  for (const char* shape : shapes) {
    const Routing routing = routing_of(shape);
    const Topology& topology = routing.topology();
    if (topology.is_hypercube()) continue;
    for (std::size_t from = 0; from < topology.node_count(); ++from) {
      for (std::size_t to = 0; to < topology.node_count(); ++to) {
        for (const TieMask ties : all_ties(topology)) {
          const auto displacement = routing.displacement(node_id(from), node_id(to), ties);
          const auto read = routing.ties_of(node_id(from), node_id(to), displacement);
          ASSERT_TRUE(read) << shape;
          ASSERT_EQ(routing.path(node_id(from), node_id(to), *read),
                    routing.path(node_id(from), node_id(to), ties))
              << shape;
        }
      }
    }
  }
}

TEST(Routing, DisplacementsThatAreNotMinimalHaveNoTies) {
  const Routing torus = routing_of("torus:4x4");

  EXPECT_EQ(torus.ties_of(node_id(0), node_id(1), {-3, 0}), std::nullopt);
  EXPECT_EQ(torus.ties_of(node_id(0), node_id(1), {1, 4}), std::nullopt);
  EXPECT_EQ(torus.ties_of(node_id(0), node_id(1), {2, 0}), std::nullopt);
  EXPECT_EQ(torus.ties_of(node_id(0), node_id(1), {1}), std::nullopt);
  EXPECT_EQ(routing_of("mesh:4x4").ties_of(node_id(0), node_id(2), {-2, 0}), std::nullopt);
  EXPECT_EQ(routing_of("hypercube:2").ties_of(node_id(0), node_id(3), {1, 1}), std::nullopt);
}

// [Hou98, section 2], link by link: p up to and including the wraparound link of the dimension,
// then h or l; h or l throughout if the message does not cross it.
TEST(Routing, ClassesFollowThePrintedRule) {
  for (int side = 2; side <= 9; ++side) {
    const Routing routing = routing_of(("ring:" + std::to_string(side)).c_str());
    for (int from = 0; from < side; ++from) {
      for (int to = 0; to < side; ++to) {
        for (const TieMask ties : {TieMask{0}, TieMask{1}}) {
          const NodeId target = node_id(static_cast<std::size_t>(to));
          const auto path = routing.path(node_id(static_cast<std::size_t>(from)), target, ties);
          const auto is_wraparound = [&](Channel channel) {
            return channel == Channel{node_id(static_cast<std::size_t>(side) - 1), port_id(0)} ||
                   channel == Channel{node_id(0), port_id(1)};
          };
          bool is_ahead = false;
          for (const Channel channel : path) is_ahead = is_ahead || is_wraparound(channel);
          for (const Channel channel : path) {
            const VcClass expected = is_ahead ? VcClass::p : VcClass::h_or_l;
            ASSERT_EQ(routing.route(channel.node, target, ties)->vc_class, expected)
                << "ring " << side << ": " << from << " -> " << to;
            if (is_wraparound(channel)) is_ahead = false;
          }
        }
      }
    }
  }
}

TEST(Routing, EachDimensionChoosesItsClassAnew) {
  const Routing routing = routing_of("torus:5x5");
  const NodeId from = node_id(4 + 5 * 3);
  const NodeId to = node_id(1 + 5 * 0);

  std::vector<VcClass> classes;
  for (const Channel channel : routing.path(from, to)) {
    classes.push_back(routing.route(channel.node, to, 0)->vc_class);
  }

  EXPECT_THAT(classes, ElementsAre(VcClass::p, VcClass::h_or_l, VcClass::p, VcClass::p));
}

// Ring of 8, going +: what a head asks for that came in by `input` (1: straight on, 2: injection)
// on a virtual channel of class `arrival`.
TEST(Routing, ABalancedHeadChoosesItsClassWhereItEntersADimension) {
  const Routing ring(parse_topology("ring:8"), RoutingOrder::dimension_ordered, {},
                     VcUse::balanced);
  const auto asked = [&](std::size_t here, std::size_t to, std::size_t input, VcClass arrival) {
    const NodeId at = node_id(here);
    return ring.requested_class(at, *ring.route(at, node_id(to), 0), input, arrival);
  };
  for (const VcClass arrival : {VcClass::h_or_l, VcClass::p}) {
    EXPECT_EQ(asked(2, 5, 2, arrival), VcClass::either);  // injected
    EXPECT_EQ(asked(2, 5, 0, arrival), VcClass::either);  // turned round
    EXPECT_EQ(asked(2, 5, 1, arrival), arrival);          // straight on
    EXPECT_EQ(asked(0, 2, 1, arrival), VcClass::h_or_l);  // behind the wraparound channel
    EXPECT_EQ(asked(0, 2, 2, arrival), VcClass::either);
    EXPECT_EQ(asked(6, 1, 2, arrival), VcClass::p);  // the wraparound channel is ahead
    EXPECT_EQ(asked(6, 1, 1, arrival), VcClass::p);
    EXPECT_EQ(asked(7, 5, 0, arrival), VcClass::h_or_l);  // going -
    EXPECT_EQ(asked(6, 5, 0, arrival), arrival);
  }
}

TEST(Routing, BalancedUseIsForRingsAndTori) {
  for (const char* shape : {"mesh:4x3", "hypercube:4"}) {
    const auto topology = parse_topology(shape);
    try {
      Routing(topology, Routing::default_order(*topology), {}, VcUse::balanced);
      FAIL() << shape;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(),
                "vc use balanced: it is for rings and tori; the virtual channels of " +
                    topology->name() + " have no classes");
    }
  }
}

TEST(Routing, MeshesAndHypercubesHaveNoClasses) {
  for (const char* shape : {"mesh:4x3", "hypercube:4"}) {
    const Routing routing = routing_of(shape);
    for (const Channel channel : routing.topology().channels()) {
      for (std::size_t to = 0; to < routing.topology().node_count(); ++to) {
        const auto hop = routing.route(channel.node, node_id(to), 0);
        if (hop) {
          EXPECT_EQ(hop->vc_class, VcClass::h_or_l);
        }
      }
    }
  }
}

TEST(Routing, TreeBranchesSpanTheCubeAlongTheRoutesOfTheSource) {
  for (const RoutingOrder order : {RoutingOrder::descending, RoutingOrder::ascending}) {
    const Routing routing(parse_topology("hypercube:5"), order);
    const Topology& cube = routing.topology();
    const NodeId source = node_id(19);
    for (std::size_t to = 0; to < 32; ++to) {
      for (const Channel channel : routing.path(source, node_id(to))) {
        EXPECT_NE(tree_outputs(routing, channel.node, source, 0) >> index(channel.port) & 1U, 0U);
      }
    }
    std::size_t branches = 0;
    for (std::size_t node = 0; node < 32; ++node) {
      for (PortMask mask = tree_outputs(routing, node_id(node), source, 0); mask != 0;
           mask &= mask - 1) {
        ++branches;
      }
    }
    EXPECT_EQ(branches, cube.node_count() - 1);
  }
}

TEST(Routing, AnOrderThatDoesNotFitTheFabricIsRejected) {
  const auto cube = parse_topology("hypercube:3");
  const auto torus = parse_topology("torus:4x4");

  EXPECT_THROW(Routing(cube, RoutingOrder::dimension_ordered), std::invalid_argument);
  EXPECT_THROW(Routing(torus, RoutingOrder::ascending), std::invalid_argument);
}

TEST(Routing, IsThatOfItsNodesAmongRanksAsFarAsTheirFabricHasIt) {
  const Routing cube(parse_topology("hypercube:5"), RoutingOrder::ascending);
  EXPECT_EQ(cube.of_ranks(parse_topology("hypercube:3")).order(), RoutingOrder::ascending);
  EXPECT_EQ(cube.of_ranks(parse_topology("ring:32")).order(), RoutingOrder::dimension_ordered);
  const Routing torus(parse_topology("torus:4x4"), RoutingOrder::dimension_ordered,
                      {TieBreak::Rule::alternate}, VcUse::balanced);
  const Routing ring = torus.of_ranks(parse_topology("ring:4"));
  EXPECT_EQ(ring.tie_break().rule, TieBreak::Rule::alternate);
  EXPECT_EQ(ring.vc_use(), VcUse::balanced);
  const Routing mesh = torus.of_ranks(parse_topology("mesh:2x2"));
  EXPECT_EQ(mesh.tie_break().rule, TieBreak::Rule::positive);
  EXPECT_EQ(torus.of_ranks(parse_topology("hypercube:2")).order(), RoutingOrder::descending);
}

TEST(Routing, FollowsTheGrayCodeOverEveryNodeOnceFromEverySource) {
  for (int n = 1; n <= 8; ++n) {
    const auto topology = parse_topology("hypercube:" + std::to_string(n));
    const Routing routing(topology, RoutingOrder::descending);
    for (std::size_t source = 0; source < topology->node_count(); source += n < 6 ? 1 : 37) {
      NodeId here = node_id(source);
      for (std::size_t i = 0; i < topology->node_count(); ++i) {
        EXPECT_EQ(routing.path_position(here, node_id(source)), i);
        EXPECT_EQ(index(here) ^ source, i ^ i >> 1U);
        const auto port = routing.path_branch(here, node_id(source));
        ASSERT_EQ(port.has_value(), i + 1 < topology->node_count());
        if (port) here = *topology->neighbour(here, *port);
      }
    }
  }
}

TEST(Routing, WantsTheHighestUsefulDimensionWhenAdaptive) {
  const Routing adaptive(parse_topology("hypercube:5"), RoutingOrder::adaptive);
  const Routing descending(parse_topology("hypercube:5"), RoutingOrder::descending);
  for (std::size_t v = 1; v < 32; ++v) {
    EXPECT_EQ(adaptive.route(node_id(0), node_id(v), 0)->port,
              descending.route(node_id(0), node_id(v), 0)->port);
    EXPECT_EQ(Routing::useful_ports(node_id(3), node_id(3 ^ v)), v);
  }
  EXPECT_THROW(Routing(parse_topology("torus:4x4"), RoutingOrder::adaptive), std::invalid_argument);
}

}  // namespace
}  // namespace allport
