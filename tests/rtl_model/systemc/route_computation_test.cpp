// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/route_computation.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/blueprint.h"
#include "tests/support/worm.h"

namespace allport::test {
namespace {

struct RouteComputationBench {
  explicit RouteComputationBench(const char* topology,
                                 std::optional<RoutingOrder> order = std::nullopt)
      : blueprint(topology, {}, order) {
    for (std::size_t node = 0; node < nodes(); ++node) {
      units.push_back(
          std::make_unique<RouteComputation>(("route_computation_" + std::to_string(node)).c_str(),
                                             blueprint.config, blueprint.routing, node_id(node)));
    }
  }
  std::size_t nodes() const { return blueprint.routing.topology().node_count(); }

  Blueprint blueprint;
  std::vector<std::unique_ptr<RouteComputation>> units;  // by node
};

void expect_branches(const RouteComputationBench& bench,
                     PortMask (*expected)(std::size_t relative)) {
  for (std::size_t root = 0; root < bench.nodes(); ++root) {
    const Flit head = Worm{'T', root, 1, MessageKind::tree}[0];
    for (std::size_t node = 0; node < bench.nodes(); ++node) {
      const Route route = bench.units[node]->route(head);
      EXPECT_EQ(route.outputs, expected(node ^ root)) << "node " << node << " root " << root;
      EXPECT_EQ(route.is_replicated, route.outputs != 0);
    }
  }
}

TEST(RouteComputation, TakesTheHopOfTheRoutingForUnicastsAndDeposits) {
  for (const char* topology : {"hypercube:4", "torus:4x3", "mesh:3x3", "ring:6"}) {
    const RouteComputationBench bench(topology);
    for (std::size_t node = 0; node < bench.nodes(); ++node) {
      for (std::size_t address = 0; address < bench.nodes(); ++address) {
        for (TieMask ties = 0; ties < 4; ++ties) {
          const auto hop = bench.blueprint.routing.route(node_id(node), node_id(address), ties);
          for (const MessageKind kind : {MessageKind::unicast, MessageKind::deposit}) {
            const Route route = bench.units[node]->route(Worm{'A', address, 1, kind, 0, ties}[0]);

            EXPECT_EQ(route.outputs, hop ? PortMask{1} << index(hop->port) : 0);
            EXPECT_EQ(route.vc_class, hop ? hop->vc_class : VcClass::h_or_l);
            EXPECT_FALSE(route.is_replicated);
          }
        }
      }
    }
  }
}

TEST(RouteComputation, AsksForClassPUntilTheWraparoundIsPassed) {
  const RouteComputationBench bench("ring:8");
  const auto class_at = [&](std::size_t node, std::size_t address) {
    return bench.units[node]->route(Worm{'A', address}[0]).vc_class;
  };

  EXPECT_EQ(class_at(6, 1), VcClass::p);
  EXPECT_EQ(class_at(7, 1), VcClass::p);  // the wraparound channel itself
  EXPECT_EQ(class_at(0, 1), VcClass::h_or_l);
  EXPECT_EQ(class_at(1, 6), VcClass::p);  // going -
  EXPECT_EQ(class_at(0, 6), VcClass::p);
  EXPECT_EQ(class_at(7, 6), VcClass::h_or_l);
}

TEST(RouteComputation, BranchesATreeBelowTheLowestBitWhenDescending) {
  expect_branches(RouteComputationBench("hypercube:4", RoutingOrder::descending),
                  [](std::size_t relative) {
                    PortMask ports = 0;
                    for (int port = 0; port < 4 && (relative >> port & 1U) == 0; ++port)
                      ports |= 1U << port;
                    return ports;
                  });
}

TEST(RouteComputation, BranchesATreeAboveTheHighestBitWhenAscending) {
  expect_branches(RouteComputationBench("hypercube:4", RoutingOrder::ascending),
                  [](std::size_t relative) {
                    PortMask ports = 0;
                    for (int port = 3; port >= 0 && (relative >> port & 1U) == 0; --port)
                      ports |= 1U << port;
                    return ports;
                  });
}

TEST(RouteComputation, HoldsTheRouteOfEachVirtualChannelUntilItIsCleared) {
  RouteComputationBench bench("ring:4");
  RouteComputation& unit = *bench.units[0];

  unit.hold(0, {0b01, VcClass::p, false});
  unit.hold(1, {0b10, VcClass::h_or_l, false});
  EXPECT_EQ(unit.of(0).outputs, 0b01U);
  EXPECT_EQ(unit.of(0).vc_class, VcClass::p);

  unit.clear(0);
  EXPECT_EQ(unit.of(0).outputs, 0U);
  EXPECT_EQ(unit.of(1).outputs, 0b10U);

  unit.reset();
  EXPECT_EQ(unit.of(1).outputs, 0U);
}

TEST(RouteComputation, LeadsAPathWormToTheNextWordOfTheGrayCode) {
  const RouteComputationBench bench("hypercube:4", RoutingOrder::ascending);
  for (std::size_t root = 0; root < 16; ++root) {
    const Flit head = Worm{'P', root, 1, MessageKind::path}[0];
    for (std::size_t i = 0; i < 16; ++i) {
      const Route route = bench.units[root ^ i ^ i >> 1U]->route(head);
      EXPECT_EQ(route.outputs, i == 15 ? 0 : (i ^ i >> 1U) ^ ((i + 1) ^ (i + 1) >> 1U));
      EXPECT_FALSE(route.is_replicated);
    }
  }
}

// Labels of mesh:4x4: 5 6 are 6 5, 9 10 are 9 10, 13 14 are 14 13.
TEST(RouteComputation, LeadsALabelWormByLabelsAndFromItsSourceAsDemanded) {
  const RouteComputationBench bench("mesh:4x4");
  constexpr int external = 1;
  constexpr int injection = 4;
  constexpr TieMask along_the_row = 1;
  const Flit head = Worm{'L', 13, 1, MessageKind::label, 0, along_the_row, {node_id(12)}}[0];

  EXPECT_EQ(bench.units[6]->route(head, injection).outputs, PortMask{1} << 1);  // to 5
  EXPECT_EQ(bench.units[6]->route(head, external).outputs, PortMask{1} << 2);   // to 10
  EXPECT_EQ(bench.units[5]->route(head, external).outputs, PortMask{1} << 2);   // to 9
  const Route at = bench.units[13]->route(head, external);
  EXPECT_EQ(at.outputs, PortMask{1} << 1);
  EXPECT_TRUE(at.is_stripped);
  EXPECT_EQ(bench.units[12]->route(RouteComputation::strip(head), external).outputs, 0U);
}

TEST(RouteComputation, LeadsAMultidestinationWormToItsNextDestination) {
  const RouteComputationBench bench("torus:4x4");
  const Flit head =
      Worm{'M', 5, 1, MessageKind::multidestination, 0, 0, {node_id(4), node_id(7)}}[0];

  const Route before = bench.units[7]->route(head);  // on the way to 5: later stops count nothing
  EXPECT_EQ(before.outputs, PortMask{1} << 0);       // half the ring away: +
  EXPECT_FALSE(before.is_stripped);
  const Route at = bench.units[5]->route(head);
  EXPECT_EQ(at.outputs, PortMask{1} << 1);
  EXPECT_TRUE(at.is_stripped);

  const Flit next = RouteComputation::strip(head);
  EXPECT_EQ(next.address, node_id(4));
  EXPECT_EQ(next.via, ViaList({node_id(7)}));
  EXPECT_EQ(bench.units[4]->route(next).vc_class, VcClass::p);  // 4 to 7 wraps around
  const Flit last = RouteComputation::strip(next);
  EXPECT_EQ(bench.units[7]->route(last).outputs, 0U);
  EXPECT_FALSE(bench.units[7]->route(last).is_stripped);
}

}  // namespace
}  // namespace allport::test
