// SPDX-License-Identifier: Apache-2.0
#include "traffic/planning/replanning.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace allport {
namespace {

Unicast message(std::size_t u, std::size_t v, StepIndex step, std::vector<BlockId> blocks = {},
                bool adds = false) {
  Unicast unicast;
  unicast.u = node_id(u);
  unicast.v = node_id(v);
  unicast.step = step;
  unicast.blocks = blocks;
  unicast.adds = adds;
  return unicast;
}

Schedule schedule(std::vector<Unicast> unicasts) {
  Schedule plan;
  plan.unicasts = std::move(unicasts);
  number_by_step(plan);
  return plan;
}

// `0>1@1:2,3 ..`: sender, receiver, step and blocks.
std::string in_words(const Schedule& plan) {
  std::string words;
  for (const Unicast& one : plan.unicasts) {
    words += (words.empty() ? "" : " ") + std::to_string(index(one.u)) + (one.adds ? "+>" : ">") +
             std::to_string(index(one.v)) + "@" + std::to_string(one.step);
    const char* separator = ":";
    for (const BlockId block : one.blocks) {
      words += separator + std::to_string(block);
      separator = ",";
    }
  }
  return words;
}

std::string without(const Schedule& plan, const std::vector<std::size_t>& ranks,
                    const std::vector<BlockId>& unwanted = {}) {
  std::vector<bool> is_gone(16);
  for (const std::size_t rank : ranks) is_gone[rank] = true;
  return in_words(without_ranks(plan, is_gone, [&](BlockId block) {
    return std::find(unwanted.begin(), unwanted.end(), block) == unwanted.end();
  }));
}

TEST(Replanning, ABroadcastGoesOnFromTheNearestAncestorThatIsThere) {
  const Schedule tree = schedule({message(0, 4, 1), message(0, 2, 2), message(4, 6, 2),
                                  message(6, 7, 3), message(4, 5, 3), message(2, 3, 3)});
  EXPECT_EQ(without(tree, {}), in_words(tree));
  EXPECT_EQ(without(tree, {7}), "0>4@1 0>2@2 4>6@2 2>3@3 4>5@3");
  EXPECT_EQ(without(tree, {4}), "0>2@2 0>6@2 0>5@3 2>3@3 6>7@3");
  EXPECT_EQ(without(tree, {4, 6}), "0>2@2 0>5@3 0>7@3 2>3@3");
}

TEST(Replanning, SumsGoToTheNearestAncestorThatIsThere) {
  const Schedule tree = schedule({message(7, 6, 1, {0}, true), message(5, 4, 1, {0}, true),
                                  message(6, 4, 2, {0}, true), message(4, 0, 3, {0}, true)});
  EXPECT_EQ(without(tree, {6}), "5+>4@1:0 7+>4@1:0 4+>0@3:0");
  EXPECT_EQ(without(tree, {4}), "5+>0@1:0 7+>6@1:0 6+>0@2:0");
  EXPECT_EQ(without(tree, {4, 6}), "5+>0@1:0 7+>0@1:0");
}

// What a rank that is gone would pass on comes from all from whom it would have had it.
TEST(Replanning, BlocksComeFromWhoeverHasThem) {
  const Schedule gather =
      schedule({message(1, 2, 1, {1}), message(3, 2, 1, {3}), message(2, 0, 2, {1, 2, 3})});
  EXPECT_EQ(without(gather, {2}, {2}), "1>0@2:1 3>0@2:3");
}

TEST(Replanning, BlocksOfRanksThatAreGoneAreNotSent) {
  const Schedule scatter = schedule({message(0, 2, 1, {2, 3}), message(2, 3, 2, {3})});
  EXPECT_EQ(without(scatter, {3}, {3}), "0>2@1:2");
  EXPECT_EQ(without(scatter, {2}, {2}), "0>3@2:3");
}

// Ranks that add the sums of each other have the same sum afterwards: the partner of the step
// before has that of one that is gone. In the first step that one would have had nothing.
TEST(Replanning, PartnersOfTheStepBeforeHaveTheSameSum) {
  std::vector<Unicast> exchanges;
  for (std::size_t bit = 0; bit < 2; ++bit) {
    for (std::size_t rank = 0; rank < 4; ++rank) {
      exchanges.push_back(
          message(rank, rank ^ std::size_t{1} << bit, static_cast<StepIndex>(bit + 1), {0}, true));
    }
  }
  const Schedule doubling = schedule(std::move(exchanges));
  EXPECT_EQ(without(doubling, {3}), "0+>1@1:0 1+>0@1:0 0+>2@2:0 2+>1@2:0 2+>0@2:0");
  EXPECT_EQ(without(doubling, {2, 3}), "0+>1@1:0 1+>0@1:0");
}

}  // namespace
}  // namespace allport
