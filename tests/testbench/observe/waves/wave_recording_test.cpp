// SPDX-License-Identifier: Apache-2.0
// These tests check the part of a run that is recorded: which routers, which cycles, and what is
// left when it ends early.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/testbench/observe/waves/recorded_bench.h"

namespace allport::test {
namespace {

TEST(WaveRecording, RecordsTheChosenRoutersOnly) {
  WaveOptions options;
  options.nodes = {node_id(4), node_id(1), node_id(4)};
  RecordedBench bench("hypercube:3", {}, options);
  bench.send(0, 0, 2, Worm{'A', 6, 2});

  const VcdReader wave = bench.record();

  for (const std::string& name : wave.names()) {
    EXPECT_TRUE(name.rfind("fabric.router_4.", 0) == 0 || name.rfind("fabric.router_1.", 0) == 0)
        << name;
  }
  EXPECT_EQ(flits_on(wave, "fabric.router_4.input_2"), "A0@1 A1@2") << "from a router left out";
  EXPECT_EQ(flits_on(wave, "fabric.router_4.output_1"), "A0@2 A1@3");
}

TEST(WaveRecording, LeavesOutThePortsThatLeaveAMesh) {
  RecordedBench bench("mesh:2x2");
  const VcdReader wave = bench.record();

  std::string ports;
  for (const std::string& name : wave.names()) {
    if (name.rfind("fabric.router_0.", 0) != 0) continue;
    const std::size_t end = name.find(".flit", 16);
    if (end != std::string::npos) ports += name.substr(16, end - 16) + " ";
  }
  EXPECT_EQ(
      ports,
      "ejection_0 ejection_1 ejection_2 ejection_3 injection_0 injection_1 injection_2 injection_3 input_0 input_2 output_0 output_2 ");
}

TEST(WaveRecording, KeepsToItsWindow) {
  WaveOptions options;
  options.from = 2;
  options.to = 4;
  RecordedBench bench("hypercube:3", {}, options);
  bench.send(0, 0, 2, Worm{'A', 6, 4});

  const VcdReader wave = bench.record(20);

  EXPECT_EQ(wave.first(), 2);
  EXPECT_EQ(wave.last(), 5);
  EXPECT_EQ(flits_on(wave, "fabric.router_0.injection_2"), "A2@2 A3@3");
  EXPECT_EQ(flits_on(wave, "fabric.router_4.output_1"), "A0@2 A1@3 A2@4");
  EXPECT_EQ(bench.recorder->activity()[0].flits, 3U) << "router 0 sends in cycles 2 to 4";
}

TEST(WaveRecording, BeginsInACycleThatTheFabricSleepsThrough) {
  WaveOptions options;
  options.from = 20;
  RecordedBench bench("hypercube:1", {}, options);
  bench.send(0, 0, 0, Worm{'A', 1, 1});
  bench.send(40, 0, 0, Worm{'B', 1, 1});

  const VcdReader wave = bench.record();

  EXPECT_EQ(wave.first(), 20);
  EXPECT_EQ(values_of(wave, "fabric.router_1.input_0.message"), "z@20 1@41 z@42");
}

TEST(WaveRecording, EndsACycleBehindTheRun) {
  RecordedBench bench("hypercube:1");
  bench.send(0, 0, 0, Worm{'A', 1, 1});

  EXPECT_EQ(bench.record(100).last(), 101);
}

TEST(WaveRecording, StartsOverWhenTheFabricIsResetBeforeItsFirstCycle) {
  RecordedBench bench("hypercube:1");
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  bench.fabric.reset();
  bench.fabric.reset();
  bench.send(0, 0, 0, Worm{'A', 1, 2});

  EXPECT_EQ(flits_on(bench.record(), "fabric.router_0.output_0"), "A0@1 A1@2");
}

TEST(WaveRecording, EndsWithTheFirstRun) {
  RecordedBench bench("hypercube:1");
  bench.send(10, 0, 0, Worm{'A', 1, 2});
  bench.run();
  bench.forget();
  bench.send(0, 0, 0, Worm{'B', 1, 2});

  EXPECT_EQ(flits_on(bench.record(), "fabric.router_0.output_0"), "A0@11 A1@12");
}

TEST(WaveRecording, LeavesAReadableFileWhenItIsNotFinished) {
  TemporaryFolder folder;
  FabricBench bench("hypercube:1");
  WaveOptions options;
  options.path = folder / "w.vcd";
  auto recorder = std::make_unique<WaveRecorder>(bench.fabric, options, letter_name);
  bench.send(0, 0, 0, Worm{'A', 1, 4});
  bench.run();
  recorder.reset();

  const VcdReader wave = VcdReader::from_file(folder / "w.vcd");
  EXPECT_EQ(flits_on(wave, "fabric.router_0.output_0"), "A0@1 A1@2 A2@3 A3@4");
}

TEST(WaveRecording, RefusesWrongOptionsAndCreatesNothing) {
  TemporaryFolder folder;
  FabricBench bench("hypercube:2");
  const auto refusal = [&](const WaveOptions& options) -> std::string {
    try {
      WaveRecorder recorder(bench.fabric, options, letter_name);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  WaveOptions options;
  options.path = folder / "w.vcd";

  options.nodes = {node_id(4)};
  EXPECT_EQ(refusal(options), "wave of node 4: must be 0..3");
  options.nodes.clear();
  options.from = 5;
  options.to = 4;
  EXPECT_EQ(refusal(options),
            "wave from cycle 5 to cycle 4: must be 0 or later, in ascending order");
  EXPECT_TRUE(folder.is_empty());
}

}  // namespace
}  // namespace allport::test
