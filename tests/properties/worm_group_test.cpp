// SPDX-License-Identifier: Apache-2.0
// Trees and joins that are moved as worms are where they are when they are moved as flits, to the
// cycle, on channels as wide as a flit and narrower ones. ALLPORT_CASES and ALLPORT_NIGHTLY_SEED
// choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include "tests/properties/reference/random_cases.h"
#include "tests/properties/worm_group_case.h"

namespace allport::test {
namespace {

void expect_equal_results(Groups groups, std::uint64_t by_day) {
  const RandomCases cases(by_day);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    ASSERT_EQ(compare_groups(groups, seed), "") << describe_groups(groups, seed);
  }
}

TEST(GroupWorms, AreWhereFlitsAreInTrees) { expect_equal_results(Groups::trees, 100); }

TEST(GroupWorms, AreWhereFlitsAreInJoins) { expect_equal_results(Groups::joins, 100); }

TEST(GroupWorms, AreWhereFlitsAreAmongUnicasts) { expect_equal_results(Groups::mixed, 150); }

TEST(GroupWorms, AreWhereFlitsAreInRowsOfCopies) { expect_equal_results(Groups::rows, 200); }

TEST(GroupWorms, AreWhereFlitsAreInTreesByTables) {
  expect_equal_results(Groups::trees_by_tables, 100);
}

TEST(GroupWorms, AreWhereFlitsAreInJoinsByTables) {
  expect_equal_results(Groups::joins_by_tables, 100);
}

TEST(GroupWorms, AreWhereFlitsAreAmongUnicastsByTables) {
  expect_equal_results(Groups::mixed_by_tables, 150);
}

// Two messages of one name are stuck here: a join whose root has not contributed has the place that
// its line has at another node.
TEST(GroupWorms, NameTheWaitsOfADeadlockInTheOrderOfFlits) {
  const std::uint64_t of_joins = 20261123001982U;
  const std::uint64_t of_mixtures = 20261123001364U;
  EXPECT_EQ(compare_groups(Groups::joins, of_joins), "")
      << describe_groups(Groups::joins, of_joins);
  EXPECT_EQ(compare_groups(Groups::mixed, of_mixtures), "")
      << describe_groups(Groups::mixed, of_mixtures);
}

// In a switch the input of the contribution that speaks, or of another one, has chosen a unicast:
// that goes on, and the join asks for nothing.
TEST(GroupWorms, LetOthersPassWhereAJoinIsNotChosenInASwitch) {
  for (const std::uint64_t seed : {7000400U, 7000965U}) {
    EXPECT_EQ(compare_groups(Groups::mixed_by_tables, seed), "")
        << describe_groups(Groups::mixed_by_tables, seed);
  }
}

// Found by night: router 3 waits from the cycle after it was last called, which is not that in
// which a head behind another message would have its route.
TEST(GroupWorms, CallNoRouterForAHeadThatIsNotFirst) {
  const std::uint64_t seed = 77000636U;
  EXPECT_EQ(compare_groups(Groups::mixed, seed), "") << describe_groups(Groups::mixed, seed);
}

}  // namespace
}  // namespace allport::test
