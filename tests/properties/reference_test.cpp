// SPDX-License-Identifier: Apache-2.0
// The model and a second one, written from docs/router.md alone, agree on random cases to the
// cycle. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include "tests/properties/reference/random_case.h"
#include "tests/properties/reference/random_cases.h"

namespace allport::test {
namespace {

void expect_agreement(Traffic traffic) {
  const RandomCases cases(150);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    ASSERT_EQ(compare_case(traffic, seed), "") << describe_case(traffic, seed);
  }
}

TEST(Reference, AgreesOnTreesOfUnicasts) { expect_agreement(Traffic::schedule); }

TEST(Reference, AgreesOnCollectivesOfAllKindsDeadlocksIncluded) {
  expect_agreement(Traffic::kinds);
}

TEST(Reference, AgreesOnCollectivesInEverySwitchingMode) { expect_agreement(Traffic::modes); }

TEST(Reference, AgreesOnJoinsAndTreesOfGroupsDeadlocksIncluded) {
  expect_agreement(Traffic::groups);
}

TEST(Reference, AgreesWithWormsOnJoinsAndTreesOfGroups) {
  const RandomCases cases(150);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    ASSERT_EQ(compare_worm_case(Traffic::groups, seed), "") << describe_case(Traffic::groups, seed);
  }
}

TEST(Reference, AgreesOnJoinsAndTreesByTablesDeadlocksIncluded) {
  expect_agreement(Traffic::tables);
}

TEST(Reference, AgreesWithWormsOnJoinsAndTreesByTables) {
  const RandomCases cases(150);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    ASSERT_EQ(compare_worm_case(Traffic::tables, seed), "") << describe_case(Traffic::tables, seed);
  }
}

TEST(Reference, AgreesOnCollectivesOverNarrowChannels) { expect_agreement(Traffic::narrow); }

TEST(Reference, AgreesOnUniformTrafficOverNarrowChannels) {
  expect_agreement(Traffic::uniform_narrow);
}

TEST(Reference, AgreesWithWormsOverNarrowChannels) {
  for (const Traffic traffic : {Traffic::narrow_schedule, Traffic::narrow_pattern}) {
    const RandomCases cases(50);
    for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
      ASSERT_EQ(compare_worm_case(traffic, seed), "") << describe_case(traffic, seed);
    }
  }
}

TEST(Reference, IsSeenToDisagreeWhenItMisreadsARule) {
  for (const Traffic traffic : {Traffic::modes, Traffic::uniform_modes, Traffic::narrow}) {
    int cases = 0;
    int seen = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const bool has_rule = traffic == Traffic::narrow ||
                            describe_case(traffic, seed).find(" mode 0 ") == std::string::npos;
      if (!has_rule) continue;
      ++cases;
      seen += compare_misread_case(traffic, seed).empty() ? 0 : 1;
    }
    EXPECT_GE(2 * seen, cases) << "in half of the cases at least";
  }
}

TEST(Reference, AgreesOnUniformTraffic) { expect_agreement(Traffic::uniform); }

TEST(Reference, AgreesOnUniformTrafficInEveryModeAndOnAdaptiveRoutes) {
  expect_agreement(Traffic::uniform_modes);
}

}  // namespace
}  // namespace allport::test
