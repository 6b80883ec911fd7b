// SPDX-License-Identifier: Apache-2.0
// Unloaded latency in every switching mode equals the formulas of docs/timing.md to the cycle.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "testbench/plan/requirements.h"
#include "testbench/simulation/program_table.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "traffic/theory/timing_model.h"

namespace allport::test {
namespace {

Cycle formula(Cycle hops, const SimulationConfig& config) {
  const Cycle once = hops * (1 + config.fabric.link_delay);
  const Cycle flits = config.flits;
  const Cycle ends = config.ts + config.tr;
  switch (config.fabric.switching) {
    case Switching::store_and_forward:  // every channel but the last carries all of it first
      return ends + once + hops * (flits - 1) + 2 * flits - 1;
    case Switching::circuit:
      return ends + (flits > 1 ? 3 * once + 3 : once) + flits;
    default:
      return ends + once + flits;
  }
}

// From node 0 to all others, one trial each: the first message with a different latency, in words.
std::string first_wrong(const char* topology, const SimulationConfig& config) {
  return forked([&]() -> std::string {
    const Routing routing = routing_on(topology);
    std::vector<PlannedCollective> pairs;
    for (std::size_t v = 1; v < routing.topology().node_count(); ++v) {
      pairs.push_back(single(0, v, routing));
    }
    Simulation simulation(config, routing);
    const Results results = simulation.run(one_by_one(pairs));
    if (!results.is_complete()) return fault_of(results);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const Cycle hops = routing.distance(node_id(0), node_id(i + 1));
      if (results.trials[i].max == formula(hops, config)) continue;
      return "to " + std::to_string(i + 1) + ": " + std::to_string(results.trials[i].max) +
             " instead of " + std::to_string(formula(hops, config));
    }
    return contention_of(results);
  });
}

void expect_formula(const char* topology, Switching mode) {
  for (const int flits : {1, 2, 3, 9, 40}) {
    for (const int delay : {0, 1, 4}) {
      for (const int spare : {0, 1, 30}) {
        const int whole = buffers_messages(mode) ? flits : 2 + 2 * delay;
        const auto fabric = With().switching(mode).link_delay(delay).depth(whole + spare);
        const auto config = Experiment().on(fabric).length(flits).times(3, 2);
        EXPECT_EQ(first_wrong(topology, config), "") << topology << " " << describe(config);
      }
    }
  }
}

TEST(Switching, CutThroughUnloadedIsAsFastAsWormhole) {
  expect_formula("hypercube:4", Switching::cut_through);
  expect_formula("torus:5x4", Switching::cut_through);
}

TEST(Switching, StoreAndForwardTakesItsFormula) {
  expect_formula("hypercube:4", Switching::store_and_forward);
  expect_formula("mesh:5x3", Switching::store_and_forward);
}

TEST(Switching, ACircuitTakesThreeWaysAndTheLength) {
  expect_formula("hypercube:4", Switching::circuit);
  expect_formula("ring:9", Switching::circuit);
}

// The i-th node of the Gray path, the stops of a list and the nodes of a tree have their copies in
// the cycles of the timing model, whatever the mode.
TEST(Switching, WormsOfAllKindsTakeTheirFormulas) {
  for (const Switching mode : switching_modes) {
    if (mode == Switching::circuit) continue;
    for (const int delay : {0, 2}) {
      for (const int held : {0, 3, 20}) {
        const std::string wrong = forked([&]() -> std::string {
          const Routing routing = routing_on("hypercube:4");
          const int flits = 9;
          const auto fabric =
              With().switching(mode).link_delay(delay).replication_delay(held).depth(flits + 40);
          const TimingParameters timing{3, 2, flits, fabric};
          std::vector<PlannedCollective> all{path_worm(5, routing), listed(5, {6, 4, 13, 12, 0}),
                                             single(5, 10, routing, MessageKind::deposit)};
          Unicast tree;
          tree.u = node_id(5);
          tree.kind = MessageKind::tree;
          all.push_back({{tree.u}, broadcast_from(5, routing).destinations, {{tree}}});
          Simulation simulation(Experiment().on(fabric).length(flits).times(3, 2), routing);
          for (const PlannedCollective& one : all) {
            const Results results = simulation.run({{one}});
            if (!results.is_complete()) return fault_of(results);
            const auto expected = predicted_latency(one.schedule, routing, one.sources, timing);
            for (const DestinationLatency& copy : results.by_destination) {
              if (copy.cycles == expected[index(copy.node)]) continue;
              return to_string(one.schedule.unicasts.front().kind) + std::string(" at ") +
                     std::to_string(index(copy.node)) + ": " + std::to_string(copy.cycles) +
                     " instead of " + std::to_string(expected[index(copy.node)]);
            }
            if (results.missing > 0) return "copies lack";
          }
          return "";
        });
        EXPECT_EQ(wrong, "") << to_string(mode) << " d " << delay << " r " << held;
      }
    }
  }
}

// r pieces of P flits, sent one after another on the way of the whole.
TEST(Switching, PiecesAreForwardedInAPipeline) {
  for (const int pieces : {1, 2, 4, 8}) {
    const std::string wrong = forked([&]() -> std::string {
      const Routing routing = routing_on("hypercube:6");
      const int flits = 32 / pieces;
      PlannedCollective one = single(0, 63, routing);
      for (int i = 1; i < pieces; ++i) {
        one.schedule.unicasts.push_back(one.schedule.unicasts.front());
        one.schedule.unicasts.back().order = i;
      }
      const auto fabric = With().switching(Switching::store_and_forward).depth(2 * flits);
      Simulation simulation(Experiment().on(fabric).length(flits).times(2, 5), routing);
      const Results results = simulation.run({{one}});
      if (!results.is_complete()) return fault_of(results);
      const Cycle last = results.deliveries.back().tail + 5;
      const Cycle expected = 2 + Cycle{6 + 1 + pieces} * flits - 1 + 5;
      return last == expected ? "" : std::to_string(last) + " not " + std::to_string(expected);
    });
    EXPECT_EQ(wrong, "") << pieces;
  }
}

// The last reception of `count` messages that follow one another.
Cycle end_of_stream(int count, const Routing& routing, const SimulationConfig& config) {
  return std::stoll(forked([&] {
    PlannedCollective stream = single(0, 3, routing);
    for (int order = 1; order < count; ++order) {
      stream.schedule.unicasts.push_back(stream.schedule.unicasts.front());
      stream.schedule.unicasts.back().order = order;
    }
    Simulation simulation(config, routing);
    return std::to_string(simulation.run({{stream}}).cycles);
  }));
}

// The depths of docs/timing.md, section 7, suffice, and one flit less does not.
TEST(Switching, MessagesFollowEachOtherWithoutAGapFromADepthOn) {
  constexpr int count = 12;
  const Routing ring = routing_on("ring:7");
  for (const int flits : {1, 2, 5, 16}) {
    for (const int delay : {0, 1, 3}) {
      const std::pair<Switching, int> enough[] = {
          {Switching::wormhole, 2 + 2 * delay},
          {Switching::cut_through, flits + 1 + 2 * delay},
          {Switching::store_and_forward, 2 * flits + 2 * delay}};
      for (const auto& [mode, depth] : enough) {
        auto config = Experiment().on(With().switching(mode).link_delay(delay).depth(depth));
        config.length(flits);
        const Cycle end = (count - 1) * flits + formula(3, config);
        EXPECT_EQ(end_of_stream(count, ring, config), end) << describe(config);
        if (--config.fabric.buffer_depth < (buffers_messages(mode) ? flits : 1)) continue;
        EXPECT_GT(end_of_stream(count, ring, config), end) << describe(config);
      }
    }
  }
}

TEST(Switching, IsRefusedWhereAMessageIsLongerThanABuffer) {
  for (const Switching mode : {Switching::cut_through, Switching::store_and_forward}) {
    auto config = Experiment().on(With().switching(mode).depth(16)).length(17);
    const std::vector<PlannedCollective> plan{single(0, 1, routing_on("ring:4"))};
    EXPECT_EQ(
        complaint_of([&] { require_room(plan, config); }),
        std::string("switching ") + to_string(mode) +
            ": a buffer of 16 flits cannot hold a message of 17; the buffer depth must be at least that");
    config.length(16);
    EXPECT_NO_THROW(require_room(plan, config));
  }
}

TEST(Switching, ACircuitIsForUnicastsOnly) {
  const Routing routing = routing_on("hypercube:3");
  Simulation simulation(Experiment().on(With().switching(Switching::circuit)), routing);
  for (const PlannedCollective& one :
       {path_worm(0, routing), listed(0, {1, 2}), single(0, 7, routing, MessageKind::deposit)}) {
    EXPECT_THROW(simulation.run({{one}}), std::invalid_argument);
  }
}

// Under load circuits and stored messages block each other, and all arrive.
TEST(Switching, EveryModeDeliversUnderLoad) {
  for (const Switching mode : switching_modes) {
    const std::string fault = forked([&]() -> std::string {
      const Routing routing = routing_on("torus:4x4");
      Simulation simulation(
          Experiment().on(With().switching(mode).depth(8).ports(1)).length(8).of_patterns(),
          routing);
      const Results results = simulation.run(test::uniform(0.3, 400));
      if (results.contention.events == 0) return "no contention";
      return fault_of(results);
    });
    EXPECT_EQ(fault, "") << to_string(mode);
  }
}

}  // namespace
}  // namespace allport::test
