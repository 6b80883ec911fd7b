// SPDX-License-Identifier: Apache-2.0
// These tests check both models of a router in one wave, and where they differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "testbench/observe/lockstep/rtl_nodes.h"
#include "testbench/simulation/twin_waves.h"
#include "tests/support/forked.h"
#include "tests/testbench/observe/waves/twin_bench.h"

namespace allport::test {
namespace {

const std::string difference_3 = "rtl.router_3.difference";

/// docs/router.md, two heads meet at output 1 of router 3: A0@2 A1@3 A2@4 B0@5 B1@6 B2@7.
void send_two(FabricBench& bench) {
  bench.send(0, 7, 2, Worm{'A', 1, 3});
  bench.send(1, 3, 1, Worm{'B', 1, 3});
}

/// Makes the twin of router 3 send A2 with a wrong payload in cycle 4.
void spoil_data(TwinBench& bench) {
  bench.pairs[0]->differ({4, false, 1}, [](RouterOutputs& sent) { sent.flits[0].flit.data = 9; });
}

/// Fails if a signal of the two models of `node` differs in a cycle before `end`.
void expect_equal(const VcdReader& wave, std::size_t node, VcdReader::Time end) {
  const std::string name = ".router_" + std::to_string(node) + ".";
  std::size_t signals = 0;
  for (const std::string& systemc : wave.names()) {
    if (systemc.rfind("fabric" + name, 0) != 0) continue;
    const std::string rtl = "rtl" + systemc.substr(6);
    ++signals;
    for (VcdReader::Time cycle = wave.first(); cycle < end; ++cycle) {
      ASSERT_EQ(wave.at(systemc, cycle), wave.at(rtl, cycle)) << systemc << " in cycle " << cycle;
    }
  }
  EXPECT_GT(signals, 50U);
}

struct Case {
  const char* topology;
  FabricConfig config;
};

class WaveTwins : public testing::TestWithParam<Case> {};

TEST_P(WaveTwins, AreAlikeInEverySignalWhileTheyAgree) {
  TwinBench bench(GetParam().topology, {1, 3, 4}, GetParam().config);
  const std::size_t nodes = bench.fabric.node_count();
  const int vcs = bench.fabric.config().vcs;
  for (std::size_t i = 0; i < 24; ++i) {
    const std::size_t to = (i * 5 + 3) % nodes;
    if (to == i % nodes) continue;
    const auto first = static_cast<Cycle>(i / nodes * 40 + i % 3);
    bench.send(first, i % nodes, 0, Worm{static_cast<char>('A' + i), to, 4});
  }
  EXPECT_EQ(bench.record(), "") << vcs;

  const VcdReader wave = bench.wave();
  for (const std::size_t node : {1U, 3U, 4U}) {
    expect_equal(wave, node, wave.last());
    EXPECT_EQ(values_of(wave, "rtl.router_" + std::to_string(node) + ".difference"), "0@0");
  }
  for (const std::string& name : wave.names()) EXPECT_EQ(name.find("rtl.router_2"), name.npos);
}

INSTANTIATE_TEST_SUITE_P(Fabrics, WaveTwins,
                         testing::Values(Case{"hypercube:3", With()},
                                         Case{"hypercube:3", With().depth(1).ports(1)},
                                         Case{"torus:4x3", With().vcs(4).link_delay(2).ports(2)},
                                         Case{"mesh:3x3", With().depth(2).link_delay(40)}));

/// Sends a worm whose body follows when the acknowledgement has certainly come.
void send_circuit(TwinBench& bench, Cycle first, std::size_t node, const Worm& worm) {
  for (int i = 0; i < worm.flits; ++i) {
    bench.terminals[node]->send(first + (i > 0 ? 40 + i : 0), 0, worm[i]);
  }
}

TEST(WaveTwin, IsAlikeInTheAcknowledgementsOfCircuits) {
  TwinBench bench("hypercube:3", {1, 3}, With().vcs(2).link_delay(3).switching(Switching::circuit));
  send_circuit(bench, 0, 7, Worm{'A', 1, 3});
  send_circuit(bench, 2, 3, Worm{'B', 2, 3});

  EXPECT_EQ(bench.record(), "");

  const VcdReader wave = bench.wave();
  EXPECT_EQ(values_of(wave, "rtl.router_3.input_2.vc_0.ack"), "0@0 1@15 0@16");
  for (const std::size_t node : {1U, 3U}) expect_equal(wave, node, wave.last());
}

TEST(WaveTwin, MarksADifferenceInItsCycleWhichIsTheLast) {
  TwinBench bench("hypercube:3", {3, 1});
  send_two(bench);
  spoil_data(bench);

  EXPECT_EQ(bench.record(), "/test: twins differ");

  const VcdReader wave = bench.wave();
  EXPECT_EQ(wave.last(), 5);
  EXPECT_EQ(values_of(wave, difference_3), "0@0 1@4");
  EXPECT_EQ(values_of(wave, "rtl.router_1.difference"), "0@0");
  EXPECT_EQ(flits_on(wave, "fabric.router_3.output_1"), "A0@2 A1@3 A2@4");
  EXPECT_EQ(flits_on(wave, "rtl.router_3.output_1"), "A0@2 A1@3 A9@4");
  EXPECT_EQ(flits_on(wave, "rtl.router_3.input_2"), flits_on(wave, "fabric.router_3.input_2"));
  expect_equal(wave, 3, 4);
}

TEST(WaveTwin, EndsWithTheDifferenceHoweverLongTheRunHasBeen) {
  TwinBench bench("hypercube:3", {3});
  send_two(bench);
  spoil_data(bench);
  Results results;
  results.cycles = 100;

  bench.record(results);

  EXPECT_EQ(bench.wave().last(), 5);
}

TEST(WaveTwin, ShowsAFlitThatOnlyOneOfThemSends) {
  TwinBench bench("hypercube:3", {3});
  send_two(bench);
  Flit spurious = Worm{'A', 1, 1}[0];
  spurious.message = static_cast<MessageId>(3000000000U);
  bench.pairs[0]->differ({3, false, 0}, [&](RouterOutputs& sent) { sent.flits = {{0, spurious}}; });
  bench.record();

  const VcdReader wave = bench.wave();
  EXPECT_EQ(values_of(wave, "rtl.router_3.output_0.message"), "z@0 3000000000@3");
  EXPECT_EQ(values_of(wave, "fabric.router_3.output_0.message"), "z@0");
  EXPECT_EQ(flits_on(wave, "rtl.router_3.output_1"), "A0@2");
  EXPECT_EQ(values_of(wave, "rtl.router_3.output_0.vc_0.credits_q"), "4@0 3@3");
  EXPECT_EQ(bench.recorder->messages().size(), 2U) << "the wrong number is nobody's name";
}

TEST(WaveTwin, ShowsAnAcknowledgementThatOnlyOneOfThemSends) {
  TwinBench bench("hypercube:3", {3}, With().switching(Switching::circuit));
  send_circuit(bench, 0, 3, Worm{'A', 1, 3});
  bench.pairs[0]->differ({5, true, 3}, [](RouterOutputs& sent) { sent.acks.clear(); });
  bench.record();

  EXPECT_EQ(values_of(bench.wave(), "fabric.router_3.injection_0.vc_0.ack"), "0@0 1@5");
  EXPECT_EQ(values_of(bench.wave(), "rtl.router_3.injection_0.vc_0.ack"), "0@0");
  EXPECT_EQ(values_of(bench.wave(), difference_3), "0@0 1@5");
}

TEST(WaveTwin, ShowsAFlitOnAPortThatLeavesAMeshAsADifferenceOnly) {
  TwinBench bench("mesh:2x2", {0});
  bench.send(0, 0, 0, Worm{'A', 1, 3});
  bench.pairs[0]->differ({2, false, 1}, [](RouterOutputs& sent) { sent.flits[0].output = 1; });
  bench.record();

  EXPECT_EQ(values_of(bench.wave(), "rtl.router_0.difference"), "0@0 1@2");
  EXPECT_EQ(values_of(bench.wave(), "rtl.router_0.flits"), "z@0 1@1 z@2");
}

TEST(WaveTwin, IsLeftOutWithItsNode) {
  WaveOptions options;
  options.nodes = {node_id(7)};
  TwinBench bench("hypercube:3", {3, 7}, {}, "run.vcd", options);
  send_two(bench);
  spoil_data(bench);
  bench.record();

  const VcdReader wave = bench.wave();
  for (const std::string& name : wave.names()) EXPECT_EQ(name.find("router_3"), name.npos);
  EXPECT_EQ(values_of(wave, "rtl.router_7.difference"), "0@0");
  EXPECT_EQ(wave.last(), 5) << "the difference ends the file all the same";
}

TEST(WaveTwin, IsTheSameInAnFstFile) {
  if (!VcdReader::can_read_fst()) GTEST_SKIP() << "fst2vcd is not installed";
  const auto contents = [](const std::string& name) {
    return forked([&] {
      TwinBench bench("hypercube:3", {3, 1}, {}, name);
      send_two(bench);
      spoil_data(bench);
      bench.record();
      const VcdReader wave = bench.wave();
      std::string text;
      for (const std::string& signal : wave.names()) {
        text.append(signal).append(" ").append(values_of(wave, signal)).append("\n");
      }
      return text;
    });
  };
  const std::string vcd = contents("run.vcd");
  EXPECT_THAT(vcd, testing::HasSubstr("\nrtl.router_3.difference 0@0 1@4\n"));
  EXPECT_EQ(contents("run.fst"), vcd);
}

/// RTL that never does anything.
class DeadModel final : public PinModel {
 public:
  DeadModel() {
    inputs_ = {words_.data(), words_.data(), words_.data(), words_.data()};
    outputs_ = {zeros_.data(), zeros_.data(), zeros_.data(), zeros_.data()};
  }
  void reset(std::uint32_t) override {}
  void set_table(const std::uint32_t*, std::size_t) override {}
  void clock() override {}
  void settle() override {}
  bool is_active() const override { return false; }
  bool has_active_pin() const override { return true; }
  void sample() override {}

 private:
  std::array<std::uint32_t, 64> words_{};
  std::array<std::uint32_t, 64> zeros_{};
};

TEST(WaveTwin, IsTheRtlOfALockstepRouter) {
  FabricBench bench("hypercube:3");
  const PinLayout layout(bench.blueprint.config, bench.blueprint.routing, 64);
  LockstepRouter pair(bench.fabric, node_id(3), std::make_unique<DeadModel>(), layout);
  TemporaryFolder folder;
  WaveOptions options;
  options.path = folder / "run.vcd";
  WaveRecorder recorder(bench.fabric, options, letter_name);
  recorder.add_twins({twin_of(pair)});
  send_two(bench);

  bench.run();
  EXPECT_NE(bench.fabric.halted(), "");
  finish_wave(recorder, {});

  const VcdReader wave = VcdReader::from_file(options.path);
  ASSERT_TRUE(pair.difference());
  EXPECT_EQ(pair.difference()->cycle, 2);
  EXPECT_EQ(values_of(wave, difference_3), "0@0 1@2");
  EXPECT_EQ(flits_on(wave, "fabric.router_3.output_1"), "A0@2");
  EXPECT_EQ(flits_on(wave, "rtl.router_3.output_1"), "");
  EXPECT_EQ(values_of(wave, "fabric.router_3.input_2.vc_0.buffer.count"), "0@0 1@1 0@2");
  EXPECT_EQ(values_of(wave, "rtl.router_3.input_2.vc_0.buffer.count"), "0@0 1@1");

  const std::string save = text_of(folder / "run.gtkw");
  for (const char* unknown : {"output_1.vc_0.owner_q", "output_1.vc_0.owner_message", "contention",
                              "output_1.contention"}) {
    const std::string signal = std::string("router_3.") + unknown;
    EXPECT_THAT(wave.names(), testing::Contains("fabric." + signal));
    EXPECT_THAT(wave.names(), testing::Not(testing::Contains("rtl." + signal)));
    EXPECT_THAT(save, testing::Not(testing::HasSubstr("rtl." + signal)));
  }
}

}  // namespace
}  // namespace allport::test
