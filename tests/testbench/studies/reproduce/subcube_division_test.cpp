// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/jeon/subcube_division.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace allport::test {
namespace {

TEST(SubcubeDivision, ExistsForEveryCubeOfThePage) {
  for (int n = 1; n <= 8; ++n) {
    const auto found = subcube_division(n);
    ASSERT_TRUE(found) << n;
    ASSERT_EQ(found->size(), static_cast<std::size_t>(n) + 1);
    int nodes = 0;
    for (const int dimensions : *found) nodes += 1 << dimensions;
    EXPECT_EQ(nodes, 1 << n);
    const auto [least, most] = std::minmax_element(found->begin(), found->end());
    EXPECT_LE(*most - *least, 1) << n;
  }
}

// Eight subcubes of 16 nodes: the division is the only one in sizes.
TEST(SubcubeDivision, OfASevenCubeIsIntoEqualParts) {
  EXPECT_EQ(subcube_division(7), std::vector<int>(8, 4));
}

TEST(SubcubeDivision, RefusesWhatItDoesNotSearch) {
  EXPECT_THROW(subcube_division(0), std::invalid_argument);
  EXPECT_THROW(subcube_division(9), std::invalid_argument);
}

}  // namespace
}  // namespace allport::test
