// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/router/router_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

RouterConfig accepted(const char* topology, const FabricConfig& fabric = {}) {
  return Blueprint(topology, fabric).config;
}

std::string refusal(const char* topology, const FabricConfig& fabric) {
  try {
    accepted(topology, fabric);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RouterConfig, IsAllPortByDefault) {
  EXPECT_EQ(accepted("hypercube:5").internal_ports, 5);
  EXPECT_EQ(accepted("torus:4x4x4").internal_ports, 6);
  EXPECT_EQ(accepted("hypercube:5", With().ports(1)).internal_ports, 1);
}

TEST(RouterConfig, HasTwoVirtualChannelsWhereRingsCloseAndOneElsewhere) {
  EXPECT_EQ(accepted("torus:4x4").vcs, 2);
  EXPECT_EQ(accepted("ring:3").vcs, 2);
  EXPECT_EQ(accepted("mesh:4x4").vcs, 1);
  EXPECT_EQ(accepted("hypercube:4").vcs, 1);
}

TEST(RouterConfig, HasClassesWhereRingsCloseAndThereIsMoreThanOneVc) {
  EXPECT_EQ(accepted("torus:4x4").layers, 2);
  EXPECT_EQ(accepted("torus:3x3", With().vcs(1)).layers, 1);
  EXPECT_EQ(accepted("mesh:4x4", With().vcs(2)).layers, 1);
  EXPECT_EQ(accepted("hypercube:4", With().vcs(4)).layers, 1);
}

TEST(RouterConfig, TakesEveryValueUpToItsBoundAndNoneBeyond) {
  const char* cube = "hypercube:3";
  EXPECT_EQ(refusal(cube, With().ports(3)), "accepted");
  EXPECT_EQ(refusal(cube, With().ports(4)), "ports 4: must be 1..3");
  EXPECT_EQ(refusal(cube, With().ports(-1)), "ports -1: must be 1..3");
  EXPECT_EQ(refusal(cube, With().vcs(16)), "accepted");
  EXPECT_EQ(refusal(cube, With().vcs(17)), "vcs 17: must be 1..16");
  EXPECT_EQ(refusal(cube, With().depth(1)), "accepted");
  EXPECT_EQ(refusal(cube, With().depth(0)), "buffer depth 0: must be 1..4096");
  EXPECT_EQ(refusal(cube, With().depth(4096)), "accepted");
  EXPECT_EQ(refusal(cube, With().depth(4097)), "buffer depth 4097: must be 1..4096");
  EXPECT_EQ(refusal(cube, With().link_delay(1024)), "accepted");
  EXPECT_EQ(refusal(cube, With().link_delay(1025)), "link delay 1025: must be 0..1024");
  EXPECT_EQ(refusal(cube, With().link_delay(-1)), "link delay -1: must be 0..1024");
  EXPECT_EQ(refusal(cube, With().replication_delay(1024)), "accepted");
  EXPECT_EQ(refusal(cube, With().replication_delay(1025)),
            "replication delay 1025: must be 0..1024");
}

TEST(RouterConfig, HasAsManyVirtualChannelsForEachMessageClass) {
  EXPECT_EQ(accepted("torus:4x4", With().classes(3)).vcs, 6);
  EXPECT_EQ(accepted("mesh:4x4", With().classes(8)).vcs, 8);
  const RouterConfig config = accepted("torus:4x4", With().vcs(8).classes(4).ports(3));
  EXPECT_EQ(config.layers, 2);
  EXPECT_EQ(accepted("torus:3x3", With().vcs(4).classes(4)).layers, 1);
  EXPECT_EQ(config.vcs_of_class(), 2);
  EXPECT_EQ(config.vcs_of(3), 8);
  EXPECT_EQ(config.vcs_of(4), 4);
  EXPECT_EQ(config.channel_vcs(), 4 * 8 + 3 * 4);
  for (int port = 0, next = 0; port < config.ports(); ++port) {
    for (int vc = 0; vc < config.vcs_of(port); ++vc, ++next) {
      EXPECT_EQ(config.channel_vc(port, vc), next);
      EXPECT_EQ(config.port_of(next), port);
    }
  }
}

TEST(RouterConfig, RefusesMessageClassesThatTheVirtualChannelsDoNotSupport) {
  EXPECT_EQ(refusal("hypercube:3", With().classes(0)), "classes 0: must be 1..8");
  EXPECT_EQ(refusal("hypercube:3", With().classes(9)), "classes 9: must be 1..8");
  EXPECT_EQ(
      refusal("hypercube:3", With().vcs(4).classes(3)),
      "classes 3: vcs 4 cannot be divided among them equally; vcs must be a multiple of 3, up to 16");
  EXPECT_THAT(refusal("ring:4", With().vcs(2).classes(2)),
              StartsWith("vcs 2 with classes 2, 1 for each message class: ring:4 can deadlock"));
  EXPECT_THAT(refusal("torus:4x4", With().vcs(6).classes(2)),
              StartsWith("vcs 6 with classes 2, 3 for each message class: torus:4x4 halves them"));
  EXPECT_EQ(
      refusal("hypercube:3", With().classes(2).join_vcs(1)),
      "join VCs 1: with classes 2 every virtual channel is that of a message class, and joins have none; leave them out");
}

TEST(RouterConfig, TakesALinkDelayForEachDimension) {
  const RouterConfig torus = accepted("torus:4x3x2", With().link_delay({5, 0, 7}));
  const RouterConfig cube = accepted("hypercube:3", With().link_delay({0, 2, 1}));
  const RouterConfig alike = accepted("mesh:3x3", With().link_delay({4, 4}));
  const RouterConfig plain = accepted("mesh:3x3", With().link_delay(4));

  EXPECT_EQ(torus.link_delay, 7);
  for (std::size_t port = 0; port < 6; ++port) {
    EXPECT_EQ(torus.link_delays[port], (std::vector<int>{5, 0, 7})[port / 2]);
  }
  for (std::size_t port = 0; port < 3; ++port) {
    EXPECT_EQ(cube.link_delays[port], (std::vector<int>{0, 2, 1})[port]);
  }
  EXPECT_FALSE(torus.has_one_link_delay());
  EXPECT_TRUE(alike.has_one_link_delay());
  EXPECT_EQ(alike.link_delays, plain.link_delays);
  EXPECT_EQ(alike.link_delay, plain.link_delay);
  EXPECT_EQ(
      refusal("torus:4x3", With().link_delay({1, 2, 3})),
      "link delay: 3 are given, but torus:4x3 has 2 dimensions; give one for all, or one for each");
  EXPECT_EQ(refusal("torus:4x3", With().link_delay({1, 1025})), "link delay 1025: must be 0..1024");
}

TEST(RouterConfig, RefusesAnOddNumberOfVcsWhereTheyAreHalved) {
  EXPECT_THAT(refusal("torus:4x4", With().vcs(3)), StartsWith("vcs 3: torus:4x4 halves them"));
  EXPECT_EQ(refusal("mesh:4x4", With().vcs(3)), "accepted");
  EXPECT_EQ(refusal("ring:3", With().vcs(1)), "accepted");
}

TEST(RouterConfig, HasNoClassesOfVcsWhereTheRuleIsNotKnown) {
  FabricConfig fabric = With().vcs(3);
  fabric.custom_vc_classes = true;
  EXPECT_EQ(accepted("torus:4x4", fabric).layers, 1);
  fabric.vcs = 1;
  EXPECT_EQ(accepted("torus:4x4", fabric).vcs, 1);
}

TEST(RouterConfig, HasLengthsInHeadsWhereBuffersHoldMessagesOrOnDemand) {
  for (const Switching mode : switching_modes) {
    FabricConfig fabric = With().switching(mode);
    EXPECT_EQ(accepted("mesh:3x3", fabric).heads_carry_length(), buffers_messages(mode));
    fabric.length_in_heads = true;
    EXPECT_TRUE(accepted("mesh:3x3", fabric).heads_carry_length());
  }
}

TEST(RouterConfig, RefusesOneVcOnARingOfFourOrMoreAndNamesTheCycle) {
  EXPECT_THAT(
      refusal("ring:4", With().vcs(1)),
      HasSubstr(
          "its channels wait for each other in a cycle: 0 -> 1 (+x), 1 -> 2 (+x), 2 -> 3 (+x), 3 -> 0 (+x), 0 -> 1 (+x)"));
  EXPECT_THAT(refusal("torus:3x5", With().vcs(1)), HasSubstr("can deadlock"));
  EXPECT_EQ(refusal("torus:3x3", With().vcs(1)), "accepted");
}

TEST(RouterConfig, NumbersChannelsDenselyExternalOnesFirst) {
  const RouterConfig config = accepted("torus:4x4", With().vcs(4).ports(3));
  EXPECT_EQ(config.ports(), 7);
  EXPECT_EQ(config.channel_vcs(), 4 * 4 + 3);

  int expected = 0;
  for (int port = 0; port < config.ports(); ++port) {
    for (int vc = 0; vc < config.vcs_of(port); ++vc) {
      EXPECT_EQ(config.channel_vc(port, vc), expected++);
    }
  }
  EXPECT_EQ(expected, config.channel_vcs());
}

TEST(RouterConfig, ServesExternalPortPByInternalPortPModK) {
  const RouterConfig config = accepted("hypercube:5", With().ports(3));

  EXPECT_EQ(config.internal_port(4), 1);
  EXPECT_EQ(config.ejection_output(4), 5 + 1);
}

TEST(RouterConfig, HasTwoVirtualChannelsForAdaptiveRoutingAndRefusesOne) {
  const auto adaptive = [](const char* topology, int vcs) {
    return Blueprint(topology, With().vcs(vcs), RoutingOrder::adaptive).config.vcs;
  };
  EXPECT_EQ(adaptive("hypercube:4", 0), 2);
  EXPECT_EQ(adaptive("hypercube:4", 3), 3);
  try {
    adaptive("hypercube:4", 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "vcs 1: routing adaptive takes 2..16, one of them the escape channel; without it hypercube:4 can deadlock because its channels wait for each other in a cycle: 0 -> 1 (dimension 0), 1 -> 3 (dimension 1), 3 -> 2 (dimension 0), 2 -> 0 (dimension 1), 0 -> 1 (dimension 0)");
  }
}

TEST(RouterConfig, RefusesABalancedUseOfOneVirtualChannel) {
  EXPECT_EQ(Blueprint("ring:3", With().vcs(2), std::nullopt, VcUse::balanced).config.vcs, 2);
  try {
    Blueprint("ring:3", With().vcs(1), std::nullopt, VcUse::balanced);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "vc use balanced: with 1 virtual channel there are no classes to choose from; it takes 2, 4, .. virtual channels");
  }
}

// Each hop takes s + d cycles, and a place can be used again 1 + d cycles after it was left.
TEST(RouterConfig, CountsTheCyclesOfNarrowChannels) {
  const RouterConfig wide = accepted("torus:4x3", With().link_delay(2));
  EXPECT_FALSE(wide.has_narrow_channels());
  EXPECT_EQ(wide.longest_hop(), 1 + 2);
  EXPECT_EQ(wide.longest_round_trip(), 2 + 2 * 2);
  EXPECT_EQ(wide.full_rate_depth(0), 2 + 2 * 2);

  const RouterConfig narrow = accepted("torus:4x3", With().link_delay({0, 4}).phits({5, 2}));
  EXPECT_TRUE(narrow.has_narrow_channels());
  EXPECT_EQ(narrow.phits(1), 5);
  EXPECT_EQ(narrow.phits(2), 2);
  EXPECT_EQ(narrow.phits(4), 1) << "an ejection channel";
  EXPECT_EQ(narrow.hop_cycles(0), 5);
  EXPECT_EQ(narrow.longest_hop(), 2 + 4);
  EXPECT_EQ(narrow.longest_round_trip(), 2 + 1 + 2 * 4);
  EXPECT_EQ(narrow.full_rate_depth(0), 6) << "(2 + 1 + 8) / 2, rounded up";
  EXPECT_EQ(narrow.full_rate_depth(3), 7);
}

TEST(RouterConfig, RefusesPhitsAndWidthsOutOfRange) {
  EXPECT_THAT(refusal("mesh:3x4", With().phits({1, 65})), HasSubstr("phits 65: must be 1..64"));
  EXPECT_EQ(refusal("mesh:3x4", With().phits({2})),
            "phits: 1 is given, but mesh:3x4 has 2 dimensions; give one for all, or one for each");
  const auto topology = parse_topology("mesh:3x4");
  EXPECT_NO_THROW(require_link_widths({}, 4, *topology));
  EXPECT_NO_THROW(require_link_widths({4}, 4, *topology));
  EXPECT_THROW(require_link_widths({0}, 4, *topology), std::invalid_argument);
  EXPECT_THROW(require_link_widths({4, 5}, 4, *topology), std::invalid_argument);
  EXPECT_THROW(require_link_widths({1, 1, 1}, 4, *topology), std::invalid_argument);
}

TEST(RouterConfig, CutsFlitsIntoWholePhits) {
  const auto topology = parse_topology("mesh:3x4");
  const auto phits = [&](const std::vector<int>& widths, int flit_bytes) {
    return phits_by_dimension(widths, flit_bytes, *topology);
  };
  EXPECT_EQ(phits({}, 4), std::vector<int>());
  EXPECT_EQ(phits({4, 4}, 4), std::vector<int>());
  EXPECT_EQ(phits({3}, 4), std::vector<int>({2, 2}));
  EXPECT_EQ(phits({4, 1}, 4), std::vector<int>({1, 4}));
  EXPECT_EQ(phits({1, 7}, 64), std::vector<int>({64, 10}));
}

TEST(RouterConfig, SaysWhichKindsGoWithTheModeAndTheRouting) {
  const Routing cube(parse_topology("hypercube:3"), RoutingOrder::descending);
  const Routing adaptive(parse_topology("hypercube:3"), RoutingOrder::adaptive);
  const Routing mesh(parse_topology("mesh:3x3"), RoutingOrder::dimension_ordered);
  for (const Switching mode : switching_modes) {
    EXPECT_EQ(kind_fault(MessageKind::unicast, mode, adaptive), "");
    EXPECT_EQ(kind_fault(MessageKind::path, mode, cube).empty(), mode != Switching::circuit);
  }
  EXPECT_EQ(kind_fault(MessageKind::deposit, Switching::circuit, mesh),
            "switching circuit is for unicasts only, and this is a deposit message");
  EXPECT_EQ(kind_fault(MessageKind::multidestination, Switching::cut_through, adaptive),
            "routing adaptive is for unicasts only, and this is a multidestination message");
  EXPECT_EQ(kind_fault(MessageKind::path, Switching::wormhole, mesh),
            "path worms are for hypercubes; mesh:3x3 is not one");
  EXPECT_EQ(kind_fault(MessageKind::label, Switching::wormhole, mesh), "");
  EXPECT_EQ(kind_fault(MessageKind::label, Switching::wormhole, cube),
            "label worms are for meshes; hypercube:3 is not one");
  EXPECT_EQ(kind_fault(MessageKind::label, Switching::circuit, mesh),
            "switching circuit is for unicasts only, and this is a label message");
}

}  // namespace
}  // namespace allport::test
