// SPDX-License-Identifier: Apache-2.0
// This is [Hou98] figure 2: the virtual channels in one dimension of a torus.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rtl_model/topology/deadlock.h"
#include "testbench/studies/reproduce/drawing/palette.h"
#include "testbench/studies/reproduce/drawing/svg.h"
#include "testbench/studies/reproduce/papers/hou/figures.h"
#include "testbench/studies/reproduce/papers/hou/passages.h"

namespace allport {

namespace {

constexpr int ring_size = 8;
constexpr int odd_ring_size = 7;

// Whether `path` takes p-channels up to and including the wraparound link and h or l after it, or h
// or l throughout if it does not wrap. Routes of one dimension only.
bool follows_the_rule(const Routing& routing, NodeId from, NodeId to, TieMask ties) {
  std::vector<std::pair<bool, VcClass>> hops;  // over the wraparound link, class
  NodeId here = from;
  while (const auto hop = routing.route(here, to, ties)) {
    const NodeId next = *routing.topology().neighbour(here, hop->port);
    const int distance = std::abs(static_cast<int>(index(next)) - static_cast<int>(index(here)));
    hops.emplace_back(distance > 1, hop->vc_class);
    here = next;
  }
  const auto wrap =
      std::find_if(hops.begin(), hops.end(), [](const auto& one) { return one.first; });
  for (auto hop = hops.begin(); hop != hops.end(); ++hop) {
    const bool is_before = wrap != hops.end() && hop <= wrap;
    if ((hop->second == VcClass::p) != is_before) return false;
  }
  return true;
}

// Routes of a ring, either way where both are as long, and how many of them break the rule.
std::pair<std::size_t, std::size_t> routes_off_the_rule(int nodes) {
  const Routing routing(parse_topology(fmt::format("ring:{}", nodes)),
                        RoutingOrder::dimension_ordered);
  std::size_t tried = 0;
  std::size_t off = 0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(nodes); ++a) {
    for (std::size_t b = 0; b < static_cast<std::size_t>(nodes); ++b) {
      for (const TieMask ties : {TieMask{0}, TieMask{1}}) {
        if (a == b) continue;
        ++tried;
        if (!follows_the_rule(routing, node_id(a), node_id(b), ties)) ++off;
      }
    }
  }
  return {tried, off};
}

std::string drawn_channels() {
  constexpr double step = 96;
  constexpr double left = 90;
  constexpr double middle = 165;
  constexpr std::array colours{0U, 1U, 2U};  // p, h, l
  Svg svg;
  svg.text({24, 30},
           fmt::format("Virtual channels in one dimension of a torus, {} nodes", ring_size),
           {20, "#111111", "start", true});
  const auto level = [&](int i, double y, bool is_up, const char* colour) {
    const double from = left + step * i + 22;
    const double to = left + step * (i + 1) - 22;
    svg.arrow({{is_up ? from : to, y}, {is_up ? to : from, y}}, {colour, 2.6});
  };
  for (int i = 0; i + 1 < ring_size; ++i) {
    level(i, middle - 19, true, palette(colours[1]));
    level(i, middle - 8, true, palette(colours[0]));
    level(i, middle + 8, false, palette(colours[0]));
    level(i, middle + 19, false, palette(colours[2]));
  }
  const double right = left + step * (ring_size - 1);
  svg.arrow({{right + 20, middle - 8},
             {right + 52, middle - 8},
             {right + 52, middle - 74},
             {left - 52, middle - 74},
             {left - 52, middle - 8},
             {left - 21, middle - 8}},
            {palette(colours[0]), 2.6});
  svg.arrow({{left - 20, middle + 8},
             {left - 40, middle + 8},
             {left - 40, middle + 74},
             {right + 40, middle + 74},
             {right + 40, middle + 8},
             {right + 21, middle + 8}},
            {palette(colours[0]), 2.6});
  for (int i = 0; i < ring_size; ++i) {
    const Position at{left + step * i, middle};
    svg.circle(at, 21, "#ffffff", {"#222222", 1.6});
    svg.text(at, std::to_string(i), {16, "#111111", "middle", true});
  }
  const std::array<const char*, 3> names{"p: up to and over the wraparound channel",
                                         "h: upwards, after it or without it",
                                         "l: downwards, after it or without it"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double y = middle + 112 + 26 * static_cast<double>(i);
    svg.arrow({{left - 40, y}, {left, y}}, {palette(colours[i]), 2.6});
    svg.text({left + 12, y}, names[i], {15, "#222222", "start"});
  }
  return svg.picture(right + 90, middle + 190);
}

FigureResult make_figure_2(const FigureRequest& /*request*/, const Runs& /*runs*/) {
  FigureResult result;
  result.picture.svg = drawn_channels();
  result.table = NumberTable({"nodes", "cycle with p, h and l", "cycle with one channel"});
  bool is_acyclic = true;
  bool one_is_not_enough = true;
  for (int nodes = 3; nodes <= 9; ++nodes) {
    const Routing routing(parse_topology(fmt::format("torus:{0}x{0}", nodes)),
                          RoutingOrder::dimension_ordered);
    const std::size_t with = find_dependency_cycle(routing, true).size();
    const std::size_t without = find_dependency_cycle(routing, false).size();
    is_acyclic = is_acyclic && with == 0;
    one_is_not_enough = one_is_not_enough && (nodes < 4 || without > 0);
    result.table.add({fmt::format("{0}x{0}", nodes), with == 0 ? "none" : std::to_string(with),
                      without == 0 ? "none" : fmt::format("of {} channels", without)});
  }
  const auto [tried_even, off_even] = routes_off_the_rule(ring_size);
  const auto [tried_odd, off_odd] = routes_off_the_rule(odd_ring_size);
  const std::size_t tried = tried_even + tried_odd;
  const std::size_t off = off_even + off_odd;
  result.claims = {
      {"p-channels carry messages to the wraparound channel, l- and h-channels those that have crossed it or never will, l to lower and h to higher addresses; likewise when k is odd",
       hou::virtual_channels,
       fmt::format(
           "{} of the {} routes of rings of {} and {} break the rule, by which allport's routes are made",
           off, tried, ring_size, odd_ring_size),
       outcome_of(off == 0), ""},
      {"so shortest paths are free of deadlock", hou::virtual_channels,
       is_acyclic ? "channel dependency graph acyclic on 3x3 to 9x9" : "a cycle is found",
       outcome_of(is_acyclic), ""},
      {"virtual channels have to be added for that, where a shortest path can have two links of a dimension",
       hou::virtual_channels,
       one_is_not_enough
           ? "without them a cycle on each of 4x4 to 9x9; none on 3x3, where no shortest path has two links of a dimension"
           : "no cycle without them",
       outcome_of(one_is_not_enough), ""}};
  return result;
}

}  // namespace

Figure hou_2() {
  return {"hou-2",         "virtual channels in one dimension of a torus",
          "Hou98, fig. 2", FigureKind::drawing,
          no_points,       make_figure_2,
          hou::by_plans};
}

}  // namespace allport
