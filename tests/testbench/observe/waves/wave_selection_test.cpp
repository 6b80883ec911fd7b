// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/waves/wave_selection.h"

#include <gtest/gtest.h>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

/// Routers of a 16x16 torus, each with one busy output.
class WaveSelection : public testing::Test {
 protected:
  RouterActivity& add(std::size_t node, std::uint64_t flits, Cycle first) {
    RouterActivity router;
    router.node = node_id(node);
    router.input_flits.resize(static_cast<std::size_t>(config.channel_vcs()));
    router.has_waited.resize(router.input_flits.size());
    router.output_flits.resize(static_cast<std::size_t>(config.ports()));
    router.output_contention.resize(router.output_flits.size());
    router.output_flits[0] = router.flits = flits;
    router.first_flit = first;
    routers.push_back(router);
    return routers.back();
  }
  std::string selected(int lines_above = 0) const {
    std::string list;
    for (const ShownRouter& router : select_routers(routers, config, lines_above)) {
      if (!list.empty()) list += ' ';
      list += std::to_string(index(router.activity.node)) + (router.is_open ? "+" : "");
    }
    return list;
  }

  const RouterConfig config = Blueprint("torus:16x16").config;
  std::vector<RouterActivity> routers;
};

TEST_F(WaveSelection, BeginsWithContentionThenSourcesThenTraffic) {
  add(1, 50, 4);
  add(2, 90, 3);
  add(3, 10, 0).is_source = true;
  add(4, 5, 9).first_contention = 30;
  add(5, 5, 9).first_contention = 20;

  EXPECT_EQ(selected(), "5+ 4+ 3+ 2+ 1+");
}

TEST_F(WaveSelection, LeavesOutRoutersWithNothingToDo) {
  add(1, 0, -1);
  add(2, 1, 0);

  EXPECT_EQ(selected(), "2+");
}

TEST_F(WaveSelection, ShowsOneLineEachBelowInTheOrderOfTheTraffic) {
  for (std::size_t node = 0; node < 16; ++node)
    add(node, 100 - node, 50 - static_cast<Cycle>(node));

  EXPECT_EQ(selected(), "0+ 1+ 2+ 3+ 4+ 5+ 6+ 7+ 8+ 9+ 10+ 11+ 15 14 13 12")
      << "3 lines each and one for each of the others make 40";
  EXPECT_EQ(selected(30), "0+ 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1") << "the first in any case";
}

TEST_F(WaveSelection, OpensRoutersWithContentionAsFarAsTheScreenGoes) {
  for (std::size_t node = 0; node < 6; ++node) {
    add(node, 5, 50 - static_cast<Cycle>(node)).first_contention = 10 + static_cast<Cycle>(node);
  }
  for (std::size_t node = 10; node < 20; ++node) add(node, 50, 1);

  EXPECT_EQ(open_lines(routers[0], config), 4);
  EXPECT_EQ(selected(21).substr(0, 18), "0+ 1+ 2+ 3+ 4 5 10")
      << "21 + 4 * 4 + 2 lines, the others must do without";
}

TEST_F(WaveSelection, OpensTheRoutersOfACircleBeforeAllAndInAnyCase) {
  add(1, 50, 4).first_contention = 2;
  add(2, 90, 3).has_twin = true;
  add(3, 0, -1).circle_since = 7;
  add(4, 5, 9).circle_since = 6;
  routers[2].circle_outputs = 2;

  EXPECT_EQ(open_lines(routers[2], config), 2 + 1);
  EXPECT_EQ(selected(40), "4+ 3+ 1 2");
}

TEST_F(WaveSelection, KeepsALineForEachRouterWithContention) {
  for (std::size_t node = 0; node < 60; ++node) add(node, 5, 1).first_contention = 9;
  for (std::size_t node = 60; node < 90; ++node) add(node, 50, 1);

  const std::vector<ShownRouter> shown = select_routers(routers, config);
  ASSERT_EQ(shown.size(), 60U);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    EXPECT_TRUE(is_concerned(shown[i].activity));
    EXPECT_EQ(shown[i].has_ports, i < 48);
  }
}

TEST_F(WaveSelection, KeepsToThoseWithMostFlitsOfALargeFabric) {
  for (std::size_t node = 0; node < 256; ++node) add(node, node + 1, 1);

  const std::vector<ShownRouter> shown = select_routers(routers, config);
  ASSERT_EQ(shown.size(), 48U);
  for (const ShownRouter& router : shown) EXPECT_GE(index(router.activity.node), 208U);
}

TEST_F(WaveSelection, OpensTheFirstRouterHoweverManyLinesItTakes) {
  RouterActivity& router = add(0, 100, 0);
  for (auto& flits : router.input_flits) flits = 1;
  for (auto& flits : router.output_flits) flits = 1;
  router.first_contention = 3;
  for (std::size_t i = 0; i < router.has_waited.size(); ++i) router.has_waited[i] = true;

  EXPECT_EQ(open_lines(router, config), 2 + 1 + 8 + 12 + 8);
  EXPECT_EQ(selected(), "0+");
}

TEST_F(WaveSelection, BeginsWithTwins) {
  add(1, 50, 4).first_contention = 5;
  add(2, 90, 3).has_twin = true;

  EXPECT_EQ(open_lines(routers[1], config), 2 * 3 + 1);
  EXPECT_EQ(selected(), "2+ 1+");
}

TEST_F(WaveSelection, BeginsWithTwinsThatDifferHoweverManyLinesTheyTake) {
  add(1, 50, 4).first_contention = 5;
  add(2, 90, 3).has_twin = true;
  RouterActivity& differing = add(3, 0, -1);
  differing.has_twin = true;
  differing.difference = TwinDifference{7, true, 2};

  EXPECT_EQ(open_lines(differing, config), 2 * (2 + 1 + 4 + 3 * config.vcs) + 1);
  EXPECT_EQ(selected(14), "3+ 1 2");
}

}  // namespace
}  // namespace allport::test
