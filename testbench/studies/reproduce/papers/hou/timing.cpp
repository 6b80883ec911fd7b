// SPDX-License-Identifier: Apache-2.0
// This figure is on [Hou98] section 6.1: it shows the timing analysis of DCF and EDN against
// simulation.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/multicast_curves.h"
#include "testbench/studies/reproduce/papers/hou/figures.h"
#include "testbench/studies/reproduce/papers/hou/passages.h"
#include "testbench/studies/reproduce/papers/hou/torus_broadcast.h"

namespace allport {

namespace {

constexpr int length_of_analysis = 64;
constexpr std::array sides{2, 4, 8, 16, 32, 64};
constexpr std::array software_latencies{0, 200};

std::vector<Point> timing_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const int side : sides) {
    for (const char* algorithm : torus_algorithms) {
      for (const int latency : software_latencies) {
        points.push_back(
            broadcast_point(request, model, algorithm, {side, latency, length_of_analysis}));
      }
    }
  }
  return points;
}

std::string timing_chart(const FigureRequest& request, const Runs& runs) {
  LineChart chart("Broadcast of 64 flits on N x N tori, sending and receiving latency 200",
                  "side N of the torus", "latency (cycles)");
  chart.use_log_x();
  for (std::size_t i = 0; i < torus_algorithms.size(); ++i) {
    std::vector<std::pair<double, double>> theory;
    std::vector<std::pair<double, double>> points;
    for (const int side : sides) {
      const TorusBroadcast setting{side, latency_of_figure_9, length_of_analysis};
      theory.emplace_back(side, by_analysis(torus_algorithms.at(i), setting));
      points.emplace_back(side, measured(request, runs, torus_algorithms.at(i), setting).latency);
    }
    chart.colour_as(i);
    chart.add(printed_name(torus_algorithms.at(i)) + ": analysis", theory, true);
    chart.colour_as(i);
    chart.add(printed_name(torus_algorithms.at(i)) + ": simulated", points);
  }
  return chart.script();
}

// The text's two formulas, one less the other.
Claim claim_on_more_sends() {
  bool is_k = true;
  std::string differences;
  for (const int side : sides) {
    int k = 0;
    for (int rest = side; rest >= 4; rest /= 4) ++k;
    const TorusBroadcast setting{side, latency_of_figure_9, length_of_analysis};
    const Cycle difference = by_analysis("edn", setting) - by_analysis("dcf", setting);
    is_k = is_k && difference == Cycle{k} * latency_of_figure_9;
    differences += fmt::format("{}{}", differences.empty() ? "" : ", ", difference);
  }
  return {"by the text's own formulas EDN takes k sending latencies more than DCF", hou::k_more,
          fmt::format("the text's formula of EDN less that of DCF, N = 2 to 64, ts = {}: {} cycles",
                      latency_of_figure_9, differences),
          outcome_of(is_k), ""};
}

FigureResult make_timing(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table = NumberTable(
      {"N", "ts = tr", "algorithm", "analysis", "simulated", "difference", "contention events"});
  std::map<std::string, Cycle> largest;
  std::map<std::string, std::uint64_t> events;
  for (const int side : sides) {
    for (const int latency : software_latencies) {
      for (const char* algorithm : torus_algorithms) {
        const TorusBroadcast setting{side, latency, length_of_analysis};
        const MeasuredBroadcast found = measured(request, runs, algorithm, setting);
        const Cycle theory = by_analysis(algorithm, setting);
        largest[algorithm] = std::max(largest[algorithm], std::abs(found.latency - theory));
        events[algorithm] += found.events;
        result.table.add({std::to_string(side), std::to_string(latency), printed_name(algorithm),
                          std::to_string(theory), std::to_string(found.latency),
                          std::to_string(found.latency - theory), std::to_string(found.events)});
      }
    }
  }
  result.picture.gnuplot = timing_chart(request, runs);
  const auto difference = [&](const std::string& algorithm) {
    return fmt::format("{} cycles, {} contention events", largest[algorithm], events[algorithm]);
  };
  result.claims = {
      {"DCF takes 5k ts + 4/3 (4^k - 1) tc + 2k (L tc + tr), odd powers likewise", hou::dcf_latency,
       fmt::format("largest difference for N = 2 to 64: {}", difference("dcf")),
       outcome_of(largest["dcf"] == 0), ""},
      {"EDN takes 6k ts + 4/3 (4^k - 1) tc + 2k (L tc + tr), odd powers likewise, without the possible contention",
       hou::edn_latency,
       fmt::format("edn, simulated with contention, differs by at most {}", difference("edn")),
       Outcome::not_tested,
       "The text does not give EDN's messages, and its readings are chosen by this formula (figure hou-edn)"},
      claim_on_more_sends(),
      {"EDN also spends the blocking time that may be caused by the possible channel contention",
       hou::k_more,
       fmt::format(
           "the reading `edn` differs from its analysis by at most {}; hou-8 and hou-9 have the other readings",
           difference("edn")),
       Outcome::not_tested, "The text does not give EDN's messages"}};
  add_digests(result, request, runs, timing_points);
  return result;
}

}  // namespace

Figure hou_timing() {
  return {"hou-timing",
          "timing analysis of DCF and EDN against simulation",
          "Hou98, sec. 6.1",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, timing_points); },
          [](const FigureRequest& request, const Runs& runs) { return make_timing(request, runs); },
          hou::by_both};
}

}  // namespace allport
