// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/ends_in_use.h"

#include <gtest/gtest.h>

namespace allport::test {
namespace {

struct End {
  static int made;

  explicit End(int its_name) : name(its_name) { ++made; }
  void reset() { ++resets; }

  int name;
  int resets = 0;
};

int End::made = 0;

TEST(EndsInUse, AreMadeOnceEachWhenTheyAreUsed) {
  End::made = 0;
  EndsInUse<End> ends(5);
  EXPECT_EQ(ends.find(3), nullptr);
  End& third = ends.use(3, 30);
  EXPECT_EQ(third.name, 30);
  EXPECT_EQ(ends.find(3), &third);
  EXPECT_EQ(&ends.use(3, 31), &third) << "it is made again";
  EXPECT_EQ(third.name, 30);
  EXPECT_EQ(End::made, 1);
  EXPECT_EQ(ends.find(2), nullptr);
}

TEST(EndsInUse, AreResetWhereTheyHaveBeenUsed) {
  EndsInUse<End> ends(4);
  ends.use(0, 1);
  ends.use(2, 1);
  ends.reset();
  ends.reset();
  EXPECT_EQ(ends.find(0)->resets, 2);
  EXPECT_EQ(ends.find(2)->resets, 2);
  EXPECT_EQ(ends.find(1), nullptr);
}

}  // namespace
}  // namespace allport::test
