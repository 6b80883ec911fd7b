// SPDX-License-Identifier: Apache-2.0
// These tests check the contract of one router, cycle by cycle (docs/router.md, sections 3 to 6).
#include "rtl_model/systemc/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/systemc/router_bench.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

constexpr MessageKind unicast = MessageKind::unicast;

// ---- Cycles and credits ----

TEST(Router, SendsAFlitInTheCycleAfterItArrives) {
  RouterBench bench("hypercube:3", 0);
  bench.put(5, bench.internal(2), Worm{'A', 4});

  bench.run(4);
  EXPECT_EQ(bench.sent(2), "");

  bench.run(9);
  EXPECT_EQ(bench.sent(2), "A0@6");
  EXPECT_EQ(bench.credits(bench.internal(2)), "0@6");
}

TEST(Router, PassesAFlitPerCycle) {
  RouterBench bench("hypercube:3", 3, With().depth(8));
  bench.put(0, 2, Worm{'A', 1, 4});

  bench.run(9);

  EXPECT_EQ(bench.sent(1), "A0@1 A1@2 A2@3 A3@4");
  EXPECT_EQ(bench.credits(2), "0@1 0@2 0@3 0@4");
}

TEST(Router, EjectsWhatIsForItsNodeOnTheInternalPortOfTheInput) {
  for (const int ports : {1, 2, 3}) {
    RouterBench bench("hypercube:3", 5, With().ports(ports));
    bench.put(0, 2, Worm{'A', 5});

    bench.run(3);

    EXPECT_EQ(bench.sent(bench.internal(2 % ports)), "A0@1");
  }
}

TEST(Router, SendsAHeadBehindATailWithoutAGap) {
  RouterBench bench("hypercube:3", 0, With().depth(8));
  bench.put(0, bench.internal(2), Worm{'A', 4, 2});
  bench.put(2, bench.internal(2), Worm{'B', 5, 1});
  bench.put(3, bench.internal(2), Worm{'C', 6, 2});

  bench.run(9);

  EXPECT_EQ(bench.sent(2), "A0@1 A1@2 B0@3 C0@4 C1@5");
}

TEST(Router, SendsNothingWithoutACreditAndSpendsOneInTheCycleItSeesIt) {
  RouterBench bench("hypercube:1", 0, With().depth(1));
  const Worm worm{'A', 1, 2};
  bench.put(0, bench.internal(0), worm[0]);
  bench.put(2, bench.internal(0), worm[1]);
  bench.credit(7, 0);

  bench.run(6);
  EXPECT_EQ(bench.sent(0), "A0@1");

  bench.run(7);
  EXPECT_EQ(bench.sent(0), "A0@1 A1@8");
  EXPECT_EQ(bench.credits(bench.internal(0)), "0@1 0@8");
}

TEST(Router, HasAsManyFlitsUnderWayAsTheBufferBeyondIsDeep) {
  for (const int depth : {1, 2, 4}) {
    RouterBench bench("hypercube:1", 0, With().depth(depth));
    for (int i = 0; i < depth + 1; ++i) bench.put(i, bench.internal(0), Worm{'A', 1, 9}[i]);

    bench.run(20);

    EXPECT_EQ(bench.router.switch_allocator.credits(0), 0);
    EXPECT_THAT(bench.sent(0), HasSubstr("A" + std::to_string(depth - 1)));
    EXPECT_EQ(bench.router.input_buffer.count(1), 1);
  }
}

// ---- Allocation ----

TEST(Router, LetsTwoHeadsMeetAsInTheContractsExample) {
  RouterBench bench("hypercube:3", 3);
  bench.put(1, 2, Worm{'A', 1, 3});
  bench.put(1, bench.internal(1), Worm{'B', 1, 3});
  bench.credit(3, 1);
  bench.credit(4, 1);
  bench.credit(5, 1);

  bench.run(12);

  EXPECT_EQ(bench.sent(1), "A0@2 A1@3 A2@4 B0@5 B1@6 B2@7");
}

TEST(Router, ServesHeadsInTheOrderOfTheirInputs) {
  RouterBench bench("hypercube:3", 0, With().ports(1).depth(8));
  for (const int input : {2, 0, 1}) {  // all for the one ejection channel, two on each input
    bench.put(0, input, Worm{static_cast<char>('A' + input), 0});
    bench.put(1, input, Worm{static_cast<char>('D' + input), 0});
  }

  bench.run(9);

  EXPECT_EQ(bench.sent(bench.internal(0)), "A0@1 B0@2 C0@3 D0@4 E0@5 F0@6");
}

TEST(Router, StartsBehindTheLastWinnerWhenHeadsMeetAgain) {
  RouterBench bench("hypercube:3", 0, With().ports(1).depth(8));
  bench.put(0, 1, Worm{'A', 0});  // wins alone: the pointer stands behind input 1
  bench.put(4, 0, Worm{'B', 0});
  bench.put(4, 2, Worm{'C', 0});

  bench.run(9);

  EXPECT_EQ(bench.sent(bench.internal(0)), "A0@1 C0@5 B0@6");
}

TEST(Router, KeepsAnOutputForTheHeadItWasGivenToEvenWithoutACredit) {
  RouterBench bench("hypercube:2", 0, With().depth(1));
  bench.put(0, bench.internal(0), Worm{'A', 1});  // takes the only credit
  bench.put(1, 1, Worm{'B', 1});                  // is given output 0 and has no credit
  bench.put(2, bench.internal(0), Worm{'C', 1});  // comes too late
  bench.credit(9, 0);
  bench.credit(20, 0);

  bench.run(8);
  EXPECT_EQ(bench.router.vc_allocator.owner_message(0), MessageId{1});

  bench.run(25);
  EXPECT_EQ(bench.sent(0), "A0@1 B0@10 C0@21");
}

TEST(Router, GivesAnOutputToAnotherHeadInTheCycleAfterTheTailLeft) {
  RouterBench bench("hypercube:2", 0, With().depth(8));
  bench.put(0, 1, Worm{'A', 1, 3});
  bench.put(0, bench.internal(0), Worm{'B', 1, 1});

  bench.run(2);  // the tail crosses in cycle 2
  EXPECT_EQ(bench.router.vc_allocator.owner(0), -1);
  EXPECT_EQ(bench.sent(0), "A0@1 A1@2 A2@3");

  bench.run(3);
  EXPECT_EQ(bench.sent(0), "A0@1 A1@2 A2@3 B0@4");
}

TEST(Router, LetsMessagesOfAnInputThroughInOrderOnly) {
  RouterBench bench("hypercube:3", 0);
  bench.put(0, 0, Worm{'A', 4, 9}[0]);            // owns output 2, its body does not come
  bench.put(1, bench.internal(2), Worm{'B', 4});  // waits behind A
  bench.put(2, bench.internal(2), Worm{'C', 2});  // could go, but stands behind B

  bench.run(9);

  EXPECT_EQ(bench.sent(2), "A0@1");
  EXPECT_EQ(bench.sent(1), "");
}

// ---- Virtual channels ----

TEST(Router, AlternatesBetweenVirtualChannelsThatShareAnOutput) {
  RouterBench bench("hypercube:2", 0, With().vcs(2).depth(8));
  bench.put(0, 1, Worm{'A', 1, 3});
  bench.put(0, bench.internal(0), Worm{'B', 1, 3});

  bench.run(9);

  // Both heads request VC 0 in cycle 0; B gets VC 1 in cycle 1. From then on the inputs take turns:
  // A (input 1) won last, so B (input 2) is first.
  EXPECT_EQ(bench.sent(0), "A0/0@1 B0/1@2 A1/0@3 B1/1@4 A2/0@5 B2/1@6");
}

TEST(Router, PassesOneFlitPerInputHoweverManyVirtualChannelsHaveOne) {
  RouterBench bench("hypercube:2", 3, With().vcs(2).depth(8));
  bench.put(0, 1, Worm{'A', 3, 3, unicast, 1}[0]);  // VC 1 of input 1, ejected on port 1
  bench.put(1, 1, Worm{'B', 2, 3, unicast, 0}[0]);  // VC 0 of input 1, to output 0
  bench.put(2, 1, Worm{'A', 3, 3, unicast, 1}[1]);
  bench.put(3, 1, Worm{'A', 3, 3, unicast, 1}[2]);

  bench.run(9);

  EXPECT_EQ(bench.sent(bench.internal(1)), "A0/0@1 A1/0@3 A2/0@4");
  EXPECT_EQ(bench.sent(0), "B0/0@2");
  EXPECT_EQ(bench.credits(1), "1@1 0@2 1@3 1@4");
}

TEST(Router, TakesTheVirtualChannelsOfAnInputInTurn) {
  RouterBench bench("hypercube:2", 3, With().vcs(2).depth(2));
  bench.put(0, 1, Worm{'A', 2, 4, unicast, 0});  // both run out of credits and wait
  bench.put(4, 1, Worm{'B', 2, 4, unicast, 1});
  for (const Cycle cycle : {10, 11}) {
    bench.credit(cycle, 0, 0);
    bench.credit(cycle, 0, 1);
  }

  bench.run(20);

  EXPECT_EQ(bench.sent(0), "A0/0@1 A1/0@2 B0/1@5 B1/1@6 A2/0@11 B2/1@12 A3/0@13 B3/1@14");
}

TEST(Router, LeavesAVirtualChannelAloneThatHasNoCredit) {
  RouterBench bench("hypercube:2", 0, With().vcs(2).depth(1));
  const Worm a{'A', 1, 3};
  const Worm b{'B', 1, 3};
  bench.put(0, 1, a[0]);
  bench.put(2, 1, a[1]);
  bench.put(2, bench.internal(0), b[0]);
  bench.credit(3, 0, 0);

  bench.run(9);

  EXPECT_EQ(bench.sent(0), "A0/0@1 B0/1@3 A1/0@4");
}

TEST(Router, SendsOnVc1UntilTheWraparoundIsPassedAndOnVc0Afterwards) {
  const auto sent_from = [](std::size_t node, std::size_t address, int output) {
    RouterBench bench("ring:8", node);
    bench.put(0, bench.internal(output), Worm{'A', address});
    bench.run(3);
    return bench.sent(output);
  };

  EXPECT_EQ(sent_from(6, 1, 0), "A0/1@1");
  EXPECT_EQ(sent_from(7, 1, 0), "A0/1@1");
  EXPECT_EQ(sent_from(0, 1, 0), "A0/0@1");
  EXPECT_EQ(sent_from(1, 6, 1), "A0/1@1");
  EXPECT_EQ(sent_from(0, 6, 1), "A0/1@1");
  EXPECT_EQ(sent_from(7, 6, 1), "A0/0@1");
}

TEST(Router, GivesTheLowerHalfOfFourVcsToHOrLAndTheUpperToP) {
  const auto vcs_of_three = [](std::size_t address) {
    RouterBench bench("torus:8x8", 6, With().vcs(4).depth(8));
    for (int i = 0; i < 3; ++i) {
      bench.put(i, bench.internal(0), Worm{static_cast<char>('A' + i), address});
    }
    bench.run(6);
    return bench.sent(0);
  };

  EXPECT_EQ(vcs_of_three(7), "A0/0@1 B0/1@2 C0/0@3");
  EXPECT_EQ(vcs_of_three(1), "A0/2@1 B0/3@2 C0/2@3");
}

TEST(Router, ScansFromItsVcPointerAsInTheContractsExample) {
  RouterBench bench("ring:8", 0, With().vcs(4).depth(8));
  const int input = bench.internal(0);
  bench.put(0, 1, Worm{'X', 2, 9, unicast, 0}[0]);  // owns VC 0 of output 0
  bench.put(1, 1, Worm{'Y', 2, 9, unicast, 1}[0]);  // owns VC 1
  bench.put(2, input, Worm{'A', 1});                // finds both owned
  bench.put(9, 1, Worm{'Y', 2, 2, unicast, 1}[1]);  // Y's tail: VC 1 is free from cycle 10 on

  bench.run(5);
  const int input_vc = bench.blueprint.config.channel_vc(input, 0);
  EXPECT_EQ(bench.router.vc_allocator.vc(input_vc, 0), 0);  // held up, for observers, by VC 0

  bench.run(15);
  EXPECT_EQ(bench.sent(0), "X0/0@1 Y0/1@2 Y1/1@10 A0/1@11");
}

}  // namespace
}  // namespace allport::test
