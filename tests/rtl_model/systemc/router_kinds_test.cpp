// SPDX-License-Identifier: Apache-2.0
// These tests check what one router does with deposit and tree worms, cycle by cycle
// (docs/router.md, sections 7, 8).
#include "rtl_model/systemc/router.h"

#include <gtest/gtest.h>

#include "tests/rtl_model/systemc/router_bench.h"

namespace allport::test {
namespace {

constexpr MessageKind deposit = MessageKind::deposit;
constexpr MessageKind tree = MessageKind::tree;

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

}  // namespace
}  // namespace allport::test
