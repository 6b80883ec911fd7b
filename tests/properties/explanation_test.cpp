// SPDX-License-Identifier: Apache-2.0
// The causes of latencies are tested on random cases: they sum, they obey the formulas of
// docs/explain.md, and they are the same whether flits or worms are moved. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>

#include <map>

#include "tests/properties/reference/drawn_classes.h"
#include "tests/properties/reference/explained_case.h"
#include "tests/properties/reference/fabric.h"
#include "tests/properties/reference/random_cases.h"

namespace allport::test {
namespace {

void expect_sums(Traffic traffic) {
  const RandomCases cases(100);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    ASSERT_EQ(check_explanation(traffic, seed), "") << describe_case(traffic, seed);
  }
}

TEST(Explanation, SumsOnTreesOfUnicasts) { expect_sums(Traffic::schedule); }

TEST(Explanation, SumsOnCollectivesOfAllKinds) { expect_sums(Traffic::kinds); }

TEST(Explanation, SumsInEverySwitchingMode) { expect_sums(Traffic::modes); }

TEST(Explanation, SumsOnUniformTraffic) { expect_sums(Traffic::uniform); }

TEST(Explanation, SumsOnUniformTrafficInEveryModeAndOnAdaptiveRoutes) {
  expect_sums(Traffic::uniform_modes);
}

TEST(Explanation, SumsOverNarrowChannels) {
  expect_sums(Traffic::narrow);
  expect_sums(Traffic::uniform_narrow);
}

TEST(Explanation, AgreesWithASecondWalkOnCollectives) {
  for (const Traffic traffic :
       {Traffic::schedule, Traffic::kinds, Traffic::modes, Traffic::narrow}) {
    const RandomCases cases(60);
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      ASSERT_EQ(compare_with_reference(traffic, seed), "") << describe_case(traffic, seed);
    }
  }
}

TEST(Explanation, AgreesWithASecondWalkOnPatterns) {
  for (const Traffic traffic :
       {Traffic::uniform, Traffic::uniform_modes, Traffic::uniform_narrow}) {
    const RandomCases cases(6);
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      ASSERT_EQ(compare_with_reference(traffic, seed), "") << describe_case(traffic, seed);
    }
  }
}

// Each sender prepares its messages in the order of their cycles.
TEST(Explanation, AgreesWithASecondWalkOnMessageClasses) {
  const RandomCases cases(60);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    DrawnClasses drawn = draw_classes(seed);
    std::map<int, reference::Cycle> latest;
    for (reference::Line& line : drawn.lines) {
      reference::Cycle& at = latest[line.u];
      line.at = at = std::max(at, line.at);
    }
    if (drawn.lines.empty()) continue;
    const bool is_small = drawn.config.mode == reference::Mode::wormhole ||
                          drawn.config.mode == reference::Mode::circuit;
    if (is_small && seed % 2 == 0) drawn.config.buffer_depth = 1 + static_cast<int>(seed / 2 % 3);
    ASSERT_EQ(compare_with_reference(drawn), "")
        << "seed " << seed << ": " << drawn.config.topology << " mode "
        << static_cast<int>(drawn.config.mode) << " C " << drawn.config.classes << " V "
        << drawn.config.vcs << " B " << drawn.config.buffer_depth;
  }
}

// At node 4 the tree has the ejection channel and waits for VC 1 of the channel to 5; the deposit
// has that and waits for the ejection channel. The tree goes on by VC 0, so this is no deadlock.
TEST(Explanation, EndsAChainThatComesBackWhereItWas) {
  using reference::Kind;
  DrawnCase circle;
  circle.config.topology = "hypercube:3";
  circle.config.vcs = 2;
  circle.config.ports = 1;
  circle.config.buffer_depth = 2;
  circle.config.flits = 3;
  circle.collectives = {
      {{0}, {{0, 0, 0, Kind::tree}}}, {{2}, {{2, 5, 0, Kind::deposit}}}, {{6}, {{6, 5}}}};
  EXPECT_EQ(compare_with_reference(circle, Traffic::kinds), "");
  EXPECT_EQ(check_explanation(circle, Traffic::kinds), "");
}

// Found by night: a branch of a multicast takes the head on, the other one keeps the rest back, and
// the trial ends in a deadlock.
TEST(Explanation, EndsWhereAHeadLacksItsTailWhenTheTrialEnds) {
  EXPECT_EQ(check_explanation(Traffic::modes, 20261123000550), "");
  EXPECT_EQ(check_explanation(Traffic::narrow, 20261123000545), "");
}

TEST(Explanation, IsTheSameForWorms) {
  for (const Traffic traffic :
       {Traffic::schedule, Traffic::uniform, Traffic::mixed, Traffic::narrow_schedule,
        Traffic::narrow_pattern, Traffic::narrow_mixed, Traffic::uniform_modes,
        Traffic::uniform_narrow}) {
    const bool is_long = traffic == Traffic::mixed || traffic == Traffic::narrow_mixed;
    const RandomCases cases(is_long ? 2 : 40);
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      ASSERT_EQ(compare_explanations(traffic, seed), "") << describe_case(traffic, seed);
    }
  }
}

}  // namespace
}  // namespace allport::test
