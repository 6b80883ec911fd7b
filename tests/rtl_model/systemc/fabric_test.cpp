// SPDX-License-Identifier: Apache-2.0
// Routers and channels together follow the tables of docs/router.md, cycle by cycle.
#include "rtl_model/systemc/fabric.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/rtl_model/systemc/fabric_bench.h"

namespace allport::test {
namespace {

/// Records the cycles in which credits come back to an output of one virtual channel.
class CreditWatch final : public CycleObserver {
 public:
  CreditWatch(FabricBench& bench, std::size_t node, int output)
      : bench_(bench), node_(node), output_(output) {
    bench.fabric.observe(*this);
  }

  void on_cycle(Cycle now) override {
    const int credits = bench_.fabric.state(node_id(node_)).credits(output_);
    const int sent = bench_.table.flits[{node_, output_}];
    const int returned = credits - bench_.blueprint.config.buffer_depth + sent;
    for (; returned_ < returned; ++returned_) note(seen, "credit", now);
  }

  std::string seen;

 private:
  FabricBench& bench_;
  std::size_t node_;
  int output_;
  int returned_ = 0;
};

// ---- The examples of docs/router.md ----

TEST(Fabric, CarriesAWormAHopACycle) {
  FabricBench bench("hypercube:3");
  bench.send(0, 0, 2, Worm{'A', 6, 4});

  bench.run();

  EXPECT_EQ(bench.injection(0, 2), "A0@0 A1@1 A2@2 A3@3");
  EXPECT_EQ(bench.external(0, 2), "A0@1 A1@2 A2@3 A3@4");
  EXPECT_EQ(bench.external(4, 1), "A0@2 A1@3 A2@4 A3@5");
  EXPECT_EQ(bench.ejection(6, 1), "A0@3 A1@4 A2@5 A3@6");
}

TEST(Fabric, RunsAtHalfTheRateThroughBuffersOfOneFlit) {
  FabricBench bench("hypercube:1", With().depth(1));
  CreditWatch channel(bench, 0, 0);
  CreditWatch ejection(bench, 1, 1);
  bench.send(0, 0, 0, Worm{'A', 1, 4});

  bench.run();

  EXPECT_EQ(bench.injection(0, 0), "A0@0 A1@2 A2@4 A3@6");
  EXPECT_EQ(bench.external(0, 0), "A0@1 A1@3 A2@5 A3@7");
  EXPECT_EQ(bench.ejection(1, 0), "A0@2 A1@4 A2@6 A3@8");
  // On the injection channel's wire in cycles 1, 3, 5, 7; the processor may use one a cycle later.
  EXPECT_EQ(bench.terminals[0]->credited(0), "credit@2 credit@4 credit@6 credit@8");
  EXPECT_EQ(channel.seen, "credit@2 credit@4 credit@6 credit@8");
  EXPECT_EQ(ejection.seen, "credit@3 credit@5 credit@7 credit@9");
}

TEST(Fabric, RunsAtFullRateOverADelayedLinkWithFourFlitsOfBuffer) {
  FabricBench bench("hypercube:1", With().depth(4).link_delay(1));
  CreditWatch credits(bench, 0, 0);
  bench.send(0, 0, 0, Worm{'A', 1, 4});

  bench.run();

  EXPECT_EQ(bench.external(0, 0), "A0@2 A1@3 A2@4 A3@5");
  EXPECT_EQ(bench.ejection(1, 0), "A0@3 A1@4 A2@5 A3@6");
  EXPECT_EQ(credits.seen, "credit@4 credit@5 credit@6 credit@7");
}

TEST(Fabric, WaitsForCreditsOverADelayedLinkWithTwoFlitsOfBuffer) {
  FabricBench bench("hypercube:1", With().depth(2).link_delay(1));
  CreditWatch credits(bench, 0, 0);
  bench.send(0, 0, 0, Worm{'A', 1, 4});

  bench.run();

  EXPECT_EQ(bench.external(0, 0), "A0@2 A1@3 A2@6 A3@7");
  EXPECT_EQ(bench.ejection(1, 0), "A0@3 A1@4 A2@7 A3@8");
  EXPECT_EQ(credits.seen, "credit@4 credit@5 credit@8 credit@9");
}

TEST(Fabric, LetsTwoHeadsMeetAtAnOutput) {
  FabricBench bench("hypercube:3");
  bench.send(0, 7, 2, Worm{'A', 1, 3});
  bench.send(1, 3, 1, Worm{'B', 1, 3});

  bench.run();

  EXPECT_EQ(bench.external(7, 2), "A0@1 A1@2 A2@3");
  EXPECT_EQ(bench.injection(3, 1), "B0@1 B1@2 B2@3");
  EXPECT_EQ(bench.external(3, 1), "A0@2 A1@3 A2@4 B0@5 B1@6 B2@7");
}

TEST(Fabric, ReplicatesATreePastABlockedBranch) {
  FabricBench bench("hypercube:2");
  bench.send(0, 2, 1, Worm{'U', 1, 4});
  bench.send(2, 0, 0, Worm{'T', 0, 3, MessageKind::tree});

  bench.run();

  EXPECT_EQ(bench.injection(0, 0), "T0@2 T1@3 T2@4");
  EXPECT_EQ(bench.external(2, 1), "U0@1 U1@2 U2@3 U3@4");
  EXPECT_EQ(bench.external(0, 0), "U0@2 U1@3 U2@4 U3@5 T0@6 T1@7 T2@8");
  EXPECT_EQ(bench.external(0, 1), "T0@3 T1@7 T2@8");
}

TEST(Fabric, DelaysATreeAtEveryRouterThatReplicatesIt) {
  FabricBench bench("hypercube:2", With().replication_delay(1));
  bench.send(0, 0, 0, Worm{'T', 0, 3, MessageKind::tree});

  bench.run();

  EXPECT_EQ(bench.injection(0, 0), "T0@0 T1@1 T2@2");
  EXPECT_EQ(bench.external(0, 0), "T0@2 T1@3 T2@4");
  EXPECT_EQ(bench.external(0, 1), "T0@2 T1@3 T2@4");
  EXPECT_EQ(bench.external(2, 0), "T0@4 T1@5 T2@6");
  EXPECT_EQ(bench.ejection(1, 0), "T0@3 T1@4 T2@5");
  EXPECT_EQ(bench.ejection(2, 1), "T0@4 T1@5 T2@6");
  EXPECT_EQ(bench.ejection(3, 0), "T0@5 T1@6 T2@7");
}

// ---- Channels ----

TEST(Fabric, GivesATerminalWhatIsOnItsEjectionChannelInThatCycle) {
  FabricBench bench("hypercube:3");
  bench.send(4, 0, 2, Worm{'A', 4, 2});

  bench.run();

  EXPECT_EQ(bench.terminals[4]->ejected(2), "A0@6 A1@7");
  EXPECT_EQ(bench.ejection(4, 2), "A0@6 A1@7");
}

TEST(Fabric, SendsOnAllPortsOfANodeAtOnce) {
  FabricBench bench("hypercube:3");
  for (int port = 0; port < 3; ++port) {
    bench.send(0, 0, port, Worm{'A', std::size_t{1} << port, 2});
    bench.send(0, std::size_t{1} << port, port, Worm{'B', 0, 2});
  }

  bench.run();

  for (int port = 0; port < 3; ++port) {
    EXPECT_EQ(bench.external(0, port), "A0@1 A1@2");
    EXPECT_EQ(bench.ejection(0, port), "B0@2 B1@3");
  }
}

TEST(Fabric, ClosesEachDimensionOfATorus) {
  FabricBench bench("torus:4x3");
  bench.send(0, 11, 0, Worm{'A', 0});  // (3, 2) -> (0, 2) -> (0, 0)

  bench.run();

  EXPECT_EQ(bench.external(11, 0), "A0/1@1");
  EXPECT_EQ(bench.external(8, 2), "A0/1@2");
  EXPECT_EQ(bench.ejection(0, 3), "A0/0@3");  // a flit that left by + arrives on -
}

TEST(Fabric, KeepsItsDistanceFromTheEdgeOfAMesh) {
  FabricBench bench("mesh:3x3");
  bench.send(0, 8, 1, Worm{'A', 0});  // (2, 2) -> (1, 2) -> (0, 2) -> (0, 1) -> (0, 0)

  bench.run();

  EXPECT_EQ(bench.external(8, 1), "A0@1");
  EXPECT_EQ(bench.external(7, 1), "A0@2");
  EXPECT_EQ(bench.external(6, 3), "A0@3");
  EXPECT_EQ(bench.external(3, 3), "A0@4");
  EXPECT_EQ(bench.ejection(0, 2), "A0@5");
}

// ---- Time ----

TEST(Fabric, CountsCyclesFromTheLastReset) {
  FabricBench bench("hypercube:1");
  bench.send(7, 0, 0, Worm{'A', 1, 2});
  bench.run();
  EXPECT_EQ(bench.injection(0, 0), "A0@7 A1@8");
  EXPECT_GT(bench.fabric.cycle(), 8);

  bench.forget();
  bench.send(3, 0, 0, Worm{'B', 1});
  bench.run();

  EXPECT_EQ(bench.injection(0, 0), "B0@3");
  EXPECT_EQ(bench.ejection(1, 0), "B0@5");
}

TEST(Fabric, LeavesNoTraceOfAnUnfinishedRunAfterReset) {
  FabricBench bench("hypercube:2", With().depth(2));
  const auto run_two_worms = [&] {
    bench.send(0, 2, 1, Worm{'U', 1, 4});
    bench.send(2, 0, 0, Worm{'T', 0, 3, MessageKind::tree});
    bench.run();
    return bench.table.sent;
  };
  const auto first = run_two_worms();
  bench.forget();
  bench.terminals[2]->send(0, 1, Worm{'X', 1, 2}[0]);  // its tail does not come
  bench.send(0, 0, 0, Worm{'Y', 1, 9});
  bench.run();
  ASSERT_FALSE(bench.fabric.is_idle());

  bench.forget();
  EXPECT_EQ(run_two_worms(), first);
}

TEST(Fabric, StopsItsClockWhileNothingHappens) {
  FabricBench bench("hypercube:3");
  CycleCounter counter;
  bench.fabric.observe(counter);
  bench.send(0, 0, 2, Worm{'A', 4});
  bench.send(1000000, 0, 2, Worm{'B', 4});

  bench.run();

  EXPECT_EQ(bench.external(0, 2), "A0@1 B0@1000001");
  EXPECT_LT(counter.calls, 20);
}

TEST(Fabric, SkipsTheCyclesOfALongLink) {
  FabricBench bench("hypercube:1", With().link_delay(1000));
  CycleCounter counter;
  bench.fabric.observe(counter);
  bench.send(0, 0, 0, Worm{'A', 1});

  bench.run();

  EXPECT_EQ(bench.ejection(1, 0), "A0@1002");
  EXPECT_LT(counter.calls, 10);
}

// ---- Acknowledgements of circuits ----

// The acknowledgement goes back one channel a cycle, the internal ones included; the link delay
// counts once for each external channel, as for credits.
void expect_acknowledgement(int delay) {
  FabricBench bench("hypercube:3", With().switching(Switching::circuit).link_delay(delay).depth(8));
  const Worm worm{'A', 7, 2};
  bench.terminals[0]->send(5, 2, worm[0]);  // the head; the terminal holds the body back
  bench.terminals[0]->send(100, 2, worm[1]);

  bench.run();

  const Cycle ejected = 5 + 3 * (1 + delay) + 1;
  EXPECT_EQ(bench.terminals[7]->ejected(0),
            "A0@" + std::to_string(ejected) + " A1@" + std::to_string(95 + ejected));
  EXPECT_EQ(bench.terminals[0]->acknowledged(2),
            "ack@" + std::to_string(ejected + 3 + 3 * (1 + delay)));
}

TEST(Fabric, ReturnsTheAcknowledgementOfACircuitBesideTheCredits) { expect_acknowledgement(0); }

TEST(Fabric, ReturnsTheAcknowledgementOfACircuitOverLongLinks) { expect_acknowledgement(2); }

TEST(Fabric, AcknowledgesNoMessageOfOneFlit) {
  FabricBench bench("hypercube:3", With().switching(Switching::circuit));
  bench.send(0, 0, 2, {'A', 7, 1});

  bench.run();

  EXPECT_EQ(bench.terminals[0]->acknowledged(2), "");
}

}  // namespace
}  // namespace allport::test
