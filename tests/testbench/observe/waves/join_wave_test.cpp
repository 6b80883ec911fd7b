// SPDX-License-Identifier: Apache-2.0
// The join units in a wave show what they expect, what has come, and when a join takes part.
#include <memory>
#include <string>

#include "rtl_model/graphs/graph_file.h"
#include "rtl_model/tables/make_table.h"
#include "tests/testbench/observe/waves/recorded_bench.h"

namespace allport::test {
namespace {

WaveOptions with_joins() {
  WaveOptions options;
  options.has_joins = true;
  return options;
}

FabricConfig with_combine_delay(int cycles) {
  FabricConfig config;
  config.combine_delay = cycles;
  return config;
}

Worm contribution(int flits) { return {'A', 0, flits, MessageKind::join}; }

// The head of node 1 comes in cycle 1, its tail in cycle 2; what has come in cycle c leaves in
// cycle c + 2 at the earliest, a flit in a cycle.
TEST(JoinWave, ShowsFromWhenOnAJoinTakesPart) {
  RecordedBench bench("hypercube:1", with_combine_delay(2), with_joins());
  for (const std::size_t node : {0, 1}) bench.send(0, node, 0, contribution(2));

  const VcdReader wave = bench.record();

  const std::string root = "fabric.router_0.join.";
  EXPECT_EQ(values_of(wave, root + "message"), "0@0 z@5");
  EXPECT_EQ(values_of(wave, root + "expected"), "1@0 0@5");
  EXPECT_EQ(values_of(wave, root + "arrived"), "0@0 1@1 0@5");
  EXPECT_EQ(values_of(wave, root + "held"), "z@0 2@1 1@2 z@3");
  EXPECT_EQ(values_of(wave, root + "ready"), "0@0 1@3 0@5");
  EXPECT_EQ(flits_on(wave, "fabric.router_0.ejection_0").substr(0, 2), "A0");
  const std::string leaf = "fabric.router_1.join.";
  EXPECT_EQ(values_of(wave, leaf + "message"), "0@0 z@2");
  EXPECT_EQ(values_of(wave, leaf + "expected"), "0@0");
  EXPECT_EQ(values_of(wave, leaf + "ready"), "1@0 0@2");
  EXPECT_TRUE(bench.recorder->activity()[0].has_join);
}

// The table of the contract, section "joins in switches": a join to c from a and b over s, which
// combines them, and t, which has one input. The data are sums of the numbers of flits.
TEST(JoinWave, ShowsJoinsInSwitches) {
  const std::string nodes = "node,processor\na,\nb,\nc,\ns,false\nt,false\n";
  const auto net = std::make_shared<Graph>(read_graph("net.csv", "a,s\nb,s\ns,t\nc,t\n", &nodes));
  const Routing routing(net, make_table({"updown", nullptr, net}));
  RecordedBench bench(Blueprint(routing, with_combine_delay(1)), with_joins());
  Worm worm = contribution(2);
  worm.address = 2;
  for (const std::size_t node : {0, 1, 2}) bench.send(node == 1 ? 1 : 0, node, 0, worm);

  const VcdReader wave = bench.record();

  EXPECT_EQ(bench.external(3, 2), "A0@4 A2@5");
  EXPECT_EQ(bench.external(4, 1), "A0@6 A2@7");
  EXPECT_EQ(bench.ejection(2, 0), "A0@8 A3@9");
  const std::string s = "fabric.router_3.join.";
  EXPECT_EQ(values_of(wave, s + "message"), "z@0 0@1 z@5");
  EXPECT_EQ(values_of(wave, s + "expected"), "0@0 3@1 0@5");
  EXPECT_EQ(values_of(wave, s + "arrived"), "0@0 1@1 3@2 0@5");
  EXPECT_EQ(values_of(wave, s + "held"), "z@0 1@2 z@3");
  EXPECT_EQ(values_of(wave, s + "ready"), "0@0 1@3 0@5");
  const std::string t = "fabric.router_4.join.";
  EXPECT_EQ(values_of(wave, t + "expected"), "0@0 1@4 0@7");
  EXPECT_EQ(values_of(wave, t + "held"), "z@0 1@4 z@5");
  EXPECT_EQ(values_of(wave, t + "ready"), "0@0 1@5 0@7");
  EXPECT_TRUE(bench.recorder->activity()[3].has_join);
}

class JoinWaveAtRoot : public testing::TestWithParam<int> {};

// Nodes 1 and 2 send to node 0, node 3 by way of node 1; the last one starts late.
TEST_P(JoinWaveAtRoot, IsReadyInTheCyclesInWhichFlitsLeave) {
  RecordedBench bench("hypercube:2", with_combine_delay(GetParam()), with_joins());
  for (const std::size_t node : {0, 1, 2, 3}) {
    bench.send(node == 3 ? 17 : 2 * static_cast<Cycle>(node), node, 0, contribution(7));
  }
  const VcdReader wave = bench.record();
  int left = 0;
  for (VcdReader::Time cycle = wave.first(); cycle + 1 < wave.last(); ++cycle) {
    const bool leaves = wave.at("fabric.router_0.ejection_0.flit", cycle + 1) != 0U;
    EXPECT_EQ(wave.at("fabric.router_0.join.ready", cycle) == 1U, leaves) << "cycle " << cycle;
    left += leaves ? 1 : 0;
  }
  EXPECT_EQ(left, 7);
  EXPECT_EQ(wave.at("fabric.router_0.join.expected", 16), 3U);
  EXPECT_EQ(wave.at("fabric.router_0.join.arrived", 16), 2U) << "that of node 1 is missing";
  EXPECT_EQ(wave.at("fabric.router_1.join.arrived", 16), 0U);
}

INSTANTIATE_TEST_SUITE_P(Delays, JoinWaveAtRoot, testing::Values(0, 1, 3));

TEST(JoinWave, IsNotThereInARunWithoutJoins) {
  RecordedBench bench("hypercube:1");
  bench.send(0, 0, 0, Worm{'A', 1, 2});
  const VcdReader wave = bench.record();
  for (const std::string& name : wave.names()) EXPECT_EQ(name.find("join"), std::string::npos);
  EXPECT_FALSE(bench.recorder->activity()[0].has_join);
}

}  // namespace
}  // namespace allport::test
