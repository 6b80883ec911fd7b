// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/flow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "tests/traffic/algorithms/planning.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {
namespace {

Flow flow(std::size_t source, std::size_t destination, double rate, int flits) {
  Flow one;
  one.source = node_id(source);
  one.destination = node_id(destination);
  one.rate = rate;
  one.flits = flits;
  return one;
}

TrafficRequest request_of(std::vector<Flow> flows, Cycle cycles) {
  TrafficRequest request;
  request.flows = std::make_shared<FlowTable>(FlowTable{"f.csv", std::move(flows)});
  request.cycles = cycles;
  return request;
}

using StartRow = std::tuple<Cycle, std::size_t, int, TieMask>;

std::vector<StartRow> rows_started(const TrafficRequest& request, const char* shape,
                                   std::size_t node) {
  const auto topology = parse_topology(shape);
  const SyntheticTraffic traffic(request, *topology);
  MessageSource source(traffic, node_id(node));
  std::vector<StartRow> starts;
  while (const auto one = source.next()) {
    starts.emplace_back(one->cycle, index(one->destination), one->flits, one->ties);
  }
  return starts;
}

TEST(Flow, CountsTheCyclesInWhichItIsOn) {
  Flow one = flow(0, 1, 1, 1);
  one.from = 10;
  one.to = 40;
  EXPECT_EQ(one.cycles_on(10), 0);
  EXPECT_EQ(one.cycles_on(11), 1);
  EXPECT_EQ(one.cycles_on(1000), 31);
  EXPECT_EQ(one.cycle_on(3), 13);
  one.on = 3;
  one.off = 7;
  for (Cycle cycles = 0; cycles < 60; ++cycles) {
    Cycle count = 0;
    for (Cycle cycle = 10; cycle < std::min<Cycle>(cycles, 41); ++cycle) {
      if ((cycle - 10) % 10 >= 3) continue;
      EXPECT_EQ(one.cycle_on(count), cycle);
      ++count;
    }
    EXPECT_EQ(one.cycles_on(cycles), count) << cycles;
  }
}

// A flow of each node to its partner, in the order of the nodes, is the pattern.
TEST(Flows, OfAPermutationAreThePattern) {
  for (const char* shape : {"torus:4x4", "hypercube:4"}) {
    const auto topology = parse_topology(shape);
    for (const char* name : {"shuffle", "butterfly", "bit-complement", "transpose"}) {
      TrafficRequest pattern;
      pattern.pattern = &find_pattern(name);
      pattern.rate = 0.7;
      pattern.flits = 4;
      pattern.cycles = 3000;
      pattern.seed = 9;
      std::vector<Flow> flows;
      for (std::size_t i = 0; i < 16; ++i) {
        const std::size_t partner = index(pattern.pattern->partner(*topology, node_id(i)));
        flows.push_back(partner == i ? flow(i, (i + 1) % 16, 0, 4) : flow(i, partner, 0.7, 4));
      }
      TrafficRequest table = request_of(flows, 3000);
      table.seed = 9;
      for (std::size_t i = 0; i < 16; ++i) {
        EXPECT_EQ(rows_started(table, shape, i), rows_started(pattern, shape, i))
            << shape << " " << name << " " << i;
      }
    }
  }
}

TEST(Flows, StartWhileTheyAreOnAndInTheOrderOfTheTable) {
  Flow first = flow(0, 1, 1, 1);  // in every cycle
  first.from = 5;
  first.to = 8;
  Flow second = flow(0, 2, 2, 2);
  second.from = 6;
  second.on = 1;
  second.off = 2;
  EXPECT_THAT(
      rows_started(request_of({second, flow(3, 0, 1, 1), first}, 12), "ring:8", 0),
      testing::ElementsAre(StartRow{5, 1, 1, 0}, StartRow{6, 2, 2, 0}, StartRow{6, 1, 1, 0},
                           StartRow{7, 1, 1, 0}, StartRow{8, 1, 1, 0}, StartRow{9, 2, 2, 0}));
}

// What a flow draws depends on its place in the table, and on no other flow.
TEST(Flows, DrawWhateverTheOthersDo) {
  const std::vector<StartRow> alone =
      rows_started(request_of({flow(0, 1, 0.3, 2)}, 5000), "ring:8", 0);
  std::vector<StartRow> beside = rows_started(
      request_of({flow(0, 1, 0.3, 2), flow(0, 5, 0.9, 1), flow(2, 0, 1, 1)}, 5000), "ring:8", 0);
  beside.erase(std::remove_if(beside.begin(), beside.end(),
                              [](const StartRow& row) { return std::get<1>(row) != 1; }),
               beside.end());
  EXPECT_EQ(beside, alone);
  EXPECT_NEAR(static_cast<double>(alone.size()), 750, 100);
}

TEST(Flows, LoadTheirSourcesOnAverage) {
  Flow half = flow(1, 2, 0.4, 4);
  half.on = 50;
  half.off = 50;
  const TrafficRequest request = request_of({flow(0, 1, 0.2, 2), flow(0, 3, 0.6, 6), half}, 1000);
  const auto loads = request.loads(4);
  ASSERT_EQ(loads.size(), 4U);
  EXPECT_DOUBLE_EQ(loads[0].messages, 0.2);
  EXPECT_DOUBLE_EQ(loads[0].flits, 4);
  EXPECT_DOUBLE_EQ(loads[1].messages, 0.05);
  EXPECT_DOUBLE_EQ(loads[2].messages, 0);
  EXPECT_DOUBLE_EQ(request.messages(4), 250);
  EXPECT_EQ(request.longest_flits(), 6);
}

TEST(Flows, AreRefusedWithTheirPlace) {
  const auto topology = parse_topology("ring:8");
  const auto fault_of = [&](const Flow& one, std::size_t line = 7) {
    FlowTable table{"f.csv", {flow(0, 1, 0, 1), one}};
    table.flows.back().line = line;
    return flow_fault(table, *topology);
  };
  EXPECT_EQ(fault_of(flow(8, 1, 0, 1)), "f.csv:7: source 8: must be 0..7 on ring:8");
  EXPECT_EQ(fault_of(flow(1, 9, 0, 1), 0), "flow 1: destination 9: must be 0..7 on ring:8");
  EXPECT_EQ(fault_of(flow(1, 1, 0, 1)),
            "f.csv:7: node 1 is the source of the flow and its destination");
  EXPECT_EQ(fault_of(flow(1, 2, 5, 4)),
            "f.csv:7: rate 5: must be 0..4 flits per cycle, at most one message per cycle");
  EXPECT_NE(fault_of(flow(1, 2, std::numeric_limits<double>::quiet_NaN(), 4)), "");
  EXPECT_EQ(fault_of(flow(1, 2, 0, 0)), "f.csv:7: flits 0: must be 1..1000000000");
  Flow reversed = flow(1, 2, 1, 1);
  reversed.from = 9;
  reversed.to = 8;
  EXPECT_EQ(fault_of(reversed), "f.csv:7: the last cycle, 8, is before the first one, 9");
  Flow never_on = flow(1, 2, 1, 1);
  never_on.off = 4;
  EXPECT_EQ(fault_of(never_on), "f.csv:7: on 0: must be 1..1000000000000");
}

}  // namespace
}  // namespace allport
