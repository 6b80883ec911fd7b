// SPDX-License-Identifier: Apache-2.0
// The vectors of objects of which there are millions are tested against std::vector.
#include <gtest/gtest.h>

#include <random>

#include "rtl_model/base/one_or_more.h"
#include "rtl_model/base/rare_vector.h"

namespace allport {
namespace {

template <class T>
class SmallVector : public testing::Test {};

using Both = testing::Types<RareVector<int>, OneOrMore<int>>;
TYPED_TEST_SUITE(SmallVector, Both);

template <class Vector>
void expect_alike(const Vector& small, const std::vector<int>& plain) {
  ASSERT_EQ(small.size(), plain.size());
  EXPECT_EQ(small.empty(), plain.empty());
  EXPECT_EQ(std::vector<int>(small.begin(), small.end()), plain);
  EXPECT_EQ(small.values(), plain);
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(small[i], plain[i]);
  if (plain.empty()) return;
  EXPECT_EQ(small.front(), plain.front());
}

TYPED_TEST(SmallVector, HoldsWhatAVectorHolds) {
  std::mt19937 draw(3);
  TypeParam small;
  std::vector<int> plain;
  expect_alike(small, plain);
  for (int i = 0; i < 2000; ++i) {
    switch (draw() % 8) {
      case 0:
        small.clear();
        plain.clear();
        break;
      case 1:
        plain.assign(draw() % 4, i);
        small = plain;
        break;
      default:
        small.push_back(i);
        plain.push_back(i);
    }
    expect_alike(small, plain);
  }
}

TYPED_TEST(SmallVector, ACopyIsItsOwn) {
  for (const std::vector<int>& plain : {std::vector<int>{}, {7}, {7, 8}, {7, 8, 9}}) {
    TypeParam first(plain);
    TypeParam copy(first);
    EXPECT_EQ(copy, first);
    copy.push_back(1);
    EXPECT_NE(copy, first);
    expect_alike(first, plain);
    copy = first;
    expect_alike(copy, plain);
    const TypeParam& same = first;
    first = same;
    expect_alike(first, plain);
    const TypeParam moved = std::move(first);
    expect_alike(moved, plain);
    first = TypeParam{};
    expect_alike(first, {});
  }
}

TEST(OneOrMore, CopiesShareTheirElementsUntilOneChanges) {
  OneOrMore<int> first(std::vector<int>{7, 8});
  EXPECT_FALSE(first.is_shared());
  OneOrMore<int> copy = first;
  EXPECT_TRUE(first.is_shared());
  EXPECT_EQ(copy.begin(), first.begin());
  copy.push_back(9);
  EXPECT_FALSE(first.is_shared());
  EXPECT_EQ(first.values(), (std::vector<int>{7, 8}));
  EXPECT_EQ(copy.values(), (std::vector<int>{7, 8, 9}));
  EXPECT_FALSE(OneOrMore<int>(std::vector<int>{7}).is_shared());
}

}  // namespace
}  // namespace allport
