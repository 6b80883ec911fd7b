// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/round_robin_arbiter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace allport {
namespace {

using testing::ElementsAre;

constexpr int size = 6;

RoundRobinArbiter pointing_at(int requester) {
  RoundRobinArbiter arbiter;
  if (requester > 0) arbiter.won(requester - 1, size);
  return arbiter;
}

TEST(RoundRobinArbiter, GivesPriorityToRequesterZeroAfterReset) {
  RoundRobinArbiter arbiter = pointing_at(3);

  arbiter.reset();

  EXPECT_EQ(arbiter.choose(0b111111), 0);
}

TEST(RoundRobinArbiter, ChoosesTheRequesterAtOrNextAfterThePointer) {
  for (int pointer = 0; pointer < size; ++pointer) {
    for (unsigned requesters = 1; requesters < 1U << size; ++requesters) {
      int expected = pointer;
      while ((requesters >> expected & 1U) == 0) expected = (expected + 1) % size;

      EXPECT_EQ(pointing_at(pointer).choose(requesters), expected)
          << "pointer " << pointer << " requesters " << requesters;
    }
  }
}

TEST(RoundRobinArbiter, PutsTheChosenOneAtTheSmallestDistance) {
  for (int pointer = 0; pointer < size; ++pointer) {
    const RoundRobinArbiter arbiter = pointing_at(pointer);
    for (int requester = 0; requester < size; ++requester) {
      EXPECT_EQ(arbiter.distance(requester, size), (requester - pointer + size) % size);
    }
  }
}

TEST(RoundRobinArbiter, KeepsItsPointerUntilAChoiceIsWon) {
  RoundRobinArbiter arbiter;

  EXPECT_EQ(arbiter.choose(0b11), 0);
  EXPECT_EQ(arbiter.choose(0b11), 0);

  arbiter.won(0, 2);
  EXPECT_EQ(arbiter.choose(0b11), 1);
}

TEST(RoundRobinArbiter, ServesSteadyRequestersInTurn) {
  RoundRobinArbiter arbiter;
  std::vector<int> served;
  for (int i = 0; i < 7; ++i) {
    served.push_back(arbiter.choose(0b101101));
    arbiter.won(served.back(), size);
  }

  EXPECT_THAT(served, ElementsAre(0, 2, 3, 5, 0, 2, 3));
}

}  // namespace
}  // namespace allport
