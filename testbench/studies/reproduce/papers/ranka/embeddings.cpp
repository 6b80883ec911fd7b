// SPDX-License-Identifier: Apache-2.0
// This is [Ranka88] figure 4: a 2x4 mesh, a ring of 8 and a full binary tree of 7 nodes in an
// 8-node hypercube. The star graph, of which the text speaks before, is here too.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <queue>

#include "testbench/studies/reproduce/drawing/palette.h"
#include "testbench/studies/reproduce/drawing/svg.h"
#include "testbench/studies/reproduce/papers/ranka/figures.h"
#include "testbench/studies/reproduce/papers/ranka/passages.h"

namespace allport {

namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;
constexpr std::size_t cube_nodes = 8;
constexpr std::size_t tree_nodes = 7;

std::size_t hops(std::size_t a, std::size_t b) {
  std::size_t count = 0;
  for (std::size_t bits = a ^ b; bits != 0; bits &= bits - 1) ++count;
  return count;
}

// The Gray code by the text's recursion: S1 = 0, 1; Sk = 0[Sk-1], 1[Sk-1] reversed.
std::vector<std::size_t> gray_code(std::size_t bits) {
  std::vector<std::size_t> codes{0, 1};
  for (std::size_t k = 2; k <= bits; ++k) {
    const std::size_t half = codes.size();
    for (std::size_t i = half; i > 0; --i) codes.push_back(half + codes[i - 1]);
  }
  return codes;
}

Edges ring_edges() {
  const std::vector<std::size_t> code = gray_code(3);
  Edges edges;
  for (std::size_t i = 0; i < code.size(); ++i) {
    edges.emplace_back(code[i], code[(i + 1) % code.size()]);
  }
  return edges;
}

Edges mesh_edges() {
  const std::vector<std::size_t> column = gray_code(2);
  const auto node = [&](std::size_t row, std::size_t i) { return row << 2 | column[i]; };
  Edges edges;
  for (std::size_t i = 0; i < 4; ++i) {
    edges.emplace_back(node(0, i), node(1, i));
    for (std::size_t row = 0; row < 2 && i < 3; ++row) {
      edges.emplace_back(node(row, i), node(row, i + 1));
    }
  }
  return edges;
}

// The edges of the tree when node i of the heap stands at place[i].
Edges tree_edges(const std::vector<std::size_t>& place) {
  Edges edges;
  for (std::size_t i = 1; i < tree_nodes; ++i) edges.emplace_back(place[(i - 1) / 2], place[i]);
  return edges;
}

std::size_t longest(const Edges& edges) {
  std::size_t most = 0;
  for (const auto& [a, b] : edges) most = std::max(most, hops(a, b));
  return most;
}

struct TreePlaces {
  std::size_t all = 0;
  std::size_t on_links = 0;          // every edge is a link
  std::size_t as_printed = 0;        // 100 is free, and only 000 to 110 takes two hops
  std::vector<std::size_t> example;  // one of these
};

// Every way to put the tree's nodes on the cube's.
TreePlaces every_tree() {
  TreePlaces found;
  std::vector<std::size_t> place(cube_nodes);
  std::iota(place.begin(), place.end(), std::size_t{0});
  do {
    ++found.all;
    const Edges edges = tree_edges(place);
    if (longest(edges) == 1) ++found.on_links;
    const bool is_printed = place.back() == 0b100 &&
                            std::all_of(edges.begin(), edges.end(),
                                        [](const auto& edge) {
                                          const bool is_long =
                                              std::min(edge.first, edge.second) == 0b000 &&
                                              std::max(edge.first, edge.second) == 0b110;
                                          return hops(edge.first, edge.second) == (is_long ? 2 : 1);
                                        }) &&
                            longest(edges) == 2;
    if (is_printed && found.as_printed++ == 0) found.example = place;
  } while (std::next_permutation(place.begin(), place.end()));
  return found;
}

// The diameter of the star graph on permutations of `symbols`: the farthest from one of them, for
// all look alike.
int star_diameter(std::size_t symbols) {
  std::vector<std::size_t> start(symbols);
  std::iota(start.begin(), start.end(), std::size_t{0});
  std::map<std::vector<std::size_t>, int> distance{{start, 0}};
  std::queue<std::vector<std::size_t>> queue;
  queue.push(start);
  int most = 0;
  while (!queue.empty()) {
    const std::vector<std::size_t> here = queue.front();
    queue.pop();
    for (std::size_t i = 1; i < symbols; ++i) {
      std::vector<std::size_t> next = here;
      std::swap(next[0], next[i]);
      if (!distance.emplace(next, distance[here] + 1).second) continue;
      most = std::max(most, distance[next]);
      queue.push(next);
    }
  }
  return most;
}

Position resource_of(std::size_t node) {
  const double x = (node & 1U) != 0 ? 150 : 0;
  const double y = (node & 2U) != 0 ? 0 : 150;
  return (node & 4U) != 0 ? Position{x + 85, y - 60} : Position{x, y};
}

// A cube with the edges of a guest, those of two hops by way of node `via`.
Svg drawn_cube(const std::string& caption, const Edges& edges, std::size_t via,
               std::size_t colour) {
  Svg svg;
  for (std::size_t a = 0; a < cube_nodes; ++a) {
    for (std::size_t bit = 1; bit < cube_nodes; bit *= 2) {
      if ((a & bit) == 0) svg.line({resource_of(a), resource_of(a | bit)}, {"#cccccc", 1.5});
    }
  }
  for (const auto& [a, b] : edges) {
    if (hops(a, b) == 1)
      svg.line({resource_of(a), resource_of(b)}, {palette(colour), 4.5});
    else
      svg.line({resource_of(a), resource_of(via), resource_of(b)}, {palette(colour), 4.5, true});
  }
  for (std::size_t node = 0; node < cube_nodes; ++node) {
    const Position at = resource_of(node);
    svg.box({at.x - 22, at.y - 12}, 44, 24, "#ffffff", {"#222222", 1.6});
    svg.text(at, fmt::format("{:03b}", node), {15, "#111111", "middle", false, true});
  }
  svg.text({110, 195}, caption, {15, "#222222"});
  return svg;
}

std::string drawn(const TreePlaces& trees) {
  Svg svg;
  svg.text({24, 30}, "Networks in an 8-node hypercube", {20, "#111111", "start", true});
  svg.place(drawn_cube("(a) 2x4 mesh", mesh_edges(), 0, 0), {60, 140});
  svg.place(drawn_cube("(b) ring of 8", ring_edges(), 0, 1), {390, 140});
  svg.place(drawn_cube("(c) tree of 7; 100 only passes on", tree_edges(trees.example), 0b100, 2),
            {720, 140});
  return svg.picture(1020, 370);
}

FigureResult make_figure_4(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const TreePlaces trees = every_tree();
  FigureResult result;
  result.picture.svg = drawn(trees);
  result.table = NumberTable({"links of a processor", "nodes of a hypercube", "its diameter",
                              "nodes of a star graph", "its diameter, searched",
                              "floor(3(d - 1)/2), printed", "floor(3d/2)"});
  bool is_printed = true;
  bool is_known = true;
  std::size_t nodes = 1;
  for (int d = 1; d <= 6; ++d) {
    nodes *= static_cast<std::size_t>(d) + 1;
    const int diameter = star_diameter(static_cast<std::size_t>(d) + 1);
    is_printed = is_printed && diameter <= 3 * (d - 1) / 2;
    is_known = is_known && diameter == 3 * d / 2;
    result.table.add({std::to_string(d), std::to_string(1 << d), std::to_string(d),
                      std::to_string(nodes), std::to_string(diameter),
                      std::to_string(3 * (d - 1) / 2), std::to_string(3 * d / 2)});
  }
  result.claims = {
      {"a 2x4 mesh and a ring of 8 map into an 8-node hypercube by Gray codes", ranka::mapped,
       fmt::format("neighbours are {} and {} hop apart", longest(mesh_edges()),
                   longest(ring_edges())),
       outcome_of(longest(mesh_edges()) == 1 && longest(ring_edges()) == 1), ""},
      {"the full binary tree of figure 4 cannot be mapped so that its neighbours are neighbours of the 8-node hypercube",
       ranka::tree,
       fmt::format("{} of all {} placements do it; a tree of 3 nodes can be mapped, into 4",
                   trees.on_links, trees.all),
       outcome_of(trees.on_links == 0), ""},
      {"(c) it can if 000 and 110 are connected via 100, which has no node of the tree",
       ranka::tree,
       fmt::format("{} placements have all other neighbours one hop apart", trees.as_printed),
       outcome_of(trees.as_printed > 0), ""},
      {"the distance in a star graph of d links a processor is at most floor(3(d - 1)/2)",
       ranka::star_graph,
       fmt::format("searched for d = 1 to 6: it is floor(3d/2) for {}",
                   is_known ? "all" : "some only"),
       outcome_of(is_printed),
       "Right where d counts the symbols of a permutation, one more than the links"}};
  result.notes.emplace_back("The figure is lost: (c) is one of the placements that fit the text.");
  return result;
}

}  // namespace

Figure ranka_4() {
  return {"ranka-4",         "networks mapped into a hypercube",
          "Ranka88, fig. 4", FigureKind::drawing,
          no_points,         make_figure_4,
          ranka::by_text};
}

}  // namespace allport
