// SPDX-License-Identifier: Apache-2.0
#include "tlm/interface/ring_queue.h"

#include <gtest/gtest.h>

#include <deque>

#include "rtl_model/base/split_mix.h"

namespace allport::test {
namespace {

TEST(RingQueue, GivesItemsBackInOrderHoweverItGrowsAndShrinks) {
  RingQueue<int> queue;
  std::deque<int> expected;
  SplitMix64 generator(1);
  for (int item = 0; item < 10000; ++item) {
    if (generator.next() % 100 < 52 || expected.empty()) {
      queue.push(item);
      expected.push_back(item);
    } else {
      ASSERT_EQ(queue.front(), expected.front());
      queue.pop();
      expected.pop_front();
    }
    ASSERT_EQ(queue.size(), expected.size());
  }
}

struct Counted {
  Counted() { ++made; }
  static int made;
};
int Counted::made = 0;

TEST(RingQueue, AllocatesOnlyBeyondItsLargestSize) {
  RingQueue<Counted> queue;
  for (int i = 0; i < 8; ++i) queue.push({});
  for (int i = 0; i < 8; ++i) queue.pop();
  const int before = Counted::made;

  for (int i = 0; i < 1000; ++i) {
    queue.push({});
    queue.pop();
  }

  EXPECT_EQ(Counted::made - before, 1000);  // the arguments, and nothing else
}

TEST(RingQueue, IsEmptyOnceCleared) {
  RingQueue<int> queue;
  queue.push(1);
  queue.push(2);

  queue.clear();
  EXPECT_TRUE(queue.empty());

  queue.push(3);
  EXPECT_EQ(queue.front(), 3);
  EXPECT_EQ(queue.size(), 1U);
}

}  // namespace
}  // namespace allport::test
