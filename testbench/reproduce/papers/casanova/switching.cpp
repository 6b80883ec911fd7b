// SPDX-License-Identifier: Apache-2.0
// [CasanovaSlides], point-to-point protocols: store-and-forward and cut-through over the distance.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/reproduce/drawing/line_chart.h"
#include "testbench/reproduce/papers/casanova/figures.h"

namespace allport {

namespace {

constexpr int flits = 256;
constexpr int ts = 40;
constexpr int largest_distance = 10;
constexpr std::array modes{"store-and-forward", "cut-through", "wormhole", "circuit"};

Point switching_point(const FigureRequest& request, const std::string& mode, int distance) {
  return run_point(
      request, "systemc",
      {"--topology", "hypercube:10", "--switching", mode, "--buffer-depth", std::to_string(flits),
       "--flits", std::to_string(flits), "--ts", std::to_string(ts), "--algorithm", "separate",
       "--destinations", std::to_string((1 << distance) - 1)});
}

std::vector<Point> switching_points(const FigureRequest& request) {
  std::vector<Point> points;
  for (const char* mode : modes) {
    for (int distance = 1; distance <= largest_distance; ++distance) {
      points.push_back(switching_point(request, mode, distance));
    }
  }
  return points;
}

// The slides' formula in cycles: a transfer costs L + m b, and there are two more than links, from
// the source's processor and to the destination's; cut-through pays the message once and each hop.
int by_formula(const std::string& mode, int distance) {
  if (mode == "store-and-forward") return ts + (distance + 2) * flits - 1;
  if (mode == "circuit") return ts + 3 * distance + flits + 3;
  return ts + distance + flits;
}

FigureResult make_switching(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable({"links", "mode", "formula", "simulated", "difference"});
  LineChart chart("One message of 256 flits, ts = 40, over d links", "links d", "time (cycles)");
  std::vector<int> last;
  for (const std::string mode : modes) {
    std::vector<std::pair<double, double>> points;
    int largest = 0;
    int time = 0;
    for (int distance = 1; distance <= largest_distance; ++distance) {
      time = runs.of(switching_point(request, mode, distance)).at("latency").at("max").get<int>();
      const int formula = by_formula(mode, distance);
      largest = std::max(largest, std::abs(time - formula));
      points.emplace_back(distance, time);
      result.table.add({std::to_string(distance), mode, std::to_string(formula),
                        std::to_string(time), std::to_string(time - formula)});
    }
    last.push_back(time);
    chart.add(mode, points);
    const std::string formula = mode == "store-and-forward" ? "ts + (d + 2) m - 1"
                                : mode == "circuit"         ? "ts + 3 d + m + 3"
                                                            : "ts + d + m";
    result.claims.push_back(
        {fmt::format("{}: {} cycles for m flits over d links", mode, formula),
         "CasanovaSlides, point-to-point protocols",
         fmt::format("largest difference to the simulation {} cycles, d = 1 to 10", largest),
         outcome_of(largest == 0), ""});
  }
  result.claims.push_back(
      {"cut-through protocols hide the distance, store-and-forward does not",
       "CasanovaSlides, point-to-point comparisons",
       fmt::format("over 10 links {} cycles by store-and-forward, {} by cut-through and {} by "
                   "wormhole routing",
                   last[0], last[1], last[2]),
       outcome_of(last[0] > 5 * last[1] && last[1] == last[2]), ""});
  result.claims.push_back({"wormhole routing has a lower latency than circuit switching",
                           "CasanovaSlides, point-to-point comparisons",
                           fmt::format("over 10 links {} cycles against {}", last[2], last[3]),
                           outcome_of(last[2] < last[3]), ""});
  result.picture.gnuplot = chart.script();
  result.digests["systemc"] = digest_of_runs(runs, switching_points(request));
  result.notes.emplace_back(
      "The slides have d (L + m b) and L + d delta + m b. Here the channels between processor and "
      "router cost store-and-forward a transfer each, so that d links are d + 2 transfers, while "
      "the "
      "start-up is paid once. Simulated flit by flit, whatever `--model` says.");
  return result;
}

}  // namespace

Figure casanova_switching() {
  return {"casanova-switching",
          "store-and-forward and cut-through over the distance",
          "CasanovaSlides, point-to-point protocols",
          FigureKind::curve,
          switching_points,
          make_switching};
}

}  // namespace allport
