// SPDX-License-Identifier: Apache-2.0
// These are [Robinson93] figures 9 and 10: the mean of the largest step over random destination
// sets.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "testbench/studies/reproduce/multicast_curves.h"
#include "testbench/studies/reproduce/papers/robinson/figures.h"
#include "testbench/studies/reproduce/papers/robinson/passages.h"

namespace allport {

namespace {

constexpr std::size_t papers_sets_of_steps = 100;

Point steps_point(const FigureRequest& request, int dimensions, std::size_t size) {
  return program_point(
      request, {"steps", "--topology", fmt::format("hypercube:{}", dimensions), "--algorithms",
                "ucube,maxport,combine,wsort", "--sizes", std::to_string(size), "--trials",
                std::to_string(request.trials_or(papers_sets_of_steps)), "--seed",
                std::to_string(request.seed), "--json", "-"});
}

std::vector<std::size_t> step_sizes(int dimensions) {
  if (dimensions > 6) return sizes_of_ten_cube();
  std::vector<std::size_t> sizes((std::size_t{1} << dimensions) - 1);
  std::iota(sizes.begin(), sizes.end(), std::size_t{1});
  return sizes;
}

std::vector<Point> steps_points(const FigureRequest& request, int dimensions) {
  std::vector<Point> points;
  for (const std::size_t size : step_sizes(dimensions)) {
    points.push_back(steps_point(request, dimensions, size));
  }
  return points;
}

// U-cube needs ceil(log2(m + 1)) steps for every set.
Claim staircase_claim(const MulticastCurves& curves) {
  std::size_t off = 0;
  for (std::size_t i = 0; i < curves.sizes().size(); ++i) {
    const double steps = std::ceil(std::log2(static_cast<double>(curves.sizes()[i]) + 1));
    if (curves.of("ucube")[i].value != steps) ++off;
  }
  return {"U-cube's curve is a staircase", robinson::fewer_steps,
          fmt::format("{} of {} sizes differ from ceil(log2(m + 1))", off, curves.sizes().size()),
          outcome_of(off == 0), ""};
}

FigureResult make_steps(const FigureRequest& request, const Runs& runs, int dimensions) {
  MulticastCurves curves(robinson_algorithms(), step_sizes(dimensions));
  for (const std::size_t size : step_sizes(dimensions)) {
    const Json& row = runs.of(steps_point(request, dimensions, size)).at("rows").at(0);
    for (const std::string& one : robinson_algorithms()) {
      curves.add(one, {row.at(one).get<double>(), 0});
    }
  }
  LineChart chart(
      fmt::format("Multicast on a {}-cube: steps", dimensions), "destinations",
      fmt::format("largest step, mean of {} sets", request.trials_or(papers_sets_of_steps)));
  curves.draw(chart);
  FigureResult result;
  result.table = curves.table(3, false);
  result.picture.gnuplot = chart.script();
  for (const std::string& one : new_algorithms()) {
    const std::size_t above = curves.sizes_above(one, "ucube");
    result.claims.push_back(
        {fmt::format("{} needs fewer steps than U-cube", printed_name(one)), robinson::fewer_steps,
         fmt::format("{:.1f} % fewer, by the sums over all sizes; more at {} of {} sizes",
                     curves.gain(one, "ucube"), above, curves.sizes().size()),
         outcome_of(above == 0 && curves.gain(one, "ucube") > 0), ""});
  }
  result.claims.push_back(staircase_claim(curves));
  result.claims.push_back(smoothness_claim(curves, curves.rises("ucube"), robinson::fewer_steps));
  return result;
}

}  // namespace

Figure robinson_9() {
  return {
      "robinson-9",
      "steps on a 6-cube over the number of destinations",
      "Robinson93, fig. 9",
      FigureKind::curve,
      [](const FigureRequest& request) { return steps_points(request, 6); },
      [](const FigureRequest& request, const Runs& runs) { return make_steps(request, runs, 6); },
      robinson::by_plans};
}

Figure robinson_10() {
  return {
      "robinson-10",
      "steps on a 10-cube over the number of destinations",
      "Robinson93, fig. 10",
      FigureKind::curve,
      [](const FigureRequest& request) { return steps_points(request, 10); },
      [](const FigureRequest& request, const Runs& runs) { return make_steps(request, runs, 10); },
      robinson::by_plans};
}

}  // namespace allport
