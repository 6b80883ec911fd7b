// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/topology/tie_break.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "rtl_model/topology/routing.h"

namespace allport {
namespace {

using Rule = TieBreak::Rule;

constexpr Rule rules[] = {Rule::positive, Rule::negative, Rule::alternate, Rule::random};
const char* const shapes_with_ties[] = {"ring:2",      "ring:5",    "ring:6",
                                        "ring:8",      "torus:4x4", "torus:6x4",
                                        "torus:4x3x2", "mesh:4x4",  "mesh:2x6"};

// A message is tied in a dimension if and only if both ways round have the same length.
TEST(TieBreak, SetsBitsOnlyWhereBothWaysAreEquallyLong) {
  for (const char* shape : shapes_with_ties) {
    const auto topology = parse_topology(shape);
    const Routing plain(topology, RoutingOrder::dimension_ordered);
    for (const Rule rule : rules) {
      for (std::size_t from = 0; from < topology->node_count(); ++from) {
        for (std::size_t to = 0; to < topology->node_count(); ++to) {
          const TieMask ties = TieBreak{rule, 3}.ties(*topology, node_id(from), node_id(to), 7);
          const auto up = plain.displacement(node_id(from), node_id(to), 0);
          const auto chosen = plain.displacement(node_id(from), node_id(to), ties);
          for (std::size_t i = 0; i < up.size(); ++i) {
            const bool is_set = (ties >> i & 1U) != 0;
            ASSERT_EQ(chosen[i], is_set ? -up[i] : up[i]) << shape;
            ASSERT_TRUE(!is_set || 2 * up[i] == topology->sides()[i]) << shape;
          }
        }
      }
    }
  }
}

TEST(TieBreak, GoesOneWayOrByTheParityOfTheSendersCoordinate) {
  const auto torus = parse_topology("torus:4x6");
  for (int x = 0; x < 4; ++x) {
    for (int y = 0; y < 6; ++y) {
      const NodeId from = node_id(static_cast<std::size_t>(x + 4 * y));
      const NodeId to = node_id(static_cast<std::size_t>((x + 2) % 4 + 4 * ((y + 3) % 6)));
      EXPECT_EQ(TieBreak{}.ties(*torus, from, to, 0), 0U);
      EXPECT_EQ(TieBreak{Rule::negative}.ties(*torus, from, to, 0), 3U);
      EXPECT_EQ(TieBreak{Rule::alternate}.ties(*torus, from, to, 0),
                static_cast<TieMask>(x % 2 + 2 * (y % 2)));
    }
  }
}

// Of all messages that go half around a ring, as many cross each + channel as each - channel, if
// half the side is even; otherwise one more or one fewer.
TEST(TieBreak, AlternateLoadsBothDirectionsAlike) {
  for (const int side : {2, 4, 6, 8, 12, 10}) {
    const auto ring = parse_topology("ring:" + std::to_string(side));
    const Routing routing(ring, RoutingOrder::dimension_ordered, {Rule::alternate});
    const auto nodes = static_cast<std::size_t>(side);
    std::vector<int> loads(2 * nodes);
    for (std::size_t from = 0; from < nodes; ++from) {
      const NodeId to = node_id((from + nodes / 2) % nodes);
      const TieMask ties = routing.default_ties(node_id(from), to, 0);
      for (const Channel channel : routing.path(node_id(from), to, ties)) {
        ++loads[2 * index(channel.node) + index(channel.port)];
      }
    }
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    EXPECT_LE(*most - *least, side / 2 % 2) << side;
  }
}

TEST(TieBreak, RandomDrawsABitForEachMessageAndDimension) {
  const auto torus = parse_topology("torus:4x4");
  constexpr int messages = 4000;
  std::vector<int> counts(4);
  int changes = 0;
  for (int number = 0; number < messages; ++number) {
    const TieMask ties = TieBreak{Rule::random, 5}.ties(*torus, node_id(0), node_id(10), number);
    ++counts[ties];
    EXPECT_EQ(ties, (TieBreak{Rule::random, 5}.ties(*torus, node_id(0), node_id(10), number)));
    if (ties != TieBreak{Rule::random, 6}.ties(*torus, node_id(0), node_id(10), number)) ++changes;
  }
  for (const int count : counts) EXPECT_NEAR(count, messages / 4, 150);
  EXPECT_NEAR(changes, 3 * messages / 4, 150);
}

TEST(TieBreak, IsForRingsAndTori) {
  for (const char* shape : {"mesh:4x4", "hypercube:3"}) {
    const auto topology = parse_topology(shape);
    const RoutingOrder order = Routing::default_order(*topology);
    EXPECT_NO_THROW(Routing(topology, order, {Rule::positive}));
    try {
      Routing(topology, order, {Rule::random, 7});
      ADD_FAILURE() << shape;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(std::string(error.what()), "ties random:7: they are for rings and tori; " +
                                               std::string(shape) +
                                               " has no ring with two ways round");
    }
  }
}

}  // namespace
}  // namespace allport
