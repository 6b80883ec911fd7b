// SPDX-License-Identifier: Apache-2.0
// The tables of docs/router.md are read back from a wave.
#include "testbench/observe/waves/wave_recorder.h"

#include <gtest/gtest.h>

#include "tests/testbench/observe/waves/recorded_bench.h"

namespace allport::test {
namespace {

TEST(WaveRecorder, ShowsAWormOnEachChannelOfItsWay) {
  RecordedBench bench("hypercube:3");
  bench.send(0, 0, 2, Worm{'A', 6, 4});

  const VcdReader wave = bench.record();

  EXPECT_EQ(flits_on(wave, "fabric.router_0.injection_2"), "A0@0 A1@1 A2@2 A3@3");
  EXPECT_EQ(flits_on(wave, "fabric.router_0.output_2"), "A0@1 A1@2 A2@3 A3@4");
  EXPECT_EQ(flits_on(wave, "fabric.router_4.input_2"), "A0@1 A1@2 A2@3 A3@4");
  EXPECT_EQ(flits_on(wave, "fabric.router_4.output_1"), "A0@2 A1@3 A2@4 A3@5");
  EXPECT_EQ(flits_on(wave, "fabric.router_6.ejection_1"), "A0@3 A1@4 A2@5 A3@6");
  EXPECT_EQ(flits_on(wave, "fabric.router_6.output_0"), "");
}

TEST(WaveRecorder, ShowsKindsOfFlits) {
  RecordedBench bench("hypercube:1");
  bench.send(0, 0, 0, Worm{'A', 1, 4});
  bench.send(6, 0, 0, Worm{'B', 1, 1});

  const VcdReader wave = bench.record();

  EXPECT_EQ(values_of(wave, "fabric.router_1.input_0.flit"), "0@0 1@1 2@2 3@4 0@5 4@7 0@8");
  EXPECT_EQ(values_of(wave, "fabric.router_1.input_0.vc"), "z@0 0@1 z@5 0@7 z@8");
  EXPECT_EQ(values_of(wave, "fabric.router_1.input_0.vc_0.buffer.front"),
            "0@0 1@1 2@2 3@4 0@5 4@7 0@8");
  EXPECT_EQ(values_of(wave, "fabric.router_1.ejection_0.flit"), "0@0 1@2 2@3 3@5 0@6 4@8 0@9");
}

// docs/router.md, two heads meet at an output: A from input 2 (index 2), B from injection 1 (4).
TEST(WaveRecorder, ShowsWhoWaitsAndWhoHolds) {
  RecordedBench bench("hypercube:3");
  bench.send(0, 7, 2, Worm{'A', 1, 3});
  bench.send(1, 3, 1, Worm{'B', 1, 3});

  const VcdReader wave = bench.record();

  EXPECT_EQ(flits_on(wave, "fabric.router_3.output_1"), "A0@2 A1@3 A2@4 B0@5 B1@6 B2@7");
  EXPECT_EQ(values_of(wave, "fabric.router_3.output_1.vc_0.owner_q"), "z@0 2@2 z@4 4@5 z@7");
  EXPECT_EQ(values_of(wave, "fabric.router_3.output_1.vc_0.owner_message"), "z@0 0@2 z@4 1@5 z@7");
  EXPECT_EQ(values_of(wave, "fabric.router_3.injection_1.vc_0.buffer.count"),
            "0@0 1@1 2@2 3@3 2@5 1@6 0@7");
  EXPECT_EQ(values_of(wave, "fabric.router_3.injection_1.vc_0.buffer.message"), "z@0 1@1 z@7");
  EXPECT_EQ(values_of(wave, "fabric.router_3.output_1.contention"), "0@0 1@1 0@4");
  EXPECT_EQ(values_of(wave, "fabric.router_3.contention"), "0@0 1@1 0@4");
  EXPECT_EQ(values_of(wave, "fabric.router_3.flits"), "z@0 1@2 z@8");
}

// docs/router.md, the processor's end: B = 1, d = 0.
TEST(WaveRecorder, ShowsCreditsOnTheWireAndInTheirCounters) {
  RecordedBench bench("hypercube:1", With().depth(1));
  bench.send(0, 0, 0, Worm{'A', 1, 4});

  const VcdReader wave = bench.record();

  EXPECT_EQ(flits_on(wave, "fabric.router_0.output_0"), "A0@1 A1@3 A2@5 A3@7");
  EXPECT_EQ(values_of(wave, "fabric.router_0.output_0.vc_0.credit"),
            "0@0 1@2 0@3 1@4 0@5 1@6 0@7 1@8 0@9");
  EXPECT_EQ(values_of(wave, "fabric.router_0.output_0.vc_0.credits_q"), "1@0 0@1 1@9")
      << "a credit is spent in the cycle in which it is on the wire";
}

TEST(WaveRecorder, ShowsALongLinkAtBothItsEnds) {
  RecordedBench bench("hypercube:1", With().depth(2).link_delay(3));
  bench.send(5, 0, 0, Worm{'A', 1, 3});

  const VcdReader wave = bench.record(30);

  EXPECT_EQ(flits_on(wave, "fabric.router_0.output_0"), "A0@6 A1@7 A2@14");
  EXPECT_EQ(flits_on(wave, "fabric.router_1.input_0"), "A0@9 A1@10 A2@17");
  EXPECT_EQ(values_of(wave, "fabric.router_0.output_0.vc_0.credit"), "0@0 1@13 0@15 1@21 0@22");
  EXPECT_EQ(values_of(wave, "fabric.router_0.output_0.vc_0.credits_q"), "2@0 1@6 0@7 1@15 2@22")
      << "the first credit is spent in the cycle in which it comes";
}

// Between the worms the fabric sleeps: a change must show when it happened, not when the fabric
// wakes.
TEST(WaveRecorder, ShowsTheLastCycleBeforeASleep) {
  RecordedBench bench("hypercube:1", With().link_delay(50));
  bench.send(0, 0, 0, Worm{'A', 1, 1});
  bench.send(30, 0, 0, Worm{'B', 1, 1});

  const VcdReader wave = bench.record();

  EXPECT_EQ(flits_on(wave, "fabric.router_0.output_0"), "A0@1 B0@31");
  EXPECT_EQ(flits_on(wave, "fabric.router_1.input_0"), "A0@51 B0@81");
  EXPECT_EQ(flits_on(wave, "fabric.router_1.ejection_0"), "A0@52 B0@82");
  EXPECT_EQ(values_of(wave, "fabric.router_0.injection_0.vc_0.buffer.count"), "1@0 0@1 1@30 0@31");
}

TEST(WaveRecorder, ShowsContentionInEveryCycleThatARouterSleepsThrough) {
  RecordedBench bench("hypercube:2");
  const Worm x{'X', 1, 2};
  bench.terminals[2]->send(0, 1, x[0]);
  bench.terminals[2]->send(1000, 1, x[1]);
  bench.send(1, 0, 0, Worm{'B', 1});

  const VcdReader wave = bench.record();

  EXPECT_EQ(flits_on(wave, "fabric.router_0.output_0"), "X0@2 X1@1002 B0@1003");
  EXPECT_EQ(values_of(wave, "fabric.router_0.contention"), "0@0 1@1 0@1002");
}

TEST(WaveRecorder, CountsWaitingForAnEjectionChannelApart) {
  RecordedBench bench("hypercube:2", With().ports(1));
  bench.send(0, 1, 0, Worm{'A', 0, 4});
  bench.send(0, 2, 0, Worm{'B', 0, 4});

  const VcdReader wave = bench.record();

  EXPECT_EQ(flits_on(wave, "fabric.router_0.ejection_0"),
            "A0@2 A1@3 A2@4 A3@5 B0@6 B1@7 B2@8 B3@9");
  EXPECT_EQ(values_of(wave, "fabric.router_0.ejection_0.contention"), "0@0 1@1 0@5");
  EXPECT_EQ(values_of(wave, "fabric.router_0.contention"), "0@0");
}

TEST(WaveRecorder, TellsWhatEachRouterHadToDo) {
  RecordedBench bench("hypercube:3");
  bench.send(0, 7, 2, Worm{'A', 1, 3});
  bench.send(1, 3, 1, Worm{'B', 1, 3});
  bench.record();

  const std::vector<RouterActivity> activity = bench.recorder->activity();
  const RouterActivity& three = activity[3];
  EXPECT_EQ(three.output_flits[1], 6U);
  EXPECT_EQ(three.input_flits[2], 3U);
  EXPECT_EQ(three.first_flit, 1);
  EXPECT_EQ(three.first_contention, 1);
  EXPECT_TRUE(three.output_contention[1]);
  EXPECT_TRUE(three.has_waited[4]);
  EXPECT_TRUE(activity[7].is_source);
  EXPECT_FALSE(activity[1].is_source);
  EXPECT_EQ(activity[0].first_flit, -1);
  EXPECT_EQ(bench.recorder->messages().size(), 2U);
}

TEST(WaveRecorder, ShowsTheModeAndTheAcknowledgementsOfCircuits) {
  RecordedBench bench("hypercube:1", With().switching(Switching::circuit));
  bench.terminals[0]->send(0, 0, Worm{'A', 1, 2}[0]);
  bench.terminals[0]->send(6, 0, Worm{'A', 1, 2}[1]);

  const VcdReader wave = bench.record();

  EXPECT_EQ(values_of(wave, "fabric.switching"), "3@0");
  EXPECT_EQ(values_of(wave, "fabric.router_1.ejection_0.vc_0.ack"), "0@0 1@3 0@4");
  EXPECT_EQ(values_of(wave, "fabric.router_1.input_0.vc_0.ack"), "0@0 1@4 0@5");
  EXPECT_EQ(values_of(wave, "fabric.router_0.output_0.vc_0.ack"), "0@0 1@4 0@5");
  EXPECT_EQ(values_of(wave, "fabric.router_0.injection_0.vc_0.ack"), "0@0 1@5 0@6");
}

}  // namespace
}  // namespace allport::test
