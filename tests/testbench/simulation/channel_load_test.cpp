// SPDX-License-Identifier: Apache-2.0
// The load of a channel is what crosses it in the measurement window (docs/guide/traffic.md): on
// every machine, in the account of what channels do as in the results. ALLPORT_CASES and
// ALLPORT_NIGHTLY_SEED choose other cases (scripts/nightly).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "testbench/observe/monitors/crossing_counter.h"
#include "testbench/plan/plan_run.h"
#include "testbench/simulation/simulate.h"
#include "tests/properties/reference/random_cases.h"
#include "tests/testbench/simulation/task_graphs.h"
#include "tests/traffic/algorithms/planning.h"

namespace allport::test {
namespace {

using Flits = std::vector<std::uint64_t>;

// By node, then port: the flits that the account of the channels has in the cycles of `window`.
Flits accounted(const Results& results, std::size_t ports, const MeasurementWindow& window) {
  Flits flits(results.traffic->channel_load.flits.size(), 0);
  for (const ChannelUse& use : results.explanation->channels) {
    if (use.resource.kind != Resource::Kind::channel || !window.contains(use.from)) continue;
    flits[index(use.resource.node) * ports + static_cast<std::size_t>(use.resource.port)] +=
        static_cast<std::uint64_t>(use.flits);
  }
  return flits;
}

// A pattern on any fabric and machine of routers, measured from any cycle on.
RunRequest drawn_pattern(SplitMix64& draw) {
  const auto number = [&](std::uint64_t below) { return draw.next() % below; };
  const char* const shapes[] = {"hypercube:3", "torus:4x4", "mesh:3x4", "ring:6", "torus:3x3"};
  RunRequest request;
  request.fabric.topology = parse_topology(shapes[number(std::size(shapes))]);
  draw_model(draw, request);
  request.node.model = {};
  request.router.vcs = 2 << number(2);
  if (number(3) == 0) request.router.buffer_depth = 64;
  if (number(4) == 0) request.router.link_widths = {2};
  request.message.flits = 1 + static_cast<int>(number(40));
  if (number(4) == 0) {
    request.message.flits_long = 300;
    request.message.long_fraction = 0.1;
  }
  request.traffic.pattern = "uniform";
  request.traffic.rate = 0.1 * static_cast<double>(1 + number(10));
  request.traffic.cycles = 100 + static_cast<Cycle>(number(400));
  request.traffic.warmup = static_cast<Cycle>(number(2) * number(100));
  request.explain.channels = true;
  return request;
}

TEST(ChannelLoad, IsWhatCrossesTheChannelsInTheWindow) {
  const RandomCases cases(25);
  for (std::uint64_t seed = cases.first; seed < cases.end; ++seed) {
    SplitMix64 draw(seed);
    RunRequest request = drawn_pattern(draw);
    request.traffic.seed = seed;
    const bool is_cube = request.fabric.topology->port_count() == 3;
    const bool is_adaptive = is_cube && draw.next() % 2 == 0;
    if (is_adaptive) request.fabric.routing = RoutingOrder::adaptive;
    const MeasurementWindow window{request.traffic.warmup, request.traffic.cycles};
    const std::size_t ports = request.fabric.topology->port_count();
    Flits of_flits;
    for (const Model model : {Model::systemc, Model::worm}) {
      const bool is_for_flits = is_adaptive || !request.router.link_widths.empty();
      if (is_for_flits && model == Model::worm) continue;
      request.model = model;
      request.explain.every = 0;
      const Results whole = simulate(plan(request));
      const ChannelLoad& load = whole.traffic->channel_load;
      ASSERT_EQ(load.flits, accounted(whole, ports, window)) << "seed " << seed;
      request.explain.every = 1;
      const Results by_cycle = simulate(plan(request));
      ASSERT_EQ(load.flits, accounted(by_cycle, ports, window)) << "seed " << seed;
      const int phits = request.router.link_widths.empty() ? 1 : 2;
      const auto most = *std::max_element(load.flits.begin(), load.flits.end());
      ASSERT_LE(static_cast<Cycle>(most), (window.cycles() + phits - 1) / phits) << "seed " << seed;
      if (model == Model::systemc) of_flits = load.flits;
      ASSERT_EQ(load.flits, of_flits) << "seed " << seed;
    }
  }
}

// The pattern has the + channels of a ring, the ranks the - channels, and the window ends with the
// ranks.
TEST(ChannelLoad, BesideRanksIsThatOfThePattern) {
  for (const Model model : {Model::systemc, Model::worm}) {
    RunRequest request;
    request.fabric.topology = parse_topology("ring:8");
    request.model = model;
    request.message.flits = 5;
    request.traffic.pattern = "neighbor";
    request.traffic.rate = 0.7;
    request.traffic.warmup = 40;
    TaskGraph graph;
    graph.ranks = 2;
    Task send;
    send.kind = TaskKind::send;
    send.rank = 1;
    send.peer = 0;
    send.amount = 1200;
    send.tag = 0;
    Task receive;
    receive.kind = TaskKind::receive;
    receive.rank = 0;
    receive.peer = 1;
    receive.amount = 1200;
    receive.tag = 0;
    graph.tasks = {send, receive};
    request.traffic.graph = std::make_shared<TaskGraph>(graph);
    request.explain.channels = true;
    request.explain.every = 1;
    const Results results = simulate(plan(request));
    const Cycle over = results.tasks->makespan;
    ASSERT_GT(over, 300);
    Flits expected = accounted(results, 2, {40, over + 1});
    ASSERT_GT(expected[3], 250U);  // of the 300 that rank 1 sends
    expected[3] = 0;
    EXPECT_EQ(results.traffic->channel_load.flits, expected);
    EXPECT_EQ(results.traffic->channel_load.cycles, over + 1 - 40);
  }
}

// Of a flit that crosses in every cycle of a row, one that crosses every few cycles, and what comes
// when the last cycle of the window is known.
TEST(ChannelLoad, CountsTheCyclesOfTheWindow) {
  const Routing routing = routing_on("ring:4");
  const MessageLog log;
  SplitMix64 draw(1);
  const auto number = [&](std::uint64_t below) { return static_cast<Cycle>(draw.next() % below); };
  for (int i = 0; i < 2000; ++i) {
    const Cycle from = number(50);
    const MeasurementWindow window{from, from + 1 + number(50)};
    std::optional<Cycle> last;
    CountedCrossings counted{window, {}};
    if (i % 2 == 0) counted.last_cycle = [&] { return last; };
    CrossingCounter counter(routing, log, counted);
    if (i % 4 == 0) last = number(120);
    const auto is_counted = [&](Cycle cycle) {
      return window.contains(cycle) && (!last || cycle <= *last);
    };
    const Cycle first = number(100);
    const Cycle end = first + number(20);
    const Cycle period = 1 + number(9);
    const Cycle times = 1 + number(20);
    counter.add(node_id(1), 0, first, end);
    counter.add_every(node_id(2), 1, first, period, times);
    Flits expected(8, 0);
    for (Cycle cycle = first; cycle < end; ++cycle) expected[2] += is_counted(cycle) ? 1 : 0;
    for (Cycle k = 0; k < times; ++k) expected[5] += is_counted(first + k * period) ? 1 : 0;
    ASSERT_EQ(counter.load(window.cycles()).flits, expected) << "case " << i;
  }
}

}  // namespace
}  // namespace allport::test
