// SPDX-License-Identifier: Apache-2.0
// These are [Hou98] figures 3 and 7: two broadcasts on a 4x4 torus, and the block that the depth
// contention-free broadcast is made of.
#include <fmt/format.h>

#include <algorithm>

#include "testbench/studies/reproduce/drawing/torus_drawing.h"
#include "testbench/studies/reproduce/papers/hou/figures.h"
#include "testbench/studies/reproduce/papers/hou/passages.h"
#include "testbench/studies/reproduce/papers/hou/sends_table.h"
#include "testbench/studies/reproduce/planned_tree.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/theory/timing_model.h"

namespace allport {

namespace {

const Routing& torus_4x4() {
  static const Routing routing(parse_topology("torus:4x4"), RoutingOrder::dimension_ordered);
  return routing;
}

// The tree of figure 3(b) as far as the text describes it: what (0,0) sends in step 1, (2,0) to
// (2,1) in step 2, and (2,1) to (1,1) and (2,2) in step 3; the rest is chosen to fit. With `last`,
// (0,0) handles its unicast to (2,0) last, as the text first has it; otherwise first, as the text
// then proposes.
Schedule tree_of_figure_3b(bool is_last) {
  Schedule schedule;
  const auto send = [&schedule](int u, const std::vector<int>& receivers, StepIndex step,
                                int order) {
    for (const int v : receivers) {
      Unicast one;
      one.u = node_id(static_cast<std::size_t>(u));
      one.v = node_id(static_cast<std::size_t>(v));
      one.step = step;
      one.order = order++;
      schedule.unicasts.push_back(one);
    }
  };
  send(0, is_last ? std::vector<int>{3, 12, 8, 2} : std::vector<int>{2, 3, 12, 8}, 1, 0);
  send(0, {1, 4}, 2, 4);
  send(8, {9, 11}, 2, 0);
  send(12, {13, 15}, 2, 0);
  send(2, {6, 14}, 2, 0);
  send(3, {7}, 2, 0);
  send(6, {5, 10}, 3, 0);
  schedule.sort();
  return schedule;
}

Cycle latest(const Schedule& schedule, const TimingParameters& timing) {
  const std::vector<Cycle> latency = predicted_latency(schedule, torus_4x4(), {node_id(0)}, timing);
  return *std::max_element(latency.begin(), latency.end());
}

FigureResult make_figure_3(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const PlannedTree separate = planned_broadcast("separate", "torus:4x4");
  const Schedule tree = tree_of_figure_3b(true);
  const Schedule better = tree_of_figure_3b(false);
  Schedule at_once = separate.schedule;
  for (Unicast& one : at_once.unicasts) one.step = 1;
  FigureResult result;
  result.picture.svg =
      draw_torus("Broadcasts on a 4x4 torus",
                 {{"(a) the source sends 15 unicasts", at_once, node_id(0), false, 0, false, {}},
                  {"(b) a broadcast tree", tree, node_id(0), false, 0, false, {}}},
                 torus_4x4());
  const TimingParameters timing{200, 200, 64};
  result.table = NumberTable({"broadcast", "unicasts", "steps", "latency (ts = tr = 200, L = 64)"});
  const auto add = [&](const char* name, const Schedule& schedule) {
    result.table.add({name, std::to_string(schedule.unicasts.size()),
                      std::to_string(schedule.steps()), std::to_string(latest(schedule, timing))});
  };
  add("separate unicasts", separate.schedule);
  add("tree, (2,0) handled last", tree);
  add("tree, (2,0) handled first", better);
  const ScheduleReport report =
      check_schedule(tree, {torus_4x4(), 4, {node_id(0)}, separate.goal.destinations});
  const Cycle gain = latest(tree, timing) - latest(better, timing);
  const auto receives = [&](const Schedule& schedule) {
    return predicted_latency(schedule, torus_4x4(), {node_id(0)}, timing)[2];
  };
  const Cycle wait = receives(tree) - receives(better);
  result.claims = {
      {"(a) takes N - 1 = 15 unicasts of the source", hou::figure_3a,
       fmt::format("{} unicasts", separate.schedule.unicasts.size()),
       outcome_of(separate.schedule.unicasts.size() == 15), ""},
      {"(b) takes three steps", hou::longest_sequence,
       fmt::format("{} steps; every node once: {}, free of contention in a step: {}", tree.steps(),
                   report.exactly_once.ok() ? "yes" : "no", report.stepwise.ok() ? "yes" : "no"),
       Outcome::not_tested,
       "The figure is lost: 7 of the 15 unicasts are in the text, the others are allport's"},
      {"a tree performs better than separate unicasts", hou::figure_3a,
       fmt::format(
           "by the timing of sec. 6.1, L = 64, ts = tr = 200: {} cycles against {}; the tree is completed by allport",
           latest(tree, timing), latest(separate.schedule, timing)),
       outcome_of(latest(tree, timing) < latest(separate.schedule, timing)), ""},
      {"(2,0), handled last of four, begins three sending latencies later than if it were first",
       hou::order_of_sends, fmt::format("{} cycles later, ts = {}", wait, timing.ts),
       outcome_of(wait == 3 * timing.ts), ""},
      {"so it is better to handle (2,0) first, the root of the longest sequence",
       hou::order_of_sends,
       fmt::format("{} cycles less in all: then another sequence is the longest", gain),
       Outcome::not_tested,
       "The figure is lost, and this is one tree of those that the text's words fit"}};
  result.notes.emplace_back(
      "Of (b) the text has the four unicasts of step 1 and the longest sequence, from (0,0) to (2,0) to (2,1) to (1,1) and (2,2); the other arrows are chosen to fit.");
  return result;
}

// Whether the source sends to `node` in `step`.
bool sends_to(const PlannedTree& tree, std::size_t node, StepIndex step) {
  const auto& all = tree.schedule.unicasts;
  return std::any_of(all.begin(), all.end(), [&](const Unicast& one) {
    return one.u == tree.goal.source && one.v == node_id(node) && one.step == step;
  });
}

FigureResult make_figure_7(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const PlannedTree dcf = planned_broadcast("dcf", "torus:4x4");
  const std::map<NodeId, std::string> names{{node_id(0), "S"},
                                            {node_id(6), "A"},
                                            {node_id(8), "B"},
                                            {node_id(15), "C"},
                                            {node_id(12), "D"}};
  FigureResult result;
  result.picture.svg =
      draw_torus("The DCF block: two steps to 16 units (numbers: order of handling)",
                 {{"(a) first step", dcf.schedule, node_id(0), true, 1, true, names},
                  {"(b) second step", dcf.schedule, node_id(0), true, 2, true, names}},
                 torus_4x4());
  result.table = sends_table(dcf.schedule, dcf.routing);
  std::size_t sharing = 0;
  for (std::size_t i = 0; i < dcf.schedule.unicasts.size(); ++i) {
    const Unicast& one = dcf.schedule.unicasts[i];
    const std::vector<Channel> path = channels(one, dcf.routing);
    for (std::size_t k = 0; k < i; ++k) {
      const Unicast& other = dcf.schedule.unicasts[k];
      const std::vector<Channel> way = channels(other, dcf.routing);
      if (std::any_of(path.begin(), path.end(), [&](const Channel& channel) {
            return std::find(way.begin(), way.end(), channel) != way.end();
          })) {
        ++sharing;
      }
    }
  }
  const ScheduleReport report = dcf.checked();
  const TimingParameters timing{200, 200, 64};
  const std::vector<Cycle> latency =
      predicted_latency(dcf.schedule, dcf.routing, {node_id(0)}, timing);
  const Cycle transfer = 64 + timing.tr;
  const auto arrives = [&](std::size_t node, int starts, int hops) {
    return latency[node] == starts * timing.ts + hops + transfer;
  };
  std::vector<std::string> ends;  // of the last messages of step 2
  for (const auto& [name, node] : {std::pair{"A", 6}, {"B", 8}, {"C", 15}, {"D", 12}, {"S", 0}}) {
    Cycle last = 0;
    for (const Unicast& one : dcf.schedule.unicasts) {
      if (one.step == 2 && index(one.u) == static_cast<std::size_t>(node)) {
        last = std::max(last, latency[index(one.v)]);
      }
    }
    const Cycle waits = node == 0 ? 1 : 2;  // messages one after the other, with L tc + tr each
    ends.push_back(fmt::format("{} of {}", last - 5 * timing.ts - waits * transfer, name));
  }
  const bool a_b_d = arrives(6, 1, 3) && arrives(8, 2, 2) && arrives(12, 4, 1);
  result.claims = {
      {"every one of the 16 units has the message once after two steps", hou::theorem_2,
       fmt::format("{} steps, each exactly once: {}", dcf.schedule.steps(),
                   report.exactly_once.ok() ? "yes" : "no"),
       outcome_of(report.exactly_once.ok() && dcf.schedule.steps() == 2), ""},
      {"of the 15 unicasts only two share a channel", hou::one_shared_channel,
       fmt::format("{} pair{}", sharing, sharing == 1 ? "" : "s"), outcome_of(sharing == 1), ""},
      {"the two are S to (X+2, Y) in step 1 and S to (X+1, Y) in step 2", hou::one_shared_channel,
       fmt::format(
           "S sends to (X+2, Y) in step 1: {}; they are S to A, which is (X+2, Y+1), by way of (X+2, Y), and S to (X+1, Y)",
           sends_to(dcf, 2, 1) ? "yes" : "no"),
       outcome_of(sends_to(dcf, 2, 1) && sends_to(dcf, 1, 2)),
       "A misprint: A is two units to the right and one up"},
      {"the block is depth contention-free", hou::one_shared_channel,
       fmt::format("pairs that may contend: {} by Theorem 1, {} in one step",
                   report.theorem1.violations, report.stepwise.violations),
       outcome_of(report.theorem1.ok() && report.stepwise.ok()), ""},
      {"A, B and D receive after ts + 3 delta tc, 2 ts + 2 delta tc, 4 ts + delta tc (and L tc + tr)",
       hou::times_of_a_block, a_b_d ? "they do, with delta = 1" : "they do not", outcome_of(a_b_d),
       ""},
      {"in the second step the last unicasts of A, B, C, D and S end after 5 ts + 2 L tc + 2 tr and 4, 3, 2 and 1 delta tc, respectively",
       hou::times_of_step_2,
       fmt::format(
           "four times for five nodes; here, with delta = tc = 1, L = 64 and tr = 200, the hop terms are {}",
           fmt::join(ends, ", ")),
       outcome_of(ends.size() == 4),
       "A misprint: one of the five times is missing, and S, which waits for no message, ends at 5 ts + delta tc + L tc + tr"},
      {"C receives after 3 ts + delta tc (and L tc + tr)", hou::times_of_a_block,
       fmt::format("3 ts + {} tc", latency[15] - transfer - 3 * timing.ts),
       outcome_of(arrives(15, 3, 1)),
       "No block of the printed distances is depth contention-free: C is two units away; the time of a phase does not change"}};
  result.notes.emplace_back(
      "The figure is lost. The text (sections 5.2 and 6.1) leaves two blocks, which differ in the order of B and C, and what is said of channels is so of both; this is found by hand. Positions are around the source S, as the messages go; units at the edge are those of the torus on the other side.");
  return result;
}

}  // namespace

Figure hou_3() {
  return {"hou-3",         "broadcasts on a 4x4 torus",
          "Hou98, fig. 3", FigureKind::drawing,
          no_points,       make_figure_3,
          hou::by_plans};
}

Figure hou_7() {
  return {"hou-7",   "the DCF block", "Hou98, fig. 7", FigureKind::drawing,
          no_points, make_figure_7,   hou::by_plans};
}

}  // namespace allport
