// SPDX-License-Identifier: Apache-2.0
// [CasanovaSlides], the hypercube: the broadcast over the spanning binomial tree, routes and
// disjoint paths.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "testbench/reproduce/drawing/palette.h"
#include "testbench/reproduce/drawing/tree_drawing.h"
#include "testbench/reproduce/papers/casanova/figures.h"
#include "testbench/reproduce/planned_tree.h"

namespace allport {

namespace {

constexpr int flits = 256;
constexpr int ts = 40;
constexpr int largest_cube = 8;

Point sbt_point(const FigureRequest& request, const std::string& model, int n) {
  return run_point(request, model,
                   {"--topology", fmt::format("hypercube:{}", n), "--algorithm", "sbt", "--ports",
                    "1", "--flits", std::to_string(flits), "--ts", std::to_string(ts)});
}

std::vector<Point> sbt_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (int n = 1; n <= largest_cube; ++n) points.push_back(sbt_point(request, model, n));
  return points;
}

// Whether every node receives over the channel of the rightmost 1 of its address, in the step of
// that channel, the highest first.
bool receives_on_rightmost(const Schedule& schedule, int n) {
  return std::all_of(schedule.unicasts.begin(), schedule.unicasts.end(), [&](const Unicast& one) {
    const std::size_t channel = index(one.u) ^ index(one.v);
    const std::size_t rightmost = index(one.v) & (~index(one.v) + 1);
    int phase = 0;
    while ((std::size_t{1} << phase) < channel) ++phase;
    return channel == rightmost && one.step == n - phase;
  });
}

FigureResult make_sbt(const FigureRequest& request, const Runs& runs) {
  std::vector<std::size_t> all;
  for (std::size_t node = 1; node < 16; ++node) all.push_back(node);
  const PlannedTree tree = planned_tree("sbt", 4, 1, 0, all);
  FigureResult result;
  result.picture.svg = draw_trees("Broadcast over the spanning binomial tree of a 4-cube",
                                  {{"one port", tree.schedule, tree.goal}}, 1, 4, "step");
  result.table = NumberTable({"n", "n (L + m b)", "simulated", "difference"});
  int largest = 0;
  for (int n = 1; n <= largest_cube; ++n) {
    const int formula = n * (ts + 1 + flits);
    const int time =
        runs.of(sbt_point(request, request.models.front(), n)).at("latency").at("max").get<int>();
    largest = std::max(largest, std::abs(time - formula));
    result.table.add({std::to_string(n), std::to_string(formula), std::to_string(time),
                      std::to_string(time - formula)});
  }
  const char* place = "CasanovaSlides, hypercube broadcast";
  const bool on_rightmost = receives_on_rightmost(tree.schedule, 4);
  result.claims = {
      {"n steps, and every processor receives once", place,
       fmt::format("{} steps for n = 4; exactly once: {}", tree.schedule.steps(),
                   tree.checked().exactly_once.ok() ? "yes" : "no"),
       outcome_of(tree.schedule.steps() == 4 && tree.checked().exactly_once.ok()), ""},
      {"everybody receives over the link of the rightmost 1 of its address, highest links first",
       place, on_rightmost ? "all 15 do" : "not all do", outcome_of(on_rightmost), ""},
      {"at each step a processor communicates with at most one other", place,
       fmt::format("{} violations of one port", tree.checked().port_rule.violations),
       outcome_of(tree.checked().port_rule.ok()), ""},
      {"the broadcast takes n (L + m b)", place,
       fmt::format("largest difference to the simulation {} cycles, n = 1 to 8, L + m b = {}",
                   largest, ts + 1 + flits),
       outcome_of(largest == 0),
       largest == 0 ? ""
                    : "A sender prepares its next message while the last one is on its way: where "
                      "ts < m the start-ups overlap with transfers"}};
  add_digests(result, request, runs, sbt_points);
  return result;
}

// The k shortest paths between 0 and `mask`, as lists of nodes; path j flips bits j, j - 1, .. 0,
// k - 1, .. j + 1 of those in which the two differ.
std::vector<std::vector<std::size_t>> disjoint_paths(std::size_t mask) {
  std::vector<std::size_t> bits;
  for (std::size_t bit = 0; bit < 16; ++bit) {
    if ((mask >> bit & 1U) != 0) bits.push_back(bit);
  }
  std::vector<std::vector<std::size_t>> paths;
  for (std::size_t j = 0; j < bits.size(); ++j) {
    std::vector<std::size_t> path{0};
    for (std::size_t i = 0; i < bits.size(); ++i) {
      path.push_back(path.back() ^ (std::size_t{1} << bits[(j + bits.size() - i) % bits.size()]));
    }
    paths.push_back(path);
  }
  return paths;
}

bool are_disjoint(const std::vector<std::vector<std::size_t>>& paths) {
  std::set<std::size_t> inner;
  std::size_t count = 0;
  for (const auto& path : paths) {
    inner.insert(path.begin() + 1, path.end() - 1);
    count += path.size() - 2;
  }
  return inner.size() == count;
}

std::string drawn_paths(const std::vector<std::vector<std::size_t>>& paths, int bits) {
  Svg svg;
  svg.text({24, 30}, "Four node-disjoint paths from 0000 to 1111", {20, "#111111", "start", true});
  constexpr double column = 120;
  constexpr double row = 62;
  const auto spot = [&](std::size_t hop, double line) {
    return Position{80 + column * static_cast<double>(hop), 90 + row * line};
  };
  const double middle = (static_cast<double>(paths.size()) - 1) / 2;
  const auto node = [&](Position at, std::size_t address, bool is_end) {
    svg.box({at.x - 30, at.y - 14}, 60, 28, is_end ? "#333333" : "#ffffff", {"#222222", 1.6});
    svg.text(at, binary(node_id(address), bits),
             {15, is_end ? "#ffffff" : "#111111", "middle", false, true});
  };
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const char* colour = palette(i);
    for (std::size_t hop = 0; hop + 1 < paths[i].size(); ++hop) {
      const bool is_first = hop == 0;
      const bool is_last = hop + 2 == paths[i].size();
      const Position from = spot(hop, is_first ? middle : static_cast<double>(i));
      const Position to = spot(hop + 1, is_last ? middle : static_cast<double>(i));
      svg.arrow({{from.x + 31, from.y + (is_first ? 5 * (static_cast<double>(i) - middle) : 0)},
                 {to.x - 32, to.y + (is_last ? 5 * (static_cast<double>(i) - middle) : 0)}},
                {colour, 2.8});
      if (!is_last) node(to, paths[i][hop + 1], false);
    }
  }
  const std::size_t last = paths.front().size() - 1;
  node(spot(0, middle), paths.front().front(), true);
  node(spot(last, middle), paths.front().back(), true);
  return svg.picture(spot(last, 0).x + 60, 90 + row * static_cast<double>(paths.size() - 1) + 50);
}

FigureResult make_routing(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  const Routing routing(parse_topology("hypercube:5"), RoutingOrder::ascending);
  std::string route = "10111";
  for (const Channel& channel : routing.path(node_id(0b10111), node_id(0b01110))) {
    route += " " + binary(*routing.topology().neighbour(channel.node, channel.port), 5);
  }
  FigureResult result;
  result.table = NumberTable({"path", "nodes"});
  const auto paths = disjoint_paths(0b1111);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    std::string nodes;
    for (const std::size_t one : paths[i])
      nodes += (nodes.empty() ? "" : " ") + binary(node_id(one), 4);
    result.table.add({std::to_string(i), nodes});
  }
  std::size_t pairs = 0;
  std::size_t wrong = 0;
  for (std::size_t mask = 1; mask < 1024; ++mask) {
    ++pairs;
    if (!are_disjoint(disjoint_paths(mask))) ++wrong;
  }
  result.picture.svg = drawn_paths(paths, 4);
  result.claims = {
      {"the rightmost bit that differs is flipped first: 10111, 10110, 11110, 01110",
       "CasanovaSlides, hypercube routing", route, outcome_of(route == "10111 10110 11110 01110"),
       ""},
      {"nodes that differ in k bits are joined by k paths with no other node in common",
       "CasanovaSlides, hypercube paths",
       fmt::format("the paths of {} of {} differences of a 10-cube have a node in common", wrong,
                   pairs),
       outcome_of(wrong == 0), ""},
      {"the bits to be flipped are the NOR of the two addresses",
       "CasanovaSlides, hypercube routing",
       fmt::format("10111 XOR 01110 = {:05b}, as printed; their NOR is {:05b}", 0b10111 ^ 0b01110,
                   ~(0b10111 | 0b01110) & 0b11111),
       Outcome::fails, "A slip: XOR is meant"}};
  return result;
}

}  // namespace

Figure casanova_sbt() {
  return {"casanova-sbt",
          "broadcast over the spanning binomial tree",
          "CasanovaSlides, hypercube broadcast",
          FigureKind::drawing,
          [](const FigureRequest& request) { return points_of_models(request, sbt_points); },
          make_sbt};
}

Figure casanova_routing() {
  return {"casanova-routing",
          "node-disjoint paths in a hypercube",
          "CasanovaSlides, hypercube paths",
          FigureKind::drawing,
          no_points,
          make_routing};
}

}  // namespace allport
