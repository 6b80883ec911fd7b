// SPDX-License-Identifier: Apache-2.0
// These functions give plans of collectives of blocks and of messages in pieces, and their
// latencies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/range.h"
#include "tests/support/draw.h"
#include "tests/support/forked.h"
#include "tests/testbench/simulation/experiment.h"
#include "tests/testbench/simulation/times.h"
#include "traffic/planning/pieces.h"

namespace allport::test {

// The flits of each pair of an alltoall, 0 .. `most`: of every other one none.
inline PairLengths random_pairs(Draw& draw, std::size_t ranks, int most) {
  std::vector<int> flits(ranks * ranks);
  for (std::size_t i = 0; i < flits.size(); ++i) {
    if (i / ranks != i % ranks) flits[i] = draw.below(2) * draw.below(most + 1);
  }
  if (ranks > 1) flits[1] = most;  // so that some message is sent, and one is the longest
  return std::make_shared<const std::vector<int>>(std::move(flits));
}

// A vector, or a block, has `flits`; by default enough for each of its blocks and parts. Blocks of
// an alltoall have the lengths of `pairs` instead, if these are given.
inline PlannedCollective of_blocks(std::string_view name, const Routing& routing, std::size_t root,
                                   int ports = 0, int flits = limits::flits.high, int parts = 0,
                                   const PairLengths& pairs = nullptr) {
  const Algorithm& algorithm = find_algorithm(name);
  const Multicast goal = broadcast_from(root, routing);
  PlannedCollective plan{{goal.source}, goal.destinations, {}, algorithm.kind};
  PlanRequest request{routing, ports == 0 ? all_ports(routing) : ports, goal, StepRule::naive,
                      parts};
  request.timing.flits = flits;
  request.pairs = pairs;
  plan.schedule = allport::plan(algorithm, request);
  plan.goal = std::make_shared<Collective>(without_empty_blocks(
      algorithm, routing.topology(), goal, flits, plan.schedule, parts, {}, nullptr, pairs));
  plan.destinations = plan.goal->receivers();
  return plan;
}

inline PlannedCollective of_pieces(std::string_view name, const Routing& routing,
                                   const Multicast& goal, int pieces, int ports = 0) {
  PlannedCollective plan = collective(name, routing, goal, ports);
  plan.schedule =
      in_pieces(plan.schedule, pieces, routing, ports == 0 ? all_ports(routing) : ports);
  plan.goal = std::make_shared<Collective>(routing.topology().node_count(), goal,
                                           static_cast<std::size_t>(pieces));
  return plan;
}

inline std::string in_words(const Results& results) {
  return fault_of(results) + contention_of(results) + std::to_string(results.latency.max);
}

// The latencies of all `plans`, each with `times`, on one fabric.
inline std::string latencies(const std::vector<PlannedCollective>& plans, const Routing& routing,
                             const Times& times, int ports = 0) {
  return forked([&] {
    FabricConfig fabric;
    fabric.internal_ports = ports;
    Simulation simulation(Experiment().on(fabric).times(times.ts, times.tr).length(times.flits),
                          routing);
    std::string text;
    for (const PlannedCollective& plan : plans) text += in_words(simulation.run({{plan}})) + " ";
    return text;
  });
}

// The same as numbers, whatever else is to be said of the runs.
inline std::vector<Cycle> cycles_of(const std::vector<PlannedCollective>& plans,
                                    const Routing& routing, const Times& times, int ports,
                                    FabricConfig fabric = {}) {
  const std::string text = forked([&] {
    fabric.internal_ports = ports;
    Simulation simulation(Experiment().on(fabric).times(times.ts, times.tr).length(times.flits),
                          routing);
    std::string cycles;
    for (const PlannedCollective& plan : plans) {
      cycles += std::to_string(simulation.run({{plan}}).latency.max) + " ";
    }
    return cycles;
  });
  std::istringstream stream(text);
  return {std::istream_iterator<Cycle>(stream), {}};
}

}  // namespace allport::test
