// SPDX-License-Identifier: Apache-2.0
// These are [Jeon01] figures 2 and 4: the reachable sets of a source, and the replication tree made
// of them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "testbench/studies/reproduce/drawing/palette.h"
#include "testbench/studies/reproduce/drawing/tree_drawing.h"
#include "testbench/studies/reproduce/papers/jeon/figures.h"
#include "testbench/studies/reproduce/papers/jeon/passages.h"
#include "testbench/studies/reproduce/planned_tree.h"

namespace allport {

namespace {

constexpr int dimensions = 4;

// The nodes that messages of the source reach if they leave it over `dimension`: the subtree of
// that neighbour in the replication tree.
std::vector<NodeId> reachable_set(const PlannedTree& tree, int dimension) {
  std::set<NodeId> members{node_id(std::size_t{1} << dimension)};
  for (const Unicast& one : tree.schedule.unicasts) {
    if (members.count(one.u) != 0) members.insert(one.v);
  }
  return {members.begin(), members.end()};
}

// The subcube 1xx.. of the same prefix as the leader.
bool is_subcube(const std::vector<NodeId>& members, int dimension) {
  const std::size_t first = std::size_t{1} << dimension;
  return members.size() == first && index(members.front()) == first &&
         index(members.back()) == 2 * first - 1;
}

void draw_set(Svg& svg, Position corner, int dimension, const std::vector<NodeId>& members) {
  constexpr double cell = 62;
  const double width = cell * static_cast<double>(std::min<std::size_t>(members.size(), 4)) + 16;
  const std::size_t rows = (members.size() + 3) / 4;
  const double height = 30 * static_cast<double>(rows) + 14;
  const std::string colour = palette(static_cast<std::size_t>(dimension));
  svg.box(corner, width, height, "#fafafa", {colour, 2.5});
  svg.text({corner.x, corner.y + height + 16}, fmt::format("R{}: channel {}", dimension, dimension),
           {14, colour, "start", true});
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::size_t row = i / 4;
    const Position middle{corner.x + 8 + cell * (static_cast<double>(i % 4) + 0.5),
                          corner.y + 22 + 30 * static_cast<double>(row)};
    if (i == 0) svg.box({middle.x - 26, middle.y - 12}, 52, 24, colour, {colour, 1});
    svg.text(middle, binary(members[i], dimensions),
             {15, i == 0 ? "#ffffff" : "#222222", "middle", i == 0, true});
  }
}

std::string drawn_sets(const std::vector<std::vector<NodeId>>& sets) {
  Svg svg;
  svg.text({24, 30}, "Reachable sets of 0000 in a 4-cube", {20, "#111111", "start", true});
  const Position source{390, 82};
  svg.box({source.x - 34, source.y - 15}, 68, 30, "#333333", {"#222222", 1.6});
  svg.text(source, "0000", {16, "#ffffff", "middle", true, true});
  svg.text({source.x + 44, source.y}, "source: R4", {14, "#333333", "start", true});
  double x = 24;
  constexpr double top = 150;
  for (int dimension = dimensions - 1; dimension >= 0; --dimension) {
    const auto& members = sets[static_cast<std::size_t>(dimension)];
    const double leader = x + 8 + 31;
    const std::string colour = palette(static_cast<std::size_t>(dimension));
    svg.arrow({{source.x + 12 * (1.5 - dimension), source.y + 15}, {leader, top - 3}}, {colour, 3});
    draw_set(svg, {x, top}, dimension, members);
    x +=
        std::max(62.0 * static_cast<double>(std::min<std::size_t>(members.size(), 4)) + 16, 100.0) +
        26;
  }
  svg.text({24, 264}, "Leaders, the neighbours of the source, are filled.",
           {14, "#444444", "start"});
  return svg.picture(x + 24, 284);
}

bool has_leaders(const std::vector<std::vector<NodeId>>& sets) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (index(sets[i].front()) != std::size_t{1} << i) return false;
  }
  return true;
}

// From how many nodes the subtrees of the neighbours, and the node itself, are all nodes once.
int sources_with_a_partition() {
  int count = 0;
  for (std::size_t source = 0; source < 16; ++source) {
    std::vector<std::size_t> others;
    for (std::size_t node = 0; node < 16; ++node) {
      if (node != source) others.push_back(node);
    }
    const PlannedTree tree = planned_tree("tree", dimensions, dimensions, source, others);
    std::set<NodeId> reached{node_id(source)};
    bool is_once = true;
    for (const Unicast& one : tree.schedule.unicasts) {
      is_once = reached.insert(one.v).second && is_once;
    }
    count += is_once && reached.size() == 16 ? 1 : 0;
  }
  return count;
}

FigureResult make_figure_2(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const PlannedTree tree = planned_broadcast("tree", "hypercube:4");
  std::vector<std::vector<NodeId>> sets;
  FigureResult result;
  result.table = NumberTable({"set", "leader", "nodes"});
  result.table.add({"R4", binary(node_id(0), dimensions), binary(node_id(0), dimensions)});
  std::size_t members = 1;
  bool are_subcubes = true;
  for (int i = 0; i < dimensions; ++i) {
    sets.push_back(reachable_set(tree, i));
    std::string names;
    for (const NodeId node : sets.back()) names += (names.empty() ? "" : " ") + binary(node, 4);
    result.table.add({fmt::format("R{}", i), binary(sets.back().front(), dimensions), names});
    members += sets.back().size();
    are_subcubes = are_subcubes && is_subcube(sets.back(), i);
  }
  result.picture.svg = drawn_sets(sets);
  std::set<NodeId> all{node_id(0)};
  for (const auto& one : sets) all.insert(one.begin(), one.end());
  result.claims = {
      {"the reachable sets of any source are disjoint, and their union is the cube",
       jeon::disjoint_sets,
       fmt::format(
           "n = 4, from 0000: {} members in all, {} different nodes; so it is from {} of 16 sources",
           members, all.size(), sources_with_a_partition()),
       outcome_of(members == 16 && all.size() == 16 && sources_with_a_partition() == 16), ""},
      {"each is the subcube of those that share the leader's prefix", jeon::subcube,
       are_subcubes ? "sizes 1, 2, 4 and 8, each a subcube, and R4 = {0000}"
                    : "one is not a subcube",
       outcome_of(are_subcubes), ""},
      {"1000, 0100, 0010 and 0001 are the leaders of R_3, R_2, R_1 and R_0 of 0000, respectively",
       jeon::leaders,
       fmt::format("{}, {}, {} and {}, of R3, R2, R1 and R0", binary(sets[3].front(), dimensions),
                   binary(sets[2].front(), dimensions), binary(sets[1].front(), dimensions),
                   binary(sets[0].front(), dimensions)),
       outcome_of(has_leaders(sets)), ""}};
  return result;
}

FigureResult make_figure_4(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const PlannedTree tree = planned_broadcast("tree", "hypercube:4");
  FigureResult result;
  result.table = NumberTable({"u", "v", "level"});
  std::set<std::pair<NodeId, NodeId>> channels;
  NodeId last{};
  for (const Unicast& one : tree.schedule.unicasts) {
    result.table.add({binary(one.u, 4), binary(one.v, 4), std::to_string(one.step)});
    channels.emplace(one.u, one.v);
    if (one.step == tree.schedule.steps()) last = one.v;
  }
  result.picture.svg = draw_trees("Replication tree of a 4-cube",
                                  {{"source 0000", tree.schedule, tree.goal}}, 1, 4, "level");
  const auto deepest =
      std::count_if(tree.schedule.unicasts.begin(), tree.schedule.unicasts.end(),
                    [&](const Unicast& one) { return one.step == tree.schedule.steps(); });
  result.claims = {{"the replication tree of 0000 in a 4-cube is complete", jeon::replication_tree,
                    fmt::format("{} nodes, {} channels, {} levels", channels.size() + 1,
                                channels.size(), tree.schedule.steps()),
                    outcome_of(tree.schedule.steps() == 4 && channels.size() == 15 &&
                               tree.checked().exactly_once.ok()),
                    ""},
                   {"the farthest node, the terminal node, is 1111", jeon::terminal_node,
                    fmt::format("{} node{} in the last level: {}", deepest, deepest == 1 ? "" : "s",
                                binary(last, 4)),
                    outcome_of(deepest == 1 && index(last) == 15), ""}};
  return result;
}

}  // namespace

Figure jeon_2() {
  return {"jeon-2",         "reachable sets in a 4-cube",
          "Jeon01, fig. 2", FigureKind::drawing,
          no_points,        make_figure_2,
          jeon::by_plans};
}

Figure jeon_4() {
  return {"jeon-4",         "replication tree of a 4-cube",
          "Jeon01, fig. 4", FigureKind::drawing,
          no_points,        make_figure_4,
          jeon::by_plans};
}

}  // namespace allport
