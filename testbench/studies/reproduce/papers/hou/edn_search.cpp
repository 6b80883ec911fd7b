// SPDX-License-Identifier: Apache-2.0
// This figure is on what [Hou98] says of EDN in sections 4 and 6.1: all blocks on the 4 x 4 torus
// that fit it, and the one that `edn` is. It runs nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "testbench/studies/reproduce/drawing/torus_drawing.h"
#include "testbench/studies/reproduce/papers/hou/edn_band.h"
#include "testbench/studies/reproduce/papers/hou/figures.h"
#include "testbench/studies/reproduce/papers/hou/passages.h"
#include "testbench/studies/reproduce/planned_tree.h"
#include "traffic/algorithms/edn_readings.h"
#include "traffic/theory/timing_model.h"

namespace allport {

namespace {

constexpr std::array checked_sides{4, 8, 16};

// How many readings do on one torus what the text says of EDN.
struct Checked {
  std::size_t reach_all = 0;  // each node once, in d steps
  std::size_t on_time = 0;    // the printed time, without contention
  std::size_t stepwise = 0;
};

bool is_on_time(const PlannedTree& tree, int side) {
  const std::array latencies{0, latency_of_figure_9};
  return std::all_of(latencies.begin(), latencies.end(), [&](int latency) {
    const TorusBroadcast setting{side, latency, 64};
    const std::vector<Cycle> predicted = predicted_latency(
        tree.schedule, tree.routing, {tree.goal.source}, {latency, latency, setting.flits});
    return *std::max_element(predicted.begin(), predicted.end()) == by_analysis("edn", setting);
  });
}

Checked checked_on(int side) {
  PlannedTree tree = planned_broadcast("edn", fmt::format("torus:{0}x{0}", side));
  const int d = tree.schedule.steps();
  Checked found;
  for (const TorusBlock& block : edn_readings()) {
    tree.schedule = plan_by_blocks({tree.routing, tree.internal_ports, tree.goal}, block);
    const ScheduleReport report = tree.checked();
    const bool reaches_all =
        (1 << d) == side && tree.schedule.steps() == d && report.exactly_once.ok();
    if (reaches_all) ++found.reach_all;
    if (is_on_time(tree, side)) ++found.on_time;
    if (report.stepwise.ok()) ++found.stepwise;
  }
  return found;
}

// How many readings Theorem 1 refutes on each torus of those that it lets pass on smaller ones.
std::map<int, std::size_t> refuted() {
  std::vector<TorusBlock> passed = edn_readings();
  std::map<int, std::size_t> found;
  for (const int side : {8, 16, 32}) {
    PlannedTree tree = planned_broadcast("edn", fmt::format("torus:{0}x{0}", side));
    const auto end = std::remove_if(passed.begin(), passed.end(), [&](const TorusBlock& block) {
      tree.schedule = plan_by_blocks({tree.routing, tree.internal_ports, tree.goal}, block);
      return !tree.checked().theorem1.ok();
    });
    found[side] = static_cast<std::size_t>(passed.end() - end);
    passed.erase(end, passed.end());
  }
  return found;
}

// The nodes that a block informs in its first step.
std::set<std::pair<int, int>> informed(const TorusBlock& block) {
  std::set<std::pair<int, int>> nodes;
  for (const BlockMember& one : block) nodes.emplace((one.place.x + 4) % 4, (one.place.y + 4) % 4);
  return nodes;
}

NumberTable table_of_readings() {
  NumberTable table({"hops in step 1", "hops in step 2", "informed sets", "blocks",
                     "with one pattern for all nodes"});
  for (const auto& [first, second] : {std::pair{2, 2}, std::pair{3, 1}, std::pair{1, 3}}) {
    const std::vector<TorusBlock> blocks = edn_blocks(first, second);
    std::set<std::set<std::pair<int, int>>> sets;
    for (const TorusBlock& one : blocks) sets.insert(informed(one));
    table.add({std::to_string(first), std::to_string(second), std::to_string(sets.size()),
               std::to_string(blocks.size()),
               std::to_string(std::count_if(blocks.begin(), blocks.end(), has_one_pattern))});
  }
  return table;
}

std::string counts(const std::map<int, Checked>& checked, std::size_t Checked::*which) {
  std::string words;
  for (const auto& [side, found] : checked) {
    words += fmt::format("{}{} on {}x{}", words.empty() ? "" : ", ", found.*which, side, side);
  }
  return words;
}

Claims claims_of(const std::map<int, Checked>& checked) {
  const std::size_t all = edn_readings().size();
  const auto fitting = [&](std::size_t Checked::*which) {
    std::size_t least = all;
    for (const auto& [side, found] : checked) least = std::min(least, found.*which);
    return least;
  };
  Claims claims{claim_on_readings("EDN requires d steps, from each of d + 1 sets to the next",
                                  hou::edn_steps, fitting(&Checked::reach_all), all,
                                  counts(checked, &Checked::reach_all))};
  claims.front().outcome = Outcome::not_tested;
  claims.front().why = "The text does not give EDN's messages, and its readings are chosen by this";
  claims.push_back(claim_on_readings(
      "EDN is stepwise contention-free", hou::proved_stepwise, fitting(&Checked::stepwise), all,
      fmt::format("no channel is shared in a step: {}; on 4x4 the readings are chosen so",
                  counts(checked, &Checked::stepwise))));
  std::size_t number = 0;
  std::string first;
  for (const auto& [side, count] : refuted()) {
    number += count;
    first +=
        fmt::format("{}{} on {}x{}", first.empty() ? "" : ", of the others ", count, side, side);
  }
  claims.push_back(claim_on_readings(
      "EDN is not depth contention-free", hou::edn_steps, number, all,
      fmt::format(
          "no condition of Theorem 1 orders some pair of messages: {}; hou-8 tells which are seen to contend",
          first),
      Outcome::not_tested));
  claims.back().outcome = Outcome::not_tested;
  claims.back().why =
      "The conditions of Theorem 1 are sufficient only, so that a pair without one may contend, and need not";
  return claims;
}

FigureResult make_search(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const PlannedTree edn = planned_broadcast("edn", "torus:4x4");
  std::map<NodeId, std::string> names{{node_id(0), "S"}};
  for (std::size_t i = 1; i < edn_block().size(); ++i) {
    const auto [x, y] = edn_block().at(i).place;
    names[node_id(static_cast<std::size_t>((x + 4) % 4 + 4 * ((y + 4) % 4)))] =
        std::string(1, static_cast<char>('A' + i - 1));
  }
  FigureResult result;
  result.picture.svg =
      draw_torus("edn, a reading of EDN: two steps to 16 units (numbers: order of handling)",
                 {{"(a) first step", edn.schedule, node_id(0), true, 1, true, names},
                  {"(b) second step", edn.schedule, node_id(0), true, 2, true, names}},
                 edn.routing);
  result.table = table_of_readings();
  std::map<int, Checked> checked;
  for (const int side : checked_sides) checked[side] = checked_on(side);
  result.claims = claims_of(checked);
  result.notes.emplace_back(
      "The text does not give EDN's messages. These are all blocks of two steps on the 4x4 torus that fit what it says: three sends of every node in each step, four hops in both together, every node reached once, no channel shared in a step. A larger torus repeats the block. "
      "Hops are those of the longest route of a step. One pattern: all nodes send by the same displacements in step 2, or by mirror images of them. `edn` is the first of these, in the order of the search, of which figure 8 says what the text says.");
  result.notes.push_back(fmt::format(
      "Readings that take the printed time to the cycle if nothing contends (64 flits, ts = tr = 0 and {}): {}.",
      latency_of_figure_9, counts(checked, &Checked::on_time)));
  return result;
}

}  // namespace

Figure hou_edn() {
  return {"hou-edn", "the readings of EDN", "Hou98, sec. 4 and 6.1", FigureKind::drawing,
          no_points, make_search,           hou::by_readings};
}

}  // namespace allport
