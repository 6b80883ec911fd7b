// SPDX-License-Identifier: Apache-2.0
// The contract of one router, cycle by cycle (docs/router.md, sections 3 to 8).
#include "rtl_model/systemc/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rtl_model/systemc/router_bench.h"
#include "tests/support/fatal.h"

namespace allport::test {
namespace {

using testing::HasSubstr;

constexpr MessageKind unicast = MessageKind::unicast;
constexpr MessageKind deposit = MessageKind::deposit;
constexpr MessageKind tree = MessageKind::tree;

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

// ---- Message kinds ----

TEST(Router, LeavesACopyOfADepositWormInTheCycleItMovesOn) {
  RouterBench bench("hypercube:3", 4);
  bench.put(0, 2, Worm{'A', 7, 3, deposit});

  bench.run(9);

  EXPECT_EQ(bench.sent(1), "A0@1 A1@2 A2@3");
  EXPECT_EQ(bench.sent(bench.internal(2)), "A0@1 A1@2 A2@3");
  EXPECT_EQ(bench.credits(2), "0@1 0@2 0@3");
}

TEST(Router, MakesADepositWormWaitForABusyEjectionChannel) {
  RouterBench bench("hypercube:3", 4, With().ports(1).depth(8));
  bench.put(0, 1, Worm{'X', 4, 3});
  bench.put(1, 2, Worm{'A', 7, 2, deposit});

  bench.run(9);

  // The copy that moves on does not wait; the flit behind it does.
  EXPECT_EQ(bench.sent(bench.internal(0)), "X0@1 X1@2 X2@3 A0@4 A1@5");
  EXPECT_EQ(bench.sent(1), "A0@2 A1@5");
  EXPECT_EQ(bench.credits(2), "0@4 0@5");
}

TEST(Router, GivesNoCopyToTheSourceOfATreeAndOneToEveryOtherNode) {
  RouterBench root("hypercube:2", 0);
  root.put(0, root.internal(0), Worm{'T', 0, 1, tree});
  root.run(3);
  EXPECT_EQ(root.sent(0), "T0@1");
  EXPECT_EQ(root.sent(1), "T0@1");
  EXPECT_EQ(root.sent(root.internal(0)) + root.sent(root.internal(1)), "");

  RouterBench inner("hypercube:2", 2);
  inner.put(0, 1, Worm{'T', 0, 1, tree});
  inner.run(3);
  EXPECT_EQ(inner.sent(0), "T0@1");
  EXPECT_EQ(inner.sent(inner.internal(1)), "T0@1");

  RouterBench leaf("hypercube:2", 3);
  leaf.put(0, 0, Worm{'T', 0, 1, tree});
  leaf.run(3);
  EXPECT_EQ(leaf.sent(leaf.internal(0)), "T0@1");
  EXPECT_EQ(leaf.sent(0) + leaf.sent(1), "");
}

TEST(Router, ReplicatesPastABlockedBranchAsInTheContractsExample) {
  RouterBench bench("hypercube:2", 0, With().depth(8));
  bench.put(1, 1, Worm{'U', 1, 4});
  bench.put(2, bench.internal(0), Worm{'T', 0, 3, tree});

  bench.run(12);

  EXPECT_EQ(bench.sent(0), "U0@2 U1@3 U2@4 U3@5 T0@6 T1@7 T2@8");
  EXPECT_EQ(bench.sent(1), "T0@3 T1@7 T2@8");
  EXPECT_EQ(bench.credits(bench.internal(0)), "0@6 0@7 0@8");
}

TEST(Router, GivesABranchToNobodyTwiceWhileTheOthersWait) {
  RouterBench bench("hypercube:2", 0, With().depth(2));
  const Worm worm{'T', 0, 3, tree};
  bench.put(0, bench.internal(0), worm);  // output 0 never gets a credit back
  bench.credit(3, 1);
  bench.credit(4, 1);

  bench.run(20);

  EXPECT_EQ(bench.sent(0), "T0@1 T1@2");
  EXPECT_EQ(bench.sent(1), "T0@1 T1@2 T2@4");
  EXPECT_EQ(bench.credits(bench.internal(0)), "0@1 0@2");
}

TEST(Router, FreesTheChannelOfABranchWhenTheTailHasLeftByIt) {
  RouterBench bench("hypercube:2", 0, With().depth(1));
  const Worm worm{'T', 0, 2, tree};
  bench.put(0, bench.internal(0), worm[0]);
  bench.put(2, bench.internal(0), worm[1]);  // the tail
  bench.put(3, 0, Worm{'U', 2});             // wants output 1
  bench.credit(5, 1);                        // for the tail
  bench.credit(6, 1);                        // for U
  bench.credit(30, 0);                       // the other branch's

  bench.run(29);
  EXPECT_EQ(bench.sent(1), "T0@1 T1@6 U0@7");
  EXPECT_EQ(bench.sent(0), "T0@1");
  EXPECT_EQ(bench.credits(bench.internal(0)), "0@1");

  bench.run(31);
  EXPECT_EQ(bench.sent(0), "T0@1 T1@31");
  EXPECT_EQ(bench.credits(bench.internal(0)), "0@1 0@31");
}

TEST(Router, DelaysTheFlitsOfATreeInAPipeline) {
  for (const int delay : {1, 2, 5}) {
    RouterBench bench("hypercube:2", 2, With().depth(8).replication_delay(delay));
    bench.put(0, 1, Worm{'T', 0, 3, tree});

    bench.run(12);

    std::string expected;
    std::string credits;
    for (int i = 0; i < 3; ++i) {
      note(expected, "T" + std::to_string(i), i + delay + 1);
      note(credits, "0", i + delay + 1);
    }
    EXPECT_EQ(bench.sent(0), expected);
    EXPECT_EQ(bench.sent(bench.internal(1)), expected);  // the local copy is delayed with the rest
    EXPECT_EQ(bench.credits(1), credits);
  }
}

TEST(Router, DelaysEveryFlitOfATreeThatHasOneBranch) {
  RouterBench bench("hypercube:1", 0, With().replication_delay(3));
  const Worm worm{'T', 0, 2, tree};
  bench.put(0, bench.internal(0), worm[0]);
  bench.put(10, bench.internal(0), worm[1]);

  bench.run(20);

  EXPECT_EQ(bench.sent(0), "T0@4 T1@14");
}

TEST(Router, DelaysNeitherLeavesNorOtherKinds) {
  RouterBench leaf("hypercube:2", 3, With().replication_delay(5));
  leaf.put(0, 0, Worm{'T', 0, 1, tree});
  leaf.run(3);
  EXPECT_EQ(leaf.sent(leaf.internal(0)), "T0@1");

  RouterBench deposits("hypercube:2", 2, With().replication_delay(5));
  deposits.put(0, 1, Worm{'A', 3, 1, deposit});
  deposits.run(3);
  EXPECT_EQ(deposits.sent(0), "A0@1");
}

TEST(Router, LetsADelayedHeadAskForNothing) {
  RouterBench bench("hypercube:2", 0, With().depth(8).replication_delay(3));
  bench.put(0, bench.internal(0), Worm{'T', 0, 1, tree});  // may ask in cycle 3
  bench.put(2, 1, Worm{'U', 1, 2});                        // takes output 0 in cycle 2

  bench.run(12);

  EXPECT_EQ(bench.sent(0), "U0@3 U1@4 T0@5");
  EXPECT_EQ(bench.sent(1), "T0@4");
}

TEST(Router, MirrorsATreeWhenAscending) {
  RouterBench bench("hypercube:3", 2, {}, RoutingOrder::ascending);
  bench.put(0, 1, Worm{'T', 0, 1, tree});

  bench.run(3);

  EXPECT_EQ(bench.sent(2), "T0@1");  // above the highest set bit of 010
  EXPECT_EQ(bench.sent(0), "");
  EXPECT_EQ(bench.sent(bench.internal(1)), "T0@1");
}

// ---- Sleep ----

TEST(Router, SleepsWhenNothingIsLeft) {
  RouterBench bench("hypercube:1", 0);
  bench.put(0, bench.internal(0), Worm{'A', 1});

  bench.run(0);

  EXPECT_FALSE(bench.wants_next_cycle());
  EXPECT_TRUE(bench.router.has_moved());
  EXPECT_TRUE(bench.router.is_idle());
}

TEST(Router, StaysAwakeWhileItsFlitsMove) {
  RouterBench bench("hypercube:2", 0, With().ports(1));
  bench.put(0, 0, Worm{'A', 0});
  bench.put(0, 1, Worm{'B', 0});  // waits for A's tail

  bench.run(0);
  EXPECT_TRUE(bench.wants_next_cycle());

  bench.run(1);
  EXPECT_EQ(bench.sent(bench.internal(0)), "A0@1 B0@2");
  EXPECT_FALSE(bench.wants_next_cycle());
}

TEST(Router, SleepsWhileACreditIsMissingAndIsWokenByIt) {
  RouterBench bench("hypercube:1", 0, With().depth(1));
  const Worm worm{'A', 1, 2};
  bench.put(0, bench.internal(0), worm[0]);
  bench.put(1, bench.internal(0), worm[1]);
  bench.credit(8, 0);

  bench.run(7);
  EXPECT_FALSE(bench.wants_next_cycle());
  EXPECT_FALSE(bench.router.has_moved());

  bench.run(8);
  EXPECT_TRUE(bench.woke());
  EXPECT_EQ(bench.sent(0), "A0@1 A1@9");
}

TEST(Router, SleepsOnThroughACreditThatNobodyWaitsFor) {
  RouterBench bench("hypercube:1", 0);
  bench.put(0, bench.internal(0), Worm{'A', 1});
  bench.credit(3, 0);

  bench.run(3);

  EXPECT_FALSE(bench.woke());
}

TEST(Router, StaysAwakeWhileAFlitIsDelayed) {
  RouterBench bench("hypercube:2", 0, With().replication_delay(3));
  bench.put(0, bench.internal(0), Worm{'T', 0, 1, tree});
  for (Cycle cycle = 0; cycle < 3; ++cycle) {
    bench.run(cycle);
    EXPECT_TRUE(bench.wants_next_cycle()) << "cycle " << cycle;
  }

  bench.run(3);
  EXPECT_FALSE(bench.wants_next_cycle());
}

TEST(Router, StaysAwakeInACycleThatOnlyGivesAVirtualChannel) {
  RouterBench bench("hypercube:2", 0, With().depth(1));
  bench.put(0, bench.internal(0), Worm{'A', 1});
  bench.put(4, bench.internal(0), Worm{'B', 1});  // gets output 0 in cycle 4, has no credit

  bench.run(4);
  EXPECT_TRUE(bench.wants_next_cycle());

  bench.run(5);
  EXPECT_FALSE(bench.wants_next_cycle());
}

// ---- What observers see ----

TEST(Router, StandsInTheHierarchyWithItsUnits) {
  RouterBench bench("hypercube:2", 0);

  for (const std::string unit :
       {"input_buffer", "route_computation", "vc_allocator", "switch_allocator", "crossbar",
        "replication_unit", "reception_unit"}) {
    const std::string name = std::string(bench.router.name()) + "." + unit;
    EXPECT_NE(sc_core::sc_find_object(name.c_str()), nullptr) << name;
  }
}

TEST(Router, TellsWhichBranchesAFlitStillWaitsFor) {
  RouterBench bench("hypercube:2", 0, With().depth(8));
  bench.put(1, 1, Worm{'U', 1, 4});
  bench.put(2, bench.internal(0), Worm{'T', 0, 3, tree});

  std::string seen;
  for (Cycle cycle = 0; cycle <= 12; ++cycle) {
    bench.run(cycle);
    for (const Router::Stalled& stalled : bench.router.stalled()) {
      note(seen, std::to_string(stalled.input) + ":" + std::to_string(stalled.branches), cycle);
    }
  }

  EXPECT_EQ(seen, "2:1@2 2:1@3 2:1@4");
}

TEST(Router, IsNotIdleBetweenTheFlitsOfAWorm) {
  RouterBench bench("hypercube:1", 0);
  const Worm worm{'A', 1, 2};
  bench.put(0, bench.internal(0), worm[0]);
  bench.put(5, bench.internal(0), worm[1]);

  bench.run(3);  // no flit is here, but the channel is held
  EXPECT_FALSE(bench.router.is_idle());

  bench.run(5);
  EXPECT_TRUE(bench.router.is_idle());
}

TEST(Router, StartsAgainFromScratchAfterReset) {
  RouterBench bench("hypercube:2", 0, With().depth(2));
  bench.put(0, 1, Worm{'A', 1, 9}[0]);
  bench.put(1, bench.internal(0), Worm{'T', 0, 2, tree});
  bench.run(4);

  bench.router.reset();
  EXPECT_TRUE(bench.router.is_idle());

  bench.put(5, bench.internal(0), Worm{'B', 1, 2});
  bench.run(9);
  EXPECT_EQ(bench.sent(0), "A0@1 B0@6 B1@7");
}

// ---- Broken neighbours ----

TEST(Router, ReportsAFlitThatCameWithoutACreditAsFatal) {
  RouterBench bench("hypercube:2", 0, With().depth(2));
  bench.put(0, 1, Worm{'X', 1, 9}[0]);               // owns output 0
  bench.put(1, bench.internal(0), Worm{'A', 1, 5});  // the third flit finds a full buffer

  EXPECT_EQ(fatal_report_of([&] { bench.run(2); }), "");
  EXPECT_THAT(fatal_report_of([&] { bench.run(3); }),
              HasSubstr("input_buffer: input 2 vc 0: a flit came without a credit in cycle 3"));
}

TEST(Router, ReportsACreditTooManyAsFatal) {
  RouterBench bench("hypercube:2", 0);
  bench.credit(0, 1);

  EXPECT_THAT(fatal_report_of([&] { bench.run(0); }),
              HasSubstr("switch_allocator: output VC 1 has one credit too many"));
}

}  // namespace
}  // namespace allport::test
