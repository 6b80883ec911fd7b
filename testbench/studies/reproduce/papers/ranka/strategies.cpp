// SPDX-License-Identifier: Apache-2.0
// These are [Ranka88] section 4, figures 15 to 20: replicated computation, overlap in a maze, and
// the number of processors, each by `allport program`.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/ranka/figures.h"
#include "testbench/studies/reproduce/papers/ranka/passages.h"
#include "testbench/studies/reproduce/papers/ranka/program_point.h"

namespace allport {

namespace {

using Curve = std::vector<std::pair<double, double>>;

constexpr std::array works{0, 100, 1000, 10000};

Point replicated_point(const FigureRequest& request, const std::string& model, const char* version,
                       int work) {
  return machine_point(request, model, "replicated", 4,
                       {"--variant", version, "--work", std::to_string(work)});
}

std::vector<Point> points_15(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const int work : works) {
    for (const char* version : {"c", "d"}) {
      points.push_back(replicated_point(request, model, version, work));
    }
  }
  return points;
}

FigureResult make_figure_15(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"g and f_i (microseconds)", "(c) one computes g (microseconds)",
                              "(d) all compute g (microseconds)", "difference"});
  const auto time = [&](const char* version, int work) {
    return microseconds_of(
        runs.of(replicated_point(request, request.models.front(), version, work)));
  };
  const double broadcast = time("c", 0);
  double most = 0;
  Curve one;
  Curve all;
  for (const int work : works) {
    const double difference = time("c", work) - time("d", work);
    most = std::max(most, std::abs(difference / broadcast - 1));
    one.emplace_back(work, time("c", work));
    all.emplace_back(work, time("d", work));
    result.table.add({std::to_string(work), decimal(time("c", work), 1),
                      decimal(time("d", work), 1), decimal(difference, 1)});
  }
  LineChart chart("A value broadcast, or computed by every one of 16 processors",
                  "time of g and of f_i (microseconds)", "time (microseconds)");
  chart.add("(c) one computes g(x) and broadcasts it", one);
  chart.add("(d) all compute g(x)", all);
  result.picture.gnuplot = chart.script();
  result.claims = {
      {"recomputing g(x) is faster than reusing it by about the time of its broadcast",
       ranka::recomputing,
       fmt::format(
           "the broadcast takes {:.0f} microseconds on 16 processors; the difference is off by {:.2f} % at most",
           broadcast, 100 * most),
       outcome_of(most < 0.05), ""}};
  add_digests(result, request, runs, points_15);
  return result;
}

constexpr std::array cell_works{45, 450, 2000};
constexpr int mazes = 10;

Point maze_point(const FigureRequest& request, const std::string& model, const char* algorithm,
                 int work, int seed) {
  return machine_point(request, model, "maze", 4,
                       {"--variant", algorithm, "--side", "64", "--blocked", "0.3", "--work",
                        std::to_string(work), "--seed", std::to_string(seed)});
}

std::vector<Point> points_17(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const int work : cell_works) {
    for (int seed = 1; seed <= mazes; ++seed) {
      for (const char* algorithm : {"1", "2"}) {
        points.push_back(maze_point(request, model, algorithm, work, seed));
      }
    }
  }
  return points;
}

FigureResult make_figure_17(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable(
      {"a cell (microseconds)", "maze", "algorithm 1 (ms)", "algorithm 2 (ms)", "less time %"});
  LineChart chart("Front waves in 10 mazes of 64 x 64 on 16 processors", "maze",
                  "less time by algorithm 2 (%)");
  std::string measured;
  bool is_alike = false;
  for (const int work : cell_works) {
    Curve curve;
    double sum = 0;
    for (int seed = 1; seed <= mazes; ++seed) {
      const auto time = [&](const char* algorithm) {
        return microseconds_of(
            runs.of(maze_point(request, request.models.front(), algorithm, work, seed)));
      };
      const double gain = 100 * (1 - time("2") / time("1"));
      sum += gain;
      curve.emplace_back(seed, gain);
      result.table.add({std::to_string(work), std::to_string(seed), decimal(time("1") / 1000, 2),
                        decimal(time("2") / 1000, 2), decimal(gain, 1)});
    }
    is_alike = is_alike || (sum / mazes >= 25 && sum / mazes <= 30);
    measured += fmt::format("{}{:.1f} % with {} microseconds", measured.empty() ? "" : ", ",
                            sum / mazes, work);
    chart.add(fmt::format("{} microseconds a cell", work), curve);
  }
  result.picture.gnuplot = chart.script();
  result.claims = {
      {"algorithm 2 requires 25 % to 30 % less time than algorithm 1", ranka::mazes,
       "less time, mean of 10 random mazes: " + measured + " a cell", Outcome::not_tested,
       "Neither the mazes nor what a cell costs are in the text; the agreement of all processors after each wave, which it does not describe, costs both algorithms the same, and the start-up of a message, most of its time, keeps the processor from computing"}};
  add_digests(result, request, runs, points_17);
  result.notes.emplace_back(
      "Both algorithms find the length that one processor finds. The parts of figure 19 are lost: squares on a Gray-code mesh are taken.");
  return result;
}

constexpr int largest_cube = 6;

Point knapsack_point(const FigureRequest& request, const std::string& model, int processors) {
  return machine_point(
      request, model, "knapsack", largest_cube,
      {"--objects", "100", "--capacity", "30", "--processors", std::to_string(processors)});
}

std::vector<Point> points_20(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (int d = 0; d <= largest_cube; ++d) points.push_back(knapsack_point(request, model, 1 << d));
  return points;
}

constexpr const char* by_own_combining =
    "How the results are combined is only named in the text: the messages and costs are allport's";

FigureResult make_figure_20(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table =
      NumberTable({"processors", "total (ms)", "dynamic programming (ms)", "combining (ms)"});
  constexpr double step_us = 2 * 11.2;
  Curve totals;
  Curve parts;
  Curve combining;
  int best = 0;
  bool is_rising = true;
  for (int d = 0; d <= largest_cube; ++d) {
    const int processors = 1 << d;
    const double total =
        microseconds_of(runs.of(knapsack_point(request, request.models.front(), processors))) /
        1000;
    const int objects = 100 / processors;  // of rank 0, which ends last
    const double part = objects * 31 * step_us / 1000;
    if (!totals.empty()) {
      is_rising = is_rising && total - part > combining.back().second;
      if (total < totals[static_cast<std::size_t>(best)].second) best = d;
    }
    totals.emplace_back(processors, total);
    parts.emplace_back(processors, part);
    combining.emplace_back(processors, total - part);
    result.table.add({std::to_string(processors), decimal(total, 2), decimal(part, 2),
                      decimal(total - part, 2)});
  }
  LineChart chart("The knapsack of 100 objects and capacity 30", "processors", "milliseconds");
  chart.use_log_x();
  chart.add("total", totals);
  chart.add("dynamic programming", parts);
  chart.add("combining", combining);
  result.picture.gnuplot = chart.script();
  result.claims = {
      {"the combining time increases with the number of processors", ranka::knapsack,
       fmt::format("from {:.1f} ms with 2 to {:.1f} ms with 64", combining[1].second,
                   combining.back().second),
       Outcome::not_tested,
       fmt::format("{}. {}", is_rising ? "So it is here" : "It is not so here", by_own_combining)},
      {"it eventually overshadows the reduction of the dynamic programming time", ranka::knapsack,
       fmt::format("the total is least with {} processors, {:.1f} ms; with 64 it is {:.1f} ms",
                   1 << best, totals[static_cast<std::size_t>(best)].second, totals.back().second),
       Outcome::not_tested,
       fmt::format("{}. {}",
                   best > 0 && best < largest_cube ? "So it is here" : "It is not so here",
                   by_own_combining)}};
  add_digests(result, request, runs, points_20);
  result.notes.emplace_back(
      "The objects are random: the text's test set is not known. A step of the dynamic programming, or of combining, takes two additions; every best profit is that of one processor.");
  return result;
}

}  // namespace

Figure ranka_15() {
  return {"ranka-15",
          "a value broadcast, or computed by all",
          "Ranka88, fig. 15",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_15); },
          make_figure_15,
          ranka::by_router};
}

Figure ranka_17() {
  return {"ranka-17",
          "front waves in mazes, with and without overlap",
          "Ranka88, figs. 17 and 18",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_17); },
          make_figure_17,
          ranka::by_router};
}

Figure ranka_20() {
  return {"ranka-20",
          "components of the time of a knapsack",
          "Ranka88, fig. 20",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_20); },
          make_figure_20,
          ranka::by_router};
}

}  // namespace allport
