// SPDX-License-Identifier: Apache-2.0
// The text of [Robinson93] does not give the start-up latency of figures 11 and 12. This figure
// shows what depends on it: the order of the algorithms at a few numbers of destinations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/robinson/figures.h"
#include "testbench/studies/reproduce/papers/robinson/passages.h"

namespace allport {

namespace {

constexpr std::size_t sets_of_a_point = 20;
constexpr std::array start_ups{0, 47, 250, 500, 1000, 1500, 2000, 2500, 3000, 4000};
constexpr std::size_t few = 8;  // destinations
constexpr std::size_t most = 30;
constexpr std::size_t everybody = 31;

Point startup_point(const FigureRequest& request, const std::string& model, int ts,
                    const std::string& algorithm, std::size_t size) {
  return run_point(
      request, model,
      {"--topology", "hypercube:5", "--routing", "ascending", "--bytes", "4096", "--flit-bytes",
       "4", "--ts", std::to_string(ts), "--algorithm", algorithm, "--destinations",
       fmt::format("random:{}", size), "--trials",
       std::to_string(request.trials_or(sets_of_a_point)), "--seed", std::to_string(request.seed)});
}

std::vector<Point> startup_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const int ts : start_ups) {
    for (const std::string& one : robinson_algorithms()) {
      points.push_back(startup_point(request, model, ts, one, few));
    }
    for (const std::size_t size : {most, everybody}) {
      points.push_back(startup_point(request, model, ts, "ucube", size));
    }
  }
  return points;
}

// The first start-up from which on `holds` is false, and stays so; none: it is true at the last.
template <class Holds>
std::optional<int> gone_from(Holds holds) {
  std::optional<int> from;
  for (const int ts : start_ups) {
    if (holds(ts)) {
      from.reset();
    } else if (!from) {
      from = ts;
    }
  }
  return from;
}

FigureResult make_startup(const FigureRequest& request, const Runs& runs) {
  const auto average = [&](int ts, const std::string& algorithm, std::size_t size) {
    return runs.of(startup_point(request, request.models.front(), ts, algorithm, size))
        .at("latency")
        .at("mean")
        .get<double>();
  };
  FigureResult result;
  std::vector<std::string> columns{"ts"};
  for (const std::string& one : robinson_algorithms()) {
    columns.push_back(fmt::format("{}, {} destinations", one, few));
  }
  columns.push_back(fmt::format("ucube, {} destinations", most));
  columns.push_back(fmt::format("ucube, {} destinations", everybody));
  result.table = NumberTable(columns);
  LineChart chart("Average delay on a 5-cube, 4096 bytes, over the start-up latency",
                  "start-up latency ts (cycles)",
                  "delay as a share of U-cube's at 8 destinations (%)");
  for (const std::string& one : new_algorithms()) {
    std::vector<std::pair<double, double>> points;
    points.reserve(start_ups.size());
    for (const int ts : start_ups) {
      points.emplace_back(ts, 100 * average(ts, one, few) / average(ts, "ucube", few));
    }
    chart.add(printed_name(one), points);
  }
  std::vector<std::pair<double, double>> anomaly;
  for (const int ts : start_ups) {
    std::vector<std::string> row{std::to_string(ts)};
    for (const std::string& one : robinson_algorithms()) {
      row.push_back(decimal(average(ts, one, few), 1));
    }
    row.push_back(decimal(average(ts, "ucube", most), 1));
    row.push_back(decimal(average(ts, "ucube", everybody), 1));
    result.table.add(row);
    anomaly.emplace_back(ts, 100 * average(ts, "ucube", most) / average(ts, "ucube", everybody));
  }
  chart.add("U-cube to 30, as a share of its broadcast", anomaly);
  result.picture.gnuplot = chart.script();
  const auto words = [](const std::optional<int>& from) {
    return from ? fmt::format("from ts = {} on", *from) : std::string("for none of them");
  };
  const std::optional<int> slower = gone_from([&](int ts) {
    const auto& algorithms = new_algorithms();
    return std::all_of(algorithms.begin(), algorithms.end(), [&](const std::string& one) {
      return average(ts, one, few) < average(ts, "ucube", few);
    });
  });
  const std::optional<int> no_anomaly = gone_from(
      [&](int ts) { return average(ts, "ucube", most) > average(ts, "ucube", everybody); });
  const char* source = "allport, beside figures 11 and 12";
  result.claims.push_back(
      {"with a long start-up latency the new algorithms are no longer all faster than U-cube",
       source,
       fmt::format("at {} destinations, in the average delay, {} of those tried", few,
                   words(slower)),
       outcome_of(slower.has_value()), ""});
  result.claims.push_back(
      {"with a long start-up latency U-cube's average delay is no longer worse for a multicast than for the broadcast",
       source,
       fmt::format("to {} destinations against all {}, {} of those tried", most, everybody,
                   words(no_anomaly)),
       outcome_of(no_anomaly.has_value()), ""});
  result.notes.emplace_back(
      "A transfer of the message takes 1024 cycles over one channel. The machine is that of figures 11 and 12, whose text does not give the start-up latency.");
  add_digests(result, request, runs, startup_points);
  return result;
}

}  // namespace

Figure robinson_startup() {
  return {"robinson-startup",
          "what depends on the start-up latency on a 5-cube",
          "Robinson93, beside figs. 11 and 12",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, startup_points); },
          make_startup,
          robinson::by_router};
}

}  // namespace allport
