// SPDX-License-Identifier: Apache-2.0
// These are [Hou98] figures 5 and 6: the Z_block, and a 4 x 4 torus as a Z_block of Z_blocks.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "rtl_model/base/split_mix.h"
#include "rtl_model/topology/grid.h"
#include "testbench/studies/reproduce/drawing/torus_drawing.h"
#include "testbench/studies/reproduce/papers/hou/figures.h"
#include "testbench/studies/reproduce/papers/hou/passages.h"
#include "testbench/studies/reproduce/papers/hou/sends_table.h"
#include "testbench/studies/reproduce/papers/hou/stepwise.h"
#include "traffic/algorithms/algorithms.h"
#include "traffic/algorithms/torus_rounds.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/theory/timing_model.h"

namespace allport {

namespace {

Schedule zblock_from(NodeId source, const Routing& routing) {
  const Multicast goal = broadcast(routing.topology(), source);
  return plan(find_algorithm("zblock"), {routing, 4, goal});
}

// What `node` sends in `step`, as a step of its own.
Schedule sends_of(const Schedule& schedule, NodeId node, StepIndex step) {
  Schedule own;
  for (const Unicast& one : schedule.unicasts) {
    if (one.u == node && one.step == step) own.unicasts.push_back(one);
  }
  for (Unicast& one : own.unicasts) one.step = 1;
  close_gaps(own);
  return own;
}

// Whether the last of the three units of a Z_block, whose units have `unit` nodes a side, receives
// after the network latency and three sending latencies and a receiving one.
bool takes_3_ts_and_tr(int unit, const TimingParameters& timing) {
  const Routing routing = square_torus(2 * unit);
  const Schedule sends = sends_of(zblock_from(node_id(0), routing), node_id(0), 1);
  const std::vector<Cycle> latency = predicted_latency(sends, routing, {node_id(0)}, timing);
  const Unicast& last = *std::max_element(sends.unicasts.begin(), sends.unicasts.end(),
                                          [&](const Unicast& a, const Unicast& b) {
                                            return latency[index(a.v)] < latency[index(b.v)];
                                          });
  const auto hops = static_cast<Cycle>(channels(last, routing).size());
  return latency[index(last.v)] == 3 * timing.ts + hops + timing.flits + timing.tr;
}

Claim on_time() {
  constexpr Cycle most = 4;
  int small = 0;
  int drawn = 0;
  bool holds = true;
  for (const int unit : {1, 2, 4}) {
    for (Cycle ts = 0; ts <= most; ++ts) {
      for (Cycle tr = 0; tr <= most; ++tr) {
        for (int flits = 1; flits <= static_cast<int>(most); ++flits, ++small) {
          holds = holds && takes_3_ts_and_tr(unit, {ts, tr, flits});
        }
      }
    }
  }
  SplitMix64 random(1);
  const auto below = [&random](std::uint64_t bound) { return random.next() % bound; };
  for (; drawn < 100; ++drawn) {
    const TimingParameters timing{static_cast<Cycle>(below(5000)), static_cast<Cycle>(below(5000)),
                                  1 + static_cast<int>(below(4096))};
    holds = holds && takes_3_ts_and_tr(1 << below(6), timing);
  }
  return {
      "in addition to the network latency, it needs 3 sending latencies and 1 receiving latency for broadcasting a message from the block source unit to the other three units in a Z_block",
      hou::z_block_time,
      fmt::format(
          "by the timing of sec. 6.1: {} for units of 1, 2 and 4 nodes a side, ts and tr = 0 to {}, 1 to {} flits ({} times), and {} random ones with units of up to 32 nodes a side",
          holds ? "so" : "not always", most, most, small, drawn),
      outcome_of(holds), ""};
}

FigureResult make_figure_5(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const Routing routing = square_torus(4);
  // The second step of the larger broadcast is that of a block whose units are nodes.
  const Schedule block = sends_of(zblock_from(node_id(0), routing), node_id(0), 2);
  std::vector<std::vector<int>> ways;
  for (const Unicast& one : block.unicasts) {
    ways.push_back(routing.displacement(one.u, one.v, ties_of(one, routing)));
  }
  std::sort(ways.begin(), ways.end());
  const bool is_printed = ways == std::vector<std::vector<int>>{{-1, 1}, {0, 1}, {1, 0}};
  FigureResult result;
  result.picture.svg = draw_torus(
      "The Z_block",
      {{"one step to 4 units", block, node_id(0), true, 0, true, {{node_id(0), "S"}}}}, routing);
  result.table = sends_table(block, routing);
  result.claims = {
      {"the block source node, (X, Y), of a level_1 Z_block can broadcast a message to the other three nodes, (X-1, Y+1), (X, Y+1) and (X+1, Y), in one step",
       hou::z_block,
       fmt::format("its three messages go there: {}; channels that two of them share: {}",
                   is_printed ? "yes" : "no", shared_in_a_step(block, routing)),
       outcome_of(is_printed && shared_in_a_step(block, routing) == 0), ""},
      on_time()};
  result.notes.emplace_back(
      "The text gives the three nodes; the order of handling is allport's choice. Positions are around the source S, as the messages go.");
  return result;
}

// Whether zblock on the torus of side 2^d reaches each node once in d steps.
bool is_broadcast(int d) {
  const Routing routing = square_torus(1 << d);
  const Multicast goal = broadcast(routing.topology(), node_id(0));
  const Schedule schedule = zblock_from(goal.source, routing);
  const ScheduleReport report =
      check_schedule(schedule, {routing, 4, {goal.source}, goal.destinations});
  return schedule.steps() == d && report.exactly_once.ok() && report.causality.ok();
}

using Message = std::tuple<std::size_t, std::size_t, StepIndex, int>;

// The messages of zblock from `source`, with nodes as seen from there.
std::vector<Message> seen_from(std::size_t source, const Routing& routing) {
  const auto& torus = static_cast<const Grid&>(routing.topology());
  const int side = torus.sides().front();
  const auto place = static_cast<int>(source);
  const auto seen = [&](NodeId node) {
    return index(torus.shifted(node, {-(place % side), -(place / side)}));
  };
  std::vector<Message> messages;
  for (const Unicast& one : zblock_from(node_id(source), routing).unicasts) {
    messages.emplace_back(seen(one.u), seen(one.v), one.step, one.order);
  }
  std::sort(messages.begin(), messages.end());
  return messages;
}

bool is_moved_with_its_source(int side) {
  const Routing routing = square_torus(side);
  const std::vector<Message> from_0 = seen_from(0, routing);
  for (std::size_t source = 1; source < routing.topology().node_count(); ++source) {
    if (seen_from(source, routing) != from_0) return false;
  }
  return true;
}

Claims claims_on_recursion() {
  constexpr int largest_d = 8;
  constexpr int largest_side = 16;
  bool is_broadcast_always = true;
  for (int d = 1; d <= largest_d; ++d) is_broadcast_always = is_broadcast_always && is_broadcast(d);
  bool is_moved = true;
  for (int side = 2; side <= largest_side; side *= 2) {
    is_moved = is_moved && is_moved_with_its_source(side);
  }
  return {
      {"the concept of the decomposition can be generalized so that a 2^d x 2^d torus can be viewed as a level_d Z_block",
       hou::decomposition,
       fmt::format("the blocks of all levels inform each node once, in d steps: {}, d = 1 to {}",
                   is_broadcast_always ? "yes" : "no", largest_d),
       outcome_of(is_broadcast_always), ""},
      {"the broadcast algorithm can be applied regardless of the location of the source node since the torus is a node symmetric topology",
       hou::any_source,
       fmt::format("the plan from every node of 2x2 to {0}x{0} is that from node 0, moved: {1}",
                   largest_side, is_moved ? "yes" : "no"),
       outcome_of(is_moved), ""}};
}

FigureResult make_figure_6(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const Routing routing = square_torus(4);
  const Schedule schedule = zblock_from(node_id(0), routing);
  const std::map<NodeId, std::string> names{{node_id(0), "S"}};
  FigureResult result;
  result.picture.svg = draw_torus(
      "A 4 x 4 torus as four level_1 Z_blocks (numbers: order of handling)",
      {{"(a) to the sources of the four blocks", schedule, node_id(0), true, 1, true, names},
       {"(b) within each block", schedule, node_id(0), true, 2, true, names}},
      routing);
  result.table = sends_table(schedule, routing);
  result.claims = claims_on_recursion();
  result.notes.emplace_back(
      "Positions are around the source S, as the messages go; units at the edge are those of the torus on the other side.");
  return result;
}

}  // namespace

Figure hou_5() {
  return {"hou-5",   "the Z_block", "Hou98, fig. 5", FigureKind::drawing,
          no_points, make_figure_5, hou::by_plans};
}

Figure hou_6() {
  return {"hou-6",         "a 4x4 torus of Z_blocks",
          "Hou98, fig. 6", FigureKind::drawing,
          no_points,       make_figure_6,
          hou::by_plans};
}

}  // namespace allport
