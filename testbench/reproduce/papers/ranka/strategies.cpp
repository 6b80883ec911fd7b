// SPDX-License-Identifier: Apache-2.0
// These are [Ranka88] section 4, figures 13 to 20: load balancing, replicated computation, overlap
// in a maze, and the number of processors, each by `allport program`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "testbench/reproduce/drawing/line_chart.h"
#include "testbench/reproduce/papers/ranka/figures.h"
#include "testbench/reproduce/papers/ranka/passages.h"
#include "testbench/reproduce/papers/ranka/program_point.h"

namespace allport {

namespace {

using Curve = std::vector<std::pair<double, double>>;

constexpr std::array loads{1, 4, 16, 64, 256, 1024};
constexpr std::array start_ups{0, 177, 1770};

Point load_point(const FigureRequest& request, const std::string& model, const char* heuristic,
                 int load, int start_up) {
  return machine_point(
      request, model, "load-balance", 4,
      {"--variant", heuristic, "--load", std::to_string(load), "--ts", std::to_string(start_up)});
}

std::vector<Point> points_13(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const int start_up : start_ups) {
    for (const int load : loads) {
      for (const char* heuristic : {"1", "2"}) {
        points.push_back(load_point(request, model, heuristic, load, start_up));
      }
    }
  }
  return points;
}

// One row of the table: both heuristics at a mean load (items) and a start-up (cycles).
struct BalanceRow {
  int start_up;
  int load;
  std::array<double, 2> time_us;
  std::array<int, 2> messages;
  bool is_second_faster() const { return time_us[1] < time_us[0]; }
};

std::vector<BalanceRow> balance_rows(const FigureRequest& request, const Runs& runs) {
  std::vector<BalanceRow> rows;
  for (const int start_up : start_ups) {
    for (const int load : loads) {
      BalanceRow row{start_up, load, {}, {}};
      for (const std::size_t i : {0U, 1U}) {
        const Json& result = runs.of(
            load_point(request, request.models.front(), i == 0 ? "1" : "2", load, start_up));
        row.time_us.at(i) = microseconds_of(result);
        row.messages.at(i) = result.at("tasks").at("messages").get<int>();
      }
      rows.push_back(row);
    }
  }
  return rows;
}

// The code of figure 14 is lost, and with it how many messages it sends.
Claim twice_claim(const std::vector<BalanceRow>& rows) {
  const auto ratio = [](const BalanceRow& row) {
    return static_cast<double>(row.messages[1]) / row.messages[0];
  };
  const auto [least, most] = std::minmax_element(
      rows.begin(), rows.end(),
      [&](const BalanceRow& a, const BalanceRow& b) { return ratio(a) < ratio(b); });
  return {"heuristic 2 requires twice as many message transmissions", ranka::twice_as_many,
          fmt::format("{:.2f} to {:.2f} times as many: {} against {}, to {} against {} messages",
                      ratio(*least), ratio(*most), least->messages[1], least->messages[0],
                      most->messages[1], most->messages[0]),
          Outcome::not_tested,
          "The code of figure 14 is lost in the copy that was used. In this reconstruction both "
          "processors send their sizes, and then only the one with more than the average sends "
          "what is in excess; if both always sent a second message, it would be twice"};
}

// "We expect variation 1 to be faster when the number of bytes in MyLoad and HisLoad is relatively
// small and the time to set up a data transmission relatively large. Otherwise, variation 2."
void add_crossover_claims(Claims& claims, const std::vector<BalanceRow>& rows) {
  std::array<int, start_ups.size()> crossover{};  // the least load at which 2 is faster
  bool switches_once = true;
  for (std::size_t i = 0; i < start_ups.size(); ++i) {
    crossover.at(i) = 2 * loads.back();
    for (const BalanceRow& row : rows) {
      if (row.start_up != start_ups.at(i)) continue;
      if (row.is_second_faster()) crossover.at(i) = std::min(crossover.at(i), row.load);
      switches_once = switches_once && row.is_second_faster() == (row.load >= crossover.at(i));
    }
  }
  const bool is_rising =
      std::is_sorted(crossover.begin(), crossover.end()) && crossover.front() < crossover.back();
  claims.push_back(
      {"heuristic 1 is faster where loads are small and start-ups long", ranka::variations,
       fmt::format("with start-ups of {} cycles it is below a mean load of {} items, "
                   "and nowhere else",
                   fmt::join(start_ups, ", "), fmt::join(crossover, ", ")),
       outcome_of(is_rising && switches_once && loads.front() < crossover.back()), ""});
  const auto at_no_start_up = std::count_if(rows.begin(), rows.end(), [](const BalanceRow& row) {
    return row.start_up == 0 && row.is_second_faster();
  });
  const auto at_largest_load = std::count_if(rows.begin(), rows.end(), [](const BalanceRow& row) {
    return row.load == loads.back() && row.is_second_faster();
  });
  const bool is_otherwise = at_no_start_up == static_cast<std::ptrdiff_t>(loads.size()) &&
                            at_largest_load == static_cast<std::ptrdiff_t>(start_ups.size());
  claims.push_back({"otherwise heuristic 2 takes less time", ranka::variations,
                    fmt::format("at the largest load it does with {} of {} start-ups, without a "
                                "start-up at {} of {} loads",
                                at_largest_load, start_ups.size(), at_no_start_up, loads.size()),
                    outcome_of(is_otherwise),
                    is_otherwise ? ""
                                 : "It exchanges sizes before it sends anything else: with small "
                                   "loads this takes longer than it saves, start-up or not"});
}

FigureResult make_figure_13(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"start-up (cycles)", "mean load (items)", "heuristic 1 (ms)",
                              "heuristic 2 (ms)", "messages 1", "messages 2"});
  const std::vector<BalanceRow> rows = balance_rows(request, runs);
  std::map<int, Curve> curves;  // by start-up
  for (const BalanceRow& row : rows) {
    curves[row.start_up].emplace_back(row.load, row.time_us[1] / row.time_us[0]);
    result.table.add({std::to_string(row.start_up), std::to_string(row.load),
                      decimal(row.time_us[0] / 1000, 2), decimal(row.time_us[1] / 1000, 2),
                      std::to_string(row.messages[0]), std::to_string(row.messages[1])});
  }
  LineChart chart("Load balancing on a 4-cube: the time of heuristic 2 by that of heuristic 1",
                  "mean load of a processor (items of 4 bytes)", "ratio");
  chart.use_log_x();
  for (const auto& [start_up, curve] : curves) chart.add(fmt::format("ts = {}", start_up), curve);
  result.picture.gnuplot = chart.script();
  result.claims = {twice_claim(rows)};
  add_crossover_claims(result.claims, rows);
  add_digests(result, request, runs, points_13);
  result.notes.emplace_back(
      "Random loads of 0 to twice the mean; the NCUBE's own start-up is 177 cycles. No item is "
      "lost, "
      "and the sizes at the end are those that one processor computes.");
  return result;
}

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
           "the broadcast takes {:.0f} microseconds on 16 processors; the difference is off "
           "by {:.2f} % at most",
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
       "less time, mean of 10 random mazes: " + measured + " a cell", reproduced_if(is_alike),
       "Neither the mazes nor what a cell costs are in the text; the agreement of all processors "
       "after each wave, which it does not describe, costs both algorithms the same, and the "
       "start-up of a message, most of its time, keeps the processor from computing"}};
  add_digests(result, request, runs, points_17);
  result.notes.emplace_back(
      "Both algorithms find the length that one processor finds. The parts of figure 19 are lost: "
      "squares on a Gray-code mesh are taken.");
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
       outcome_of(is_rising), ""},
      {"it eventually overshadows the reduction of the dynamic programming time", ranka::knapsack,
       fmt::format("the total is least with {} processors, {:.1f} ms; with 64 it is {:.1f} ms",
                   1 << best, totals[static_cast<std::size_t>(best)].second, totals.back().second),
       outcome_of(best > 0 && best < largest_cube), ""},
      {"there is a best number of processors for an instance", ranka::best_dimension,
       fmt::format("{} of 1 to 64", 1 << best), outcome_of(best > 0 && best < largest_cube), ""}};
  add_digests(result, request, runs, points_20);
  result.notes.emplace_back(
      "The objects are random: the text's test set is not known. A step of the dynamic "
      "programming, "
      "or of combining, takes two additions; every best profit is that of one processor.");
  return result;
}

}  // namespace

Figure ranka_13() {
  return {"ranka-13",
          "load balancing by two heuristics",
          "Ranka88, figs. 13 and 14",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_13); },
          make_figure_13,
          ranka::by_router};
}

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
