// SPDX-License-Identifier: Apache-2.0
// This is [Jeon01] figure 1, Ho and Kao's broadcast: (a) its first step in a 7-cube, (b) the two
// steps of a 4-cube. The plan is allport's reconstruction (docs/algorithms.md).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <vector>

#include "testbench/studies/reproduce/drawing/tree_drawing.h"
#include "testbench/studies/reproduce/papers/jeon/figures.h"
#include "testbench/studies/reproduce/papers/jeon/passages.h"
#include "testbench/studies/reproduce/papers/jeon/subcube_division.h"
#include "testbench/studies/reproduce/planned_tree.h"

namespace allport {

namespace {

constexpr int large_cube = 7;

std::vector<NodeId> receivers_of_step_1(const Schedule& schedule) {
  std::vector<NodeId> nodes;
  for (const Unicast& one : schedule.unicasts) {
    if (one.step == 1) nodes.push_back(one.v);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

// Whether they are 0..01, 0..011, .., 1..11: what an ascending path that flips one bit after the
// other passes.
bool are_on_ascending_path(const std::vector<NodeId>& nodes, int dimensions) {
  if (nodes.size() != static_cast<std::size_t>(dimensions)) return false;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (index(nodes[i]) != (std::size_t{2} << i) - 1) return false;
  }
  return true;
}

// The nodes that get the message through each node of the first step, and through the source in
// later ones, these nodes included.
std::map<NodeId, std::vector<NodeId>> parts_of(const PlannedTree& tree) {
  std::map<NodeId, NodeId> part_of{{tree.goal.source, tree.goal.source}};
  std::vector<Unicast> sends = tree.schedule.unicasts;
  std::stable_sort(sends.begin(), sends.end(),
                   [](const Unicast& a, const Unicast& b) { return a.step < b.step; });
  for (const Unicast& one : sends) part_of[one.v] = one.step == 1 ? one.v : part_of[one.u];
  std::map<NodeId, std::vector<NodeId>> parts;
  for (const auto& [node, part] : part_of) parts[part].push_back(node);
  return parts;
}

// Whether the addresses agree in all bits but as many as it takes to number them.
bool is_subcube(const std::vector<NodeId>& nodes) {
  std::size_t free_bits = 0;
  for (const NodeId node : nodes) free_bits |= index(node) ^ index(nodes.front());
  std::size_t size = 1;
  for (; free_bits != 0; free_bits &= free_bits - 1) size *= 2;
  return size == nodes.size();
}

constexpr int largest_divided = 8;

// For how many n from 1 on there is a division into subcubes of nearly equal size.
int divided_cubes() {
  int count = 0;
  while (count < largest_divided && subcube_division(count + 1)) ++count;
  return count;
}

// `4, 4, 4, 2 and 2`: the numbers of nodes.
std::string sizes_in_words(int n) {
  std::vector<int> sizes;
  for (const int dimensions : subcube_division(n).value_or(std::vector<int>{})) {
    sizes.push_back(1 << dimensions);
  }
  return fmt::format("{}", fmt::join(sizes, ", "));
}

Schedule step_1_of(const Schedule& whole) {
  Schedule first;
  for (const Unicast& one : whole.unicasts) {
    if (one.step == 1) first.unicasts.push_back(one);
  }
  return first;
}

FigureResult make_figure_1(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const PlannedTree seven = planned_broadcast("hk", "hypercube:7");
  const PlannedTree four = planned_broadcast("hk", "hypercube:4");
  const std::vector<NodeId> path = receivers_of_step_1(seven.schedule);
  const auto parts = parts_of(seven);
  FigureResult result;
  result.table = NumberTable({"part of", "nodes", "is a subcube"});
  std::size_t subcubes = 0;
  std::size_t least = seven.routing.topology().node_count();
  std::size_t most = 0;
  for (const auto& [node, nodes] : parts) {
    if (is_subcube(nodes)) ++subcubes;
    least = std::min(least, nodes.size());
    most = std::max(most, nodes.size());
    result.table.add(
        {binary(node, large_cube), std::to_string(nodes.size()), is_subcube(nodes) ? "yes" : "no"});
  }
  const Multicast to_path = multicast(seven.routing.topology(), node_id(0), path);
  result.picture.svg =
      draw_trees("(a) Ho-Kao's broadcast in a 7-cube: the first step, to a node of each other part",
                 {{"step 1 of 3", step_1_of(seven.schedule), to_path}}, 1, large_cube, "step");
  const ScheduleReport report = four.checked();
  result.claims = {
      {"the source sends to all nodes of an ascending dimension-simple path in one step",
       jeon::sends_along_a_path,
       fmt::format(
           "step 1 in a 7-cube reaches {} nodes, 0000001, 0000011, .., 1111111: {}; of its messages no two share a channel: {}",
           path.size(), are_on_ascending_path(path, large_cube) ? "yes" : "no",
           seven.checked().stepwise.ok() ? "yes" : "no"),
       outcome_of(are_on_ascending_path(path, large_cube) && seven.checked().stepwise.ok()), ""},
      {"an n-cube can be partitioned into n + 1 subcubes of nearly equal size, each of which contains one node of the path",
       jeon::partition,
       fmt::format(
           "found by search for n = 1 to {}, none more than twice as large as another, for n = 4 of {} nodes; by this plan n = 7 into {} parts of {} to {} nodes, {} of them subcubes",
           divided_cubes(), sizes_in_words(4), parts.size(), least, most, subcubes),
       outcome_of(divided_cubes() == largest_divided && parts.size() == large_cube + 1 &&
                  subcubes == parts.size() && least == most),
       ""},
      {"(b) Ho and Kao's broadcast in a 4-cube takes two steps", jeon::two_steps,
       fmt::format(
           "{} steps by allport's plan, every node once: {}, free of contention in a step: {}; one step reaches five nodes at most, the source among them",
           four.schedule.steps(), report.exactly_once.ok() ? "yes" : "no",
           report.stepwise.ok() ? "yes" : "no"),
       Outcome::not_tested, "The figure is lost, and the text does not give the messages"}};
  result.notes.emplace_back(
      "The text tells how the cube is divided, and the recursions of section 3 how many steps it takes; which node sends to which is allport's choice, by which the claims are judged. The parts of its plan for a 4-cube are no subcubes.");
  return result;
}

}  // namespace

Figure jeon_1() {
  return {"jeon-1",         "Ho and Kao's broadcast",
          "Jeon01, fig. 1", FigureKind::drawing,
          no_points,        make_figure_1,
          jeon::by_plans};
}

}  // namespace allport
