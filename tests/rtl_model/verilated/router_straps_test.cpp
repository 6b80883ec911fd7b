// SPDX-License-Identifier: Apache-2.0
// What a router in RTL with a table is told: its rows, the phits of its channels, and the fabrics
// that it is refused for.
#include "rtl_model/verilated/router_straps.h"

#include <gmock/gmock.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/tables/make_table.h"
#include "rtl_model/verilated/pin_layout.h"
#include "rtl_model/verilated/rtl_source.h"
#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Routing routing_by(const std::string& rule, std::shared_ptr<const Topology> topology, int vcs = 0) {
  TableRequest wanted;
  wanted.rule = rule;
  wanted.topology = topology;
  wanted.vcs = vcs;
  return {std::move(topology), make_table(wanted)};
}

// Bits of a row of a ring: the port in the lower two, 2 where there is none, the layer above.
TEST(RouterStraps, AreTheRowsOfItsTable) {
  const Blueprint blueprint(routing_by("dimension", parse_topology("ring:3"), 2), With().vcs(2));
  const std::vector<std::uint32_t> of_0 =
      table_rows(blueprint.config, blueprint.routing, node_id(0));
  // To 0, 1 and 2 and to an address that no node has; by layer 0, layer 1 and injection. Node 1 is
  // one hop up, without the wraparound channel; node 2 one hop down, over it.
  constexpr std::uint32_t local = 2;
  constexpr std::uint32_t up = 0;
  constexpr std::uint32_t down_in_layer_1 = 1 | 1 << 2;
  ASSERT_EQ(of_0.size(), 12U);
  EXPECT_THAT(std::vector<std::uint32_t>(of_0.begin() + 8, of_0.end()),
              ElementsAre(local, up, down_in_layer_1, local));
  EXPECT_EQ(of_0[0], local);
  EXPECT_EQ(of_0[4], local);
}

TEST(RouterStraps, ReckonWithVirtualChannelsOfLayersThatTheTableLacks) {
  const Blueprint blueprint(routing_by("dimension", parse_topology("ring:3"), 3), With().vcs(3));
  ASSERT_EQ(blueprint.config.layers, 3);
  const auto rows = table_rows(blueprint.config, blueprint.routing, node_id(0));
  ASSERT_EQ(rows.size(), 16U);
  EXPECT_THAT(std::vector<std::uint32_t>(rows.begin() + 8, rows.begin() + 12),
              ElementsAre(2U, 2U, 2U, 2U));
  EXPECT_EQ(rows[14], 1U | 1U << 2);
}

TEST(RouterStraps, AddressesAreNumbersOfNodes) {
  const Blueprint blueprint(routing_by("updown", parse_topology("torus:3x5")), With());
  const PinLayout layout(blueprint.config, blueprint.routing, 32);
  EXPECT_EQ(layout.address_width, 4);
  EXPECT_EQ(layout.tie_width, 1);
  EXPECT_EQ(layout.address(node_id(14)), 14U);
  EXPECT_EQ(layout.node(14), node_id(14));
}

TEST(RouterStraps, NameTheDelaysOfAPipelineWhereThereAreAny) {
  const auto delays_of = [](const Blueprint& blueprint) {
    std::string delays;
    for (const auto& [name, value] :
         twin_source(blueprint.config, blueprint.routing, 64).parameters) {
      const bool is_delay = name == "RouteDelay" || name == "VcDelay" || name == "CrossbarDelay";
      if (is_delay) delays += name + " " + value + " ";
    }
    return delays;
  };
  EXPECT_EQ(delays_of(Blueprint("hypercube:3")), "");
  EXPECT_EQ(delays_of(Blueprint("hypercube:3", With().pipeline(1, 0, 4))),
            "RouteDelay 1 CrossbarDelay 4 ");
  EXPECT_EQ(delays_of({routing_by("updown", parse_topology("ring:3")), With().pipeline(0, 2, 0)}),
            "VcDelay 2 ");
}

std::string refusal_of_source(const Blueprint& blueprint, bool is_fabric = false) {
  try {
    if (is_fabric) fabric_source(blueprint.config, blueprint.routing, 64);
    if (!is_fabric) twin_source(blueprint.config, blueprint.routing, 64);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(RouterStraps, AreRefusedBeyondTheLimitsOfTheRtl) {
  EXPECT_EQ(refusal_of_source({routing_by("updown", parse_topology("mesh:2x2x2x2")), With()}), "");
  const auto source =
      twin_source(RouterConfig{}, routing_by("updown", parse_topology("ring:3")), 8);
  EXPECT_EQ(source.top, "allport_table_router");

  std::string star = "graph {";
  for (int i = 0; i < 33; ++i) star += " hub--n" + std::to_string(i);
  const auto graph = std::make_shared<Graph>(read_graph("star.dot", star + " }"));
  EXPECT_EQ(refusal_of_source({routing_by("updown", graph), With().ports(1)}),
            "routing table:updown: a router of graph:star.dot has up to 33 external ports; with a "
            "table routers in SystemVerilog have 1..32");
  // Nobody looks into the table, so it need not be one that was proved.
  const auto torus = parse_topology("torus:64x40");
  const Routing many(torus, std::make_shared<RoutingTable>("table:rows.csv", torus->router_count(),
                                                           torus->node_count(), 1));
  RouterConfig layered;
  layered.layers = 16;
  try {
    twin_source(layered, many, 64);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(
        std::string(error.what()),
        "routing table:rows.csv: a router of torus:64x40 would have a table of 69632 rows, for "
        "each of 16 layers and for injection one for each of 4096 addresses, the next power of "
        "two from its 2560 nodes on; routers in SystemVerilog have 1..65536");
  }
  EXPECT_EQ(refusal_of_source({routing_by("updown", parse_topology("ring:3")), With()}, true),
            "routing table:updown: the fabric in SystemVerilog has no tables; routers in "
            "SystemVerilog have them");
}

}  // namespace
}  // namespace allport::test
