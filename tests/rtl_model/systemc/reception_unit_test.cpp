// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/reception_unit.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/systemc/route_computation.h"
#include "rtl_model/tables/make_table.h"
#include "tests/support/blueprint.h"
#include "tests/support/worm.h"

namespace allport::test {
namespace {

struct ReceptionUnitBench {
  explicit ReceptionUnitBench(int ports = 0)
      : blueprint("hypercube:4", With().ports(ports)), unit("reception_unit", blueprint.config) {}

  PortMask copies(int input, MessageKind kind, PortMask external) const {
    Route route;
    route.outputs = external;
    return unit.copies(input, Worm{'A', 0, 1, kind}[0], route);
  }

  Blueprint blueprint;
  ReceptionUnit unit;
};

constexpr PortMask ejection(int internal_port) { return PortMask{1} << (4 + internal_port); }

TEST(ReceptionUnit, EjectsWhateverEndsHere) {
  const ReceptionUnitBench bench;
  for (const MessageKind kind : message_kinds) {
    if (is_join(kind)) continue;  // it ends at its root alone, which the route says
    EXPECT_EQ(bench.copies(2, kind, 0), ejection(2));
  }
}

// Nodes 0, 1 and 2, and router 3, the hub of 0 and 1.
TEST(ReceptionUnit, CopiesNoTreeWormInASwitch) {
  const auto net = std::make_shared<Graph>(
      read_graph("net.dot", "graph { hub [processor=false] a--hub b--hub b--c }"));
  const Blueprint blueprint(Routing(net, make_table({"updown", nullptr, net})), FabricConfig());
  const ReceptionUnit unit("reception_unit", blueprint.config);
  const Flit head = Worm{'T', 0, 1, MessageKind::tree}[0];
  const auto copies = [&](std::size_t node) {
    const RouteComputation routes("route_computation", blueprint.config, blueprint.routing,
                                  node_id(node));
    return unit.copies(0, head, routes.route(head, 0));
  };
  EXPECT_EQ(copies(3), 0U);
  EXPECT_EQ(copies(1), PortMask{1} << blueprint.config.ejection_output(0));
}

TEST(ReceptionUnit, CopiesMultidestinationAndLabelWormsWhereTheirListLosesAnEntry) {
  const ReceptionUnitBench bench;
  for (const MessageKind kind : {MessageKind::multidestination, MessageKind::label}) {
    const Flit head = Worm{'A', 0, 1, kind}[0];
    Route route;
    route.outputs = 0b0001;

    EXPECT_EQ(bench.unit.copies(3, head, route), 0U);
    route.is_stripped = true;
    EXPECT_EQ(bench.unit.copies(3, head, route), ejection(3));
  }
}

TEST(ReceptionUnit, CopiesDepositTreeAndPathWormsThatMoveOn) {
  const ReceptionUnitBench bench;

  EXPECT_EQ(bench.copies(3, MessageKind::deposit, 0b0001), ejection(3));
  EXPECT_EQ(bench.copies(3, MessageKind::tree, 0b0011), ejection(3));
  EXPECT_EQ(bench.copies(3, MessageKind::path, 0b0001), ejection(3));
  EXPECT_EQ(bench.copies(3, MessageKind::unicast, 0b0001), 0U);
}

TEST(ReceptionUnit, GivesTheSourcesOwnProcessorNothing) {
  const ReceptionUnitBench bench;
  for (int input = 4; input < 8; ++input) {
    EXPECT_EQ(bench.copies(input, MessageKind::unicast, 0b1000), 0U);
    EXPECT_EQ(bench.copies(input, MessageKind::deposit, 0b1000), 0U);
    EXPECT_EQ(bench.copies(input, MessageKind::tree, 0b1111), 0U);
  }
}

TEST(ReceptionUnit, EjectsFromExternalInputPOnInternalPortPModK) {
  for (int ports = 1; ports <= 4; ++ports) {
    const ReceptionUnitBench bench(ports);
    for (int input = 0; input < 4; ++input) {
      EXPECT_EQ(bench.copies(input, MessageKind::unicast, 0), ejection(input % ports));
    }
  }
}

}  // namespace
}  // namespace allport::test
