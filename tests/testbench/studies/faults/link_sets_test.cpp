// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/faults/link_sets.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

namespace allport::test {
namespace {

using testing::ElementsAre;

TEST(LinkSets, AreAllOfThemInOrder) {
  const LinkSets sets = link_sets(4, 2, 6, 1);
  EXPECT_FALSE(sets.are_drawn);
  EXPECT_EQ(sets.all, 6);
  EXPECT_THAT(sets.sets, ElementsAre(LinkSet{0, 1}, LinkSet{0, 2}, LinkSet{0, 3}, LinkSet{1, 2},
                                     LinkSet{1, 3}, LinkSet{2, 3}));
  EXPECT_THAT(link_sets(3, 3, 1, 1).sets, ElementsAre(LinkSet{0, 1, 2}));
  EXPECT_EQ(link_sets(12, 5, 1000, 1).sets.size(), 792);
}

TEST(LinkSets, AreDrawnWhereThereAreMore) {
  const LinkSets sets = link_sets(20, 3, 100, 7);
  EXPECT_TRUE(sets.are_drawn);
  EXPECT_EQ(sets.all, 1140);
  EXPECT_EQ(sets.sets.size(), 100);
  EXPECT_EQ(std::set<LinkSet>(sets.sets.begin(), sets.sets.end()).size(), 100);
  for (const LinkSet& set : sets.sets) {
    EXPECT_EQ(set.size(), 3);
    EXPECT_TRUE(std::is_sorted(set.begin(), set.end()));
    EXPECT_LT(set.back(), 20);
  }
  EXPECT_EQ(sets.sets, link_sets(20, 3, 100, 7).sets);
  EXPECT_NE(sets.sets, link_sets(20, 3, 100, 8).sets);
}

TEST(LinkSets, AreDrawnAlike) {
  // Each link is in 300 of 1000 sets in the mean, with a deviation of about 14.
  const LinkSets sets = link_sets(20, 6, 1000, 3);
  std::map<std::size_t, int> uses;
  for (const LinkSet& set : sets.sets) {
    for (const std::size_t link : set) ++uses[link];
  }
  EXPECT_EQ(uses.size(), 20);
  for (const auto& [link, count] : uses) EXPECT_NEAR(count, 300, 60) << link;
}

TEST(LinkSets, AreCountedWhereThereAreVeryMany) {
  const LinkSets sets = link_sets(24'576, 32, 10, 1);
  EXPECT_TRUE(sets.are_drawn);
  EXPECT_GT(sets.all, 1e100);
  EXPECT_EQ(sets.sets.size(), 10);
}

}  // namespace
}  // namespace allport::test
