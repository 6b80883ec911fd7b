// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/systemc/vc_allocator.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/blueprint.h"

namespace allport::test {
namespace {

constexpr int ejection = 4;  // output of internal port 0

// Torus, V = 4: external ports 0 to 3, internal ones 4 to 7. Heads are input VCs; each is its own
// message.
struct VcAllocatorBench {
  explicit VcAllocatorBench(const char* topology = "torus:4x4", int vcs = 4)
      : blueprint(topology, With().vcs(vcs)),
        allocator(sc_core::sc_gen_unique_name("vc_allocator"), blueprint.config) {}

  void ask(int head, PortMask outputs, VcClass vc_class = VcClass::h_or_l) {
    allocator.request(head, outputs, vc_class, static_cast<MessageId>(head));
  }
  int owner(int output, int vc) const {
    return allocator.owner(blueprint.config.channel_vc(output, vc));
  }
  /// The VC of `output` that `head`, alone, is given; it is released at once.
  int given(int head, int output, VcClass vc_class = VcClass::h_or_l) {
    ask(head, PortMask{1} << output, vc_class);
    allocator.allocate();
    const int vc = allocator.vc(head, output);
    EXPECT_EQ(owner(output, vc), head);
    allocator.release(head, output);
    return vc;
  }
  /// Gives the lower VCs of `output` to the last heads, one each.
  void occupy(int output, int vcs) {
    for (int vc = 0; vc < vcs; ++vc) {
      const int head = blueprint.config.channel_vcs() - 1 - vc;
      ask(head, PortMask{1} << output);
      allocator.allocate();
      ASSERT_EQ(owner(output, vc), head);
    }
  }

  Blueprint blueprint;
  VcAllocator allocator;
};

constexpr PortMask out(int output) { return PortMask{1} << output; }

TEST(VcAllocator, GivesAFreeVirtualChannelToAHead) {
  VcAllocatorBench bench;
  bench.ask(3, out(1));

  EXPECT_TRUE(bench.allocator.allocate());

  EXPECT_EQ(bench.owner(1, 0), 3);
  EXPECT_EQ(bench.allocator.owner_message(bench.blueprint.config.channel_vc(1, 0)), MessageId{3});
  EXPECT_EQ(bench.allocator.owned(3), out(1));
  EXPECT_EQ(bench.allocator.vc(3, 1), 0);
}

TEST(VcAllocator, SaysWhenItHasGivenNothing) {
  VcAllocatorBench bench;
  EXPECT_FALSE(bench.allocator.allocate());

  bench.occupy(1, 2);
  bench.ask(3, out(1));
  EXPECT_FALSE(bench.allocator.allocate());
}

TEST(VcAllocator, StaysAllocatedUntilTheTailLeaves) {
  VcAllocatorBench bench;
  bench.ask(3, out(ejection));
  bench.allocator.allocate();

  bench.ask(5, out(ejection));
  bench.allocator.allocate();
  EXPECT_EQ(bench.owner(ejection, 0), 3);
  EXPECT_EQ(bench.allocator.owned(5), 0U);

  bench.allocator.release(3, ejection);
  EXPECT_EQ(bench.owner(ejection, 0), -1);
  EXPECT_EQ(bench.allocator.owned(3), 0U);

  bench.ask(5, out(ejection));
  bench.allocator.allocate();
  EXPECT_EQ(bench.owner(ejection, 0), 5);
}

TEST(VcAllocator, LetsTheHeadsOfAVirtualChannelTakeTurns) {
  VcAllocatorBench bench("hypercube:3", 1);
  std::vector<int> turns;
  for (int cycle = 0; cycle < 5; ++cycle) {
    for (const int head : {5, 0, 2}) bench.ask(head, out(1));
    bench.allocator.allocate();
    turns.push_back(bench.owner(1, 0));
    bench.allocator.release(turns.back(), 1);
  }

  EXPECT_EQ(turns, (std::vector<int>{0, 2, 5, 0, 2}));
}

TEST(VcAllocator, KeepsAPointerForEachVirtualChannel) {
  VcAllocatorBench bench("hypercube:3", 1);
  bench.ask(2, out(1));
  bench.allocator.allocate();

  bench.ask(0, out(2));
  bench.ask(4, out(2));
  bench.allocator.allocate();

  EXPECT_EQ(bench.owner(2, 0), 0);
}

TEST(VcAllocator, MovesAHeadsVcPointerBehindWhatItWasGiven) {
  VcAllocatorBench bench("hypercube:3", 4);

  EXPECT_EQ(bench.given(7, 1), 0);
  EXPECT_EQ(bench.given(7, 1), 1);
  EXPECT_EQ(bench.given(7, 2), 2);  // one pointer for all outputs
  EXPECT_EQ(bench.given(7, 0), 3);
  EXPECT_EQ(bench.given(7, 0), 0);
  EXPECT_EQ(bench.given(8, 0), 0);  // another head has its own
}

TEST(VcAllocator, LeavesALosersVcPointerWhereItWas) {
  VcAllocatorBench bench("hypercube:3", 4);
  bench.ask(2, out(1));
  bench.ask(6, out(1));
  bench.allocator.allocate();
  ASSERT_EQ(bench.owner(1, 0), 2);

  EXPECT_EQ(bench.given(6, 2), 0);
}

TEST(VcAllocator, LetsALoserAskForAnotherVirtualChannelNext) {
  VcAllocatorBench bench;
  bench.ask(2, out(1));
  bench.ask(6, out(1));
  bench.allocator.allocate();
  EXPECT_EQ(bench.owner(1, 1), -1);

  bench.ask(6, out(1));
  bench.allocator.allocate();
  EXPECT_EQ(bench.owner(1, 1), 6);
}

TEST(VcAllocator, LeavesTheVcPointerAloneForAnEjectionChannel) {
  VcAllocatorBench bench;
  ASSERT_EQ(bench.given(7, 0, VcClass::p), 2);  // the pointer stands at 3

  EXPECT_EQ(bench.given(7, ejection), 0);

  EXPECT_EQ(bench.given(7, 0, VcClass::p), 3);
}

TEST(VcAllocator, GivesTheLowerHalfToHAndLAndTheUpperToP) {
  VcAllocatorBench bench;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.given(7, 0, VcClass::h_or_l), i % 2);
    EXPECT_EQ(bench.given(8, 0, VcClass::p), 2 + i % 2);
  }
}

TEST(VcAllocator, GivesNoClassAVirtualChannelOfTheOther) {
  VcAllocatorBench bench;
  bench.occupy(0, 2);

  bench.ask(3, out(0), VcClass::h_or_l);
  EXPECT_FALSE(bench.allocator.allocate());

  EXPECT_EQ(bench.given(3, 0, VcClass::p), 2);
}

TEST(VcAllocator, GivesEveryVirtualChannelToEverybodyWhereThereAreNoClasses) {
  VcAllocatorBench bench("mesh:4x4", 2);
  bench.occupy(0, 1);

  EXPECT_EQ(bench.given(3, 0, VcClass::h_or_l), 1);
}

// docs/router.md, the example on the VC pointer.
TEST(VcAllocator, ScansCyclicallyFromThePointerForAFreeVirtualChannelOfTheClass) {
  VcAllocatorBench bench;
  ASSERT_EQ(bench.given(7, 1, VcClass::p), 2);  // the pointer stands at 3
  EXPECT_EQ(bench.given(7, 0), 0);

  VcAllocatorBench occupied;
  ASSERT_EQ(occupied.given(7, 1, VcClass::p), 2);
  occupied.occupy(0, 1);
  EXPECT_EQ(occupied.given(7, 0), 1);
  EXPECT_EQ(occupied.given(7, 1, VcClass::p), 2);  // it stood at 2 after VC 1
}

TEST(VcAllocator, NamesTheFirstOfTheClassFromThePointerOnWhenNoneIsFree) {
  VcAllocatorBench bench;
  bench.occupy(0, 2);

  ASSERT_EQ(bench.given(7, 1, VcClass::p), 2);  // the pointer stands at 3
  bench.ask(7, out(0));
  bench.allocator.allocate();
  EXPECT_EQ(bench.allocator.vc(7, 0), 0);

  ASSERT_EQ(bench.given(8, 1), 0);  // the pointer stands at 1
  bench.ask(8, out(0));
  bench.allocator.allocate();
  EXPECT_EQ(bench.allocator.vc(8, 0), 1);
}

TEST(VcAllocator, LetsTheHighestPortSetThePointerOfAReplicatedHead) {
  VcAllocatorBench bench("hypercube:3", 4);
  // At output 2 VC 0 is taken, so the head gets VC 0 at output 0 and VC 1 at output 2.
  bench.occupy(2, 1);

  bench.ask(7, out(0) | out(2));
  bench.allocator.allocate();
  EXPECT_EQ(bench.owner(0, 0), 7);
  EXPECT_EQ(bench.owner(2, 1), 7);
  EXPECT_EQ(bench.allocator.owned(7), out(0) | out(2));

  EXPECT_EQ(bench.given(7, 1), 2);
}

TEST(VcAllocator, FormsAllRequestsOfAHeadWithTheOldPointer) {
  VcAllocatorBench bench("hypercube:3", 4);

  bench.ask(7, out(0) | out(1) | out(2));
  bench.allocator.allocate();

  for (const int output : {0, 1, 2}) EXPECT_EQ(bench.owner(output, 0), 7);
}

TEST(VcAllocator, ReleasesTheBranchesOfAWormOneByOne) {
  VcAllocatorBench bench("hypercube:3", 1);
  bench.ask(5, out(0) | out(2));
  bench.allocator.allocate();

  bench.allocator.release(5, 2);

  EXPECT_EQ(bench.owner(2, 0), -1);
  EXPECT_EQ(bench.owner(0, 0), 5);
  EXPECT_EQ(bench.allocator.owned(5), out(0));
}

TEST(VcAllocator, IsFreeAndWithoutPreferenceAfterReset) {
  VcAllocatorBench bench("hypercube:3", 1);
  bench.ask(0, out(1));
  bench.allocator.allocate();
  bench.ask(5, out(2));

  bench.allocator.reset();

  EXPECT_EQ(bench.owner(1, 0), -1);
  EXPECT_EQ(bench.allocator.owned(0), 0U);
  EXPECT_FALSE(bench.allocator.allocate());  // nor are requests kept
  bench.ask(0, out(1));
  bench.ask(2, out(1));
  bench.allocator.allocate();
  EXPECT_EQ(bench.owner(1, 0), 0);
}

TEST(VcAllocator, AdaptiveAsksForTheHighestUsefulOutputFirst) {
  VcAllocatorBench bench("hypercube:4", 3);
  EXPECT_EQ(bench.allocator.request_one(0, out(3) | out(1) | out(0), MessageId{0}), 3);
  bench.allocator.allocate();

  EXPECT_EQ(bench.owner(3, 0), 0);
  EXPECT_EQ(bench.allocator.owned(0), out(3));
}

TEST(VcAllocator, AdaptiveTakesALowerOutputButNeverItsEscapeChannel) {
  VcAllocatorBench bench("hypercube:4", 2);
  bench.occupy(3, 2);

  EXPECT_EQ(bench.allocator.request_one(0, out(3) | out(1), MessageId{0}), 1);
  bench.allocator.allocate();
  EXPECT_EQ(bench.owner(1, 1), 0);
  EXPECT_EQ(bench.owner(1, 0), -1);

  // At output 1 only the escape channel is free now; at output 0 nothing is owned.
  EXPECT_EQ(bench.allocator.request_one(1, out(3) | out(1) | out(0), MessageId{1}), 0);
  bench.allocator.allocate();
  EXPECT_EQ(bench.owner(0, 1), 1);
}

TEST(VcAllocator, AdaptiveWaitsAtTheHighestUsefulOutputWhenNothingIsFree) {
  VcAllocatorBench bench("hypercube:4", 2);
  bench.occupy(3, 2);
  EXPECT_EQ(bench.allocator.request_one(0, out(3), MessageId{0}), 3);

  EXPECT_FALSE(bench.allocator.allocate());
  EXPECT_EQ(bench.allocator.vc(0, 3), 0);
  EXPECT_EQ(bench.allocator.owned(0), 0U);
}

TEST(VcAllocator, AChannelThatDrainsIsGivenOnceItIsRefilled) {
  VcAllocatorBench bench("hypercube:4", 2);
  bench.occupy(1, 2);
  const int holder = bench.owner(1, 1);
  bench.allocator.drain(holder, 1);
  EXPECT_LT(bench.owner(1, 1), 0);
  EXPECT_EQ(bench.allocator.owned(holder), 0U);

  // A head waits for who owns the escape channel, wherever its pointer is.
  for (int asking = 0; asking < 2; ++asking) {
    EXPECT_EQ(bench.allocator.request_one(2, out(1), MessageId{2}), 1);
    EXPECT_FALSE(bench.allocator.allocate());
    EXPECT_EQ(bench.allocator.vc(2, 1), 0);
  }

  EXPECT_FALSE(bench.allocator.refill(1, 0)) << "it has an owner";
  EXPECT_TRUE(bench.allocator.refill(1, 1));
  EXPECT_FALSE(bench.allocator.refill(1, 1)) << "it lacks nothing any more";
  bench.allocator.request_one(2, out(1), MessageId{2});
  EXPECT_TRUE(bench.allocator.allocate());
  EXPECT_EQ(bench.owner(1, 1), 2);
}

}  // namespace
}  // namespace allport::test
