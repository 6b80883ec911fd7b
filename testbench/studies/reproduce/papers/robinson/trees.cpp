// SPDX-License-Identifier: Apache-2.0
// These are [Robinson93] figures 3, 5, 6 and 8: the trees of its examples, and what the text says
// about them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "testbench/studies/reproduce/drawing/tree_drawing.h"
#include "testbench/studies/reproduce/papers/robinson/figures.h"
#include "testbench/studies/reproduce/papers/robinson/passages.h"
#include "testbench/studies/reproduce/planned_tree.h"
#include "traffic/algorithms/cube_chain.h"

namespace allport {

namespace {

const std::vector<std::size_t> example{1, 3, 5, 7, 11, 12, 14, 15};
constexpr int dimensions = 4;

Claim steps_claim(const PlannedTree& tree, StepIndex printed, const std::string& what,
                  const Quotation& source) {
  return {fmt::format("{} takes {} steps", what, printed), source,
          fmt::format("{} steps", tree.schedule.steps()),
          outcome_of(tree.schedule.steps() == printed), ""};
}

Claim contention_claim(const PlannedTree& tree, const std::string& what, const Quotation& source) {
  const ScheduleReport report = tree.checked();
  return {what + " is free of contention", source,
          fmt::format("pairs that may contend: {} by Definition 4, {} by Theorem 1, {} in one step",
                      report.definition4.violations, report.theorem1.violations,
                      report.stepwise.violations),
          outcome_of(report.definition4.ok() && report.theorem1.ok() && report.stepwise.ok()), ""};
}

Claim relays_claim(const PlannedTree& tree, const std::string& printed, const std::string& text,
                   const Quotation& source) {
  const std::string found = tree.relays_in_words(dimensions);
  return {text, source, "relays: " + found, outcome_of(found == printed), ""};
}

NumberTable unicasts_of(const std::vector<std::pair<std::string, PlannedTree>>& trees) {
  NumberTable table({"tree", "u", "v", "step", "order"});
  for (const auto& [name, tree] : trees) {
    for (const Unicast& one : tree.schedule.unicasts) {
      table.add({name, binary(one.u, dimensions), binary(one.v, dimensions),
                 std::to_string(one.step), std::to_string(one.order)});
    }
  }
  return table;
}

// The step in which `node` receives.
StepIndex step_of(const PlannedTree& tree, std::size_t node) {
  for (const Unicast& one : tree.schedule.unicasts) {
    if (one.v == node_id(node)) return one.step;
  }
  return 0;
}

// Whether the messages to `a` and `b` leave the same node by the same channel.
bool leave_by_one_channel(const PlannedTree& tree, std::size_t a, std::size_t b) {
  const auto channel_to = [&](std::size_t node) {
    const auto& all = tree.schedule.unicasts;
    const auto one = std::find_if(all.begin(), all.end(),
                                  [&](const Unicast& each) { return each.v == node_id(node); });
    return std::pair{one->u, tree.routing.route(one->u, one->v, 0)->port};
  };
  return channel_to(a) == channel_to(b);
}

// How many destinations of the example `b` reaches before `a` does, and after.
std::pair<int, int> counted_steps(const PlannedTree& a, const PlannedTree& b) {
  std::pair<int, int> count{0, 0};
  for (const std::size_t node : example) {
    if (step_of(b, node) < step_of(a, node)) ++count.first;
    if (step_of(b, node) > step_of(a, node)) ++count.second;
  }
  return count;
}

// The nodes that get the message through `node`, ascending.
std::string served_in_words(const PlannedTree& tree, std::size_t node) {
  std::set<NodeId> served;
  std::vector<NodeId> open{node_id(node)};
  while (!open.empty()) {
    const NodeId sender = open.back();
    open.pop_back();
    for (const Unicast& one : tree.schedule.unicasts) {
      if (one.u == sender && served.insert(one.v).second) open.push_back(one.v);
    }
  }
  std::string words;
  for (const NodeId one : served) words += (words.empty() ? "" : " ") + binary(one, dimensions);
  return words;
}

Claim with_more(Claim claim, const std::string& measured) {
  claim.measured += measured;
  return claim;
}

// A claim on (a) or (b), whose trees are lost: those here are chosen by what the text says of them.
Claim of_lost_tree(Claim claim, const char* what_is_left) {
  claim.outcome = Outcome::not_tested;
  claim.why = fmt::format("The tree is lost; the text gives {}, by which the others are chosen",
                          what_is_left);
  return claim;
}

FigureResult make_figure_3(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const PlannedTree relay = planned_tree("relay", dimensions, 1, 0, example);
  const PlannedTree passed = planned_tree("relay-routers", dimensions, 1, 0, example);
  const PlannedTree one_port = planned_tree("ucube", dimensions, 1, 0, example);
  const PlannedTree all_port = planned_tree("ucube", dimensions, 4, 0, example);
  const PlannedTree wsort = planned_tree("wsort", dimensions, 4, 0, example);
  FigureResult result;
  result.table =
      unicasts_of({{"a", relay}, {"b", passed}, {"c", one_port}, {"d", all_port}, {"e", wsort}});
  result.picture.svg =
      draw_trees("Multicast from 0000 to eight nodes of a 4-cube",
                 {{"(a) store-and-forward: binomial tree", relay.schedule, relay.goal},
                  {"(b) the same, wormhole-routed, one port", passed.schedule, passed.goal},
                  {"(c) U-cube, one port", one_port.schedule, one_port.goal},
                  {"(d) U-cube, all ports", all_port.schedule, all_port.goal},
                  {"(e) W-sort, all ports", wsort.schedule, wsort.goal}},
                 2, dimensions, "step");
  const char* of_a =
      "the messages of two steps, which are those here, and the five nodes that relay";
  const char* of_b =
      "the message from 0000 to 0011, which is here too, and the nodes that replicate or only route";
  const std::string of_e = fmt::format(
      "; the figure is lost, and the tree is W-sort's, the only one of the paper's algorithms that takes 2 steps here (U-cube {}, Maxport {}, Combine {})",
      all_port.schedule.steps(),
      planned_tree("maxport", dimensions, 4, 0, example).schedule.steps(),
      planned_tree("combine", dimensions, 4, 0, example).schedule.steps());
  result.claims = {
      of_lost_tree(
          steps_claim(relay, 4, "(a) the store-and-forward procedure", robinson::figure_3a), of_a),
      of_lost_tree(relays_claim(relay, "0010 0100 0110 1000 1010",
                                "(a) five nodes relay the message without being destinations",
                                robinson::figure_3a),
                   of_a),
      of_lost_tree(
          steps_claim(passed, 4, "(b) the same routing algorithm on one-port wormhole routers",
                      robinson::figure_3b),
          of_b),
      of_lost_tree(
          relays_claim(
              passed, "0100 1000 1010",
              "(b) at 0010 and 0110 the routers are enough; the processors of three nodes still relay",
              robinson::figure_3b),
          of_b),
      steps_claim(one_port, 4, "(c) U-cube on one port", robinson::figure_3c),
      relays_claim(one_port, "none", "(c) only destinations handle the message",
                   robinson::figure_3c),
      contention_claim(one_port, "(c) U-cube on one port", robinson::figure_3c),
      {"(c) four steps are the least for 8 destinations on one port", robinson::figure_3c,
       fmt::format(
           "{} steps; as a step at most doubles the nodes that have the message, {} are needed",
           one_port.schedule.steps(), doublings(example.size() + 1)),
       outcome_of(one_port.schedule.steps() == doublings(example.size() + 1)), ""},
      {"(c) the messages from 0111 to 1011 and to 1100 have channels in common, and are sent one after the other",
       robinson::figure_3c,
       fmt::format("they leave by one channel: {}; 1100 in step {}, 1011 in step {}",
                   leave_by_one_channel(one_port, 11, 12) ? "yes" : "no", step_of(one_port, 12),
                   step_of(one_port, 11)),
       outcome_of(leave_by_one_channel(one_port, 11, 12) &&
                  step_of(one_port, 12) != step_of(one_port, 11)),
       ""},
      steps_claim(all_port, 4, "(d) U-cube on all ports", robinson::figure_3d),
      {"(d) some destinations are reached earlier than in (c)", robinson::figure_3d,
       fmt::format("{} of 8 are, and {} later", counted_steps(one_port, all_port).first,
                   counted_steps(one_port, all_port).second),
       outcome_of(counted_steps(one_port, all_port).first > 0), ""},
      {"(d) 0111 is left responsible for four nodes, all of which differ from it in the highest dimension",
       robinson::responsible_for_four, served_in_words(all_port, 7),
       outcome_of(served_in_words(all_port, 7) == "1011 1100 1110 1111"), ""},
      {"(d) 1011 is reached in step 3: its message waits for the one to 1100 on its channel",
       robinson::figure_3d,
       fmt::format("1100 in step {}, 1011 in step {}", step_of(all_port, 12),
                   step_of(all_port, 11)),
       outcome_of(step_of(all_port, 11) == 3 && step_of(all_port, 12) < 3 &&
                  leave_by_one_channel(all_port, 11, 12)),
       ""},
      with_more(steps_claim(wsort, 2, "(e) the tree for all ports", robinson::figure_3e), of_e),
      relays_claim(wsort, "none", "(e) only destinations handle the message", robinson::figure_3e),
      {"(e) is optimal for these destinations on all ports", robinson::figure_3e,
       fmt::format("{} steps; in one step 0000 reaches {} nodes at most, and there are {}",
                   wsort.schedule.steps(), dimensions, example.size()),
       outcome_of(wsort.schedule.steps() == 2 && example.size() > dimensions), ""},
      contention_claim(wsort, "(e) the tree for all ports, which is W-sort's,",
                       robinson::figure_3e)};
  result.notes.emplace_back(
      "The trees of (a), (b) and (e) are made from what the text says of them, the figure is lost: (a) is that of `relay`, in which a node serves first those that only relay, (b) that of `relay-routers`, without the processors of relays that hand the message on to one node only, and (e) W-sort's.");
  return result;
}

FigureResult make_figure_5(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  std::vector<std::size_t> moved;
  moved.reserve(example.size());
  for (const std::size_t one : example) moved.push_back(one ^ 4U);
  const PlannedTree tree = planned_tree("ucube", dimensions, 1, 4, moved);
  const PlannedTree origin = planned_tree("ucube", dimensions, 1, 0, example);
  FigureResult result;
  result.table = unicasts_of({{"U-cube", tree}});
  result.picture.svg =
      draw_trees("U-cube from 0100 to eight nodes of a one-port 4-cube",
                 {{"U-cube, one port", tree.schedule, tree.goal}}, 1, dimensions, "step");
  result.claims = {
      steps_claim(tree, 4, "U-cube on one port", robinson::figure_5),
      {"ceil(log2(m + 1)) steps are the least possible on one port", robinson::one_port_bound,
       fmt::format(
           "{} steps for 8 destinations; as a step at most doubles the nodes that have the message, {} are needed",
           tree.schedule.steps(), doublings(moved.size() + 1)),
       outcome_of(tree.schedule.steps() == doublings(moved.size() + 1)), ""},
      {"it is the multicast of figure 3, seen from another source", robinson::same_multicast,
       "every unicast of figure 3(c) with 0100 added to both ends: " +
           std::string(is_moved(origin, tree, 4) ? "the same tree" : "another tree"),
       outcome_of(is_moved(origin, tree, 4)), ""},
      {"the chain relative to the source has the eight entries printed",
       robinson::chain_of_figure_5, "nine nodes take part: 1110 is missing in print",
       outcome_of(moved.size() + 1 == 8), "A misprint: source and eight destinations make nine"}};
  return result;
}

FigureResult make_figure_6(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const std::vector<std::size_t> three{9, 10, 11};
  const PlannedTree maxport = planned_tree("maxport", dimensions, 4, 0, three);
  const PlannedTree ucube = planned_tree("ucube", dimensions, 4, 0, three);
  FigureResult result;
  result.table = unicasts_of({{"Maxport", maxport}, {"U-cube", ucube}});
  result.picture.svg = draw_trees(
      "Maxport can be worse than U-cube",
      {{"(a) Maxport", maxport.schedule, maxport.goal}, {"(b) U-cube", ucube.schedule, ucube.goal}},
      2, dimensions, "step");
  result.claims = {
      steps_claim(maxport, 3, "(a) Maxport to 1001, 1010 and 1011", robinson::figure_6),
      steps_claim(ucube, 2, "(b) U-cube to the same nodes", robinson::figure_6)};
  return result;
}

FigureResult make_figure_8(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const PlannedTree ucube = planned_tree("ucube", dimensions, 4, 0, example);
  const PlannedTree maxport = planned_tree("maxport", dimensions, 4, 0, example);
  const PlannedTree combine = planned_tree("combine", dimensions, 4, 0, example);
  const PlannedTree wsort = planned_tree("wsort", dimensions, 4, 0, example);
  FigureResult result;
  result.table = unicasts_of(
      {{"U-cube", ucube}, {"Maxport", maxport}, {"Combine", combine}, {"W-sort", wsort}});
  result.picture.svg = draw_trees("Four algorithms, one multicast in an all-port 4-cube",
                                  {{"(a) U-cube", ucube.schedule, ucube.goal},
                                   {"(b) Maxport", maxport.schedule, maxport.goal},
                                   {"Combine (not in the paper)", combine.schedule, combine.goal},
                                   {"(c) W-sort", wsort.schedule, wsort.goal}},
                                  2, dimensions, "step");
  std::vector<std::uint32_t> chain{0, 1, 3, 5, 7, 11, 12, 14, 15};
  weighted_sort(chain, dimensions);
  const bool is_printed = chain == std::vector<std::uint32_t>{0, 1, 3, 5, 7, 14, 15, 12, 11};
  result.claims = {
      steps_claim(ucube, 4, "(a) U-cube", robinson::figure_8a),
      {"(a) node 7 cannot send to 11 and 12 in the same step", robinson::figure_8a,
       fmt::format("by one channel it sends to 12 in step {}, to 11 in step {}", step_of(ucube, 12),
                   step_of(ucube, 11)),
       outcome_of(step_of(ucube, 12) != step_of(ucube, 11) && leave_by_one_channel(ucube, 11, 12)),
       ""},
      steps_claim(maxport, 4, "(b) Maxport", robinson::figure_8b),
      {"(b) every sender's unicasts leave by different channels", robinson::figure_8b,
       maxport.has_distinct_first_channels() ? "they do" : "some share a first channel",
       outcome_of(maxport.has_distinct_first_channels()), ""},
      {"weighted_sort turns the chain into 0 1 3 5 7 14 15 12 11", robinson::figure_8_sort,
       fmt::format("{}", fmt::join(chain, " ")), outcome_of(is_printed), ""},
      steps_claim(wsort, 2, "(c) W-sort", robinson::figure_8c)};
  return result;
}

}  // namespace

Figure robinson_3() {
  return {"robinson-3",
          "trees of one multicast in a 4-cube",
          "Robinson93, fig. 3",
          FigureKind::drawing,
          no_points,
          make_figure_3,
          robinson::by_plans};
}

Figure robinson_5() {
  return {"robinson-5",
          "U-cube in a one-port 4-cube",
          "Robinson93, fig. 5",
          FigureKind::drawing,
          no_points,
          make_figure_5,
          robinson::by_plans};
}

Figure robinson_6() {
  return {
      "robinson-6",  "Maxport against U-cube", "Robinson93, fig. 6", FigureKind::drawing, no_points,
      make_figure_6, robinson::by_plans};
}

Figure robinson_8() {
  return {"robinson-8",
          "U-cube, Maxport and W-sort in a 4-cube",
          "Robinson93, fig. 8",
          FigureKind::drawing,
          no_points,
          make_figure_8,
          robinson::by_plans};
}

}  // namespace allport
