// SPDX-License-Identifier: Apache-2.0
// The model and a second one, written from docs/router.md alone, agree on random cases to the
// cycle. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include "tests/support/random_case.h"
#include "tests/support/random_cases.h"

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

TEST(Reference, AgreesOnUniformTraffic) { expect_agreement(Traffic::uniform); }

TEST(Reference, AgreesOnUniformTrafficInEveryModeAndOnAdaptiveRoutes) {
  expect_agreement(Traffic::uniform_modes);
}

}  // namespace
}  // namespace allport::test
