// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/state_arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace allport {
namespace {

TEST(StateArena, LaysRegistersThatAreAskedForInARowInARow) {
  StateArena arena;
  Registers<std::uint64_t> first(arena, 3);
  Registers<std::uint16_t> second(arena, 5);

  EXPECT_EQ(static_cast<void*>(&first[0] + 3), static_cast<void*>(&second[0]));
}

TEST(StateArena, LaysTheRegistersOfTheNextRouterBehindThoseOfTheOneBefore) {
  StateArena arena;
  Registers<std::uint32_t> first(arena, 4);
  arena.next_router();
  Registers<std::uint32_t> second(arena, 4);

  EXPECT_EQ(&first[0] + 4, &second[0]);
}

TEST(StateArena, BeginsEveryArrayOnAMultipleOfItsAlignment) {
  StateArena arena;
  for (int i = 0; i < 2000; ++i) {
    Registers<std::uint8_t> odd(arena, 1 + i % 7);
    Registers<std::uint64_t> aligned(arena, 1);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&aligned[0]) % alignof(std::uint64_t), 0U);
  }
}

TEST(StateArena, KeepsArraysApartHoweverLargeTheyAre) {
  StateArena arena;
  constexpr int many = 100000;
  Registers<int> small(arena, 3, 1);
  Registers<int> large(arena, many, 2);
  Registers<int> last(arena, 3, 3);

  large.fill(many, 4);

  EXPECT_EQ(small[2], 1);
  EXPECT_EQ(large[0], 4);
  EXPECT_EQ(large[many - 1], 4);
  EXPECT_EQ(last[0], 3);
}

TEST(StateArena, LendsAllRoutersTheSamePlaceForCombinationalValues) {
  StateArena arena;
  Combinational<int> chosen(arena, 4);
  Combinational<int> requests(arena, 4);
  arena.next_router();
  Combinational<int> chosen_of_next(arena, 4);
  Combinational<int> requests_of_next(arena, 4);

  EXPECT_EQ(&chosen[0], &chosen_of_next[0]);
  EXPECT_EQ(&requests[0], &requests_of_next[0]);
  EXPECT_NE(&chosen[0], &requests[0]);
}

TEST(StateArena, LendsARouterOfAnotherSizeAPlaceOfItsOwn) {
  StateArena arena;
  Combinational<int> chosen(arena, 4, 1);
  arena.next_router();
  Combinational<int> larger(arena, 8, 2);

  EXPECT_EQ(chosen[3], 1);
  EXPECT_EQ(larger[7], 2);
}

TEST(BoundedList, HoldsWhatWasPushedUntilItIsCleared) {
  StateArena arena;
  BoundedList<int> list(arena, 3);
  EXPECT_TRUE(list.empty());

  list.push_back(7);
  list.push_back(8);
  EXPECT_EQ(std::vector<int>(list.begin(), list.end()), (std::vector<int>{7, 8}));
  EXPECT_EQ(list.back(), 8);

  list.clear();
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
}

}  // namespace
}  // namespace allport
