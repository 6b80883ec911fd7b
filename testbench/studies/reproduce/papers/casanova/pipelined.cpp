// SPDX-License-Identifier: Apache-2.0
// This figure is from [CasanovaSlides], pipelined broadcast on a unidirectional ring: it sends a
// message in r pieces, by formula and by simulation. The slides' L + m b / r is ts + 1 + flits / r
// cycles here. One thread of the slides' processor sends, one message after another, so sends are
// blocking; what overlapped start-ups change is beside it, as a property of allport.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/papers/casanova/figures.h"
#include "testbench/studies/reproduce/papers/casanova/passages.h"

namespace allport {

namespace {

constexpr int processors = 16;
constexpr int flits = 1024;
constexpr int ts = 40;
constexpr double start_up = ts + 1;  // L of the slides
constexpr std::array pieces{1, 2, 4, 8, 16, 32, 64, 128, 256};
constexpr std::array near_best{15, 16, 17, 18, 19, 20, 21, 22, 23};
constexpr const char* blocking = "blocking";
constexpr const char* overlapping = "nwrite";
constexpr std::array long_messages{1024, 4096, 16384, 65536, 262144, 1'000'000};

// `sends`: blocking, as the slides' thread does, or nwrite, whose start-ups overlap.
Point piece_point(const FigureRequest& request, const std::string& model, const char* sends,
                  int length, int r) {
  return run_point(request, model,
                   {"--topology", fmt::format("ring:{}", processors), "--algorithm", "ring",
                    "--pieces", std::to_string(r), "--flits", std::to_string(length), "--ts",
                    std::to_string(ts), "--send", sends});
}

// r* = sqrt(m b (p - 2) / L), one of its neighbours.
int best_pieces(int length) {
  return static_cast<int>(std::lround(std::sqrt(length * (processors - 2) / start_up)));
}

std::vector<Point> piece_points(const FigureRequest& request, const std::string& model) {
  std::vector<Point> points;
  for (const char* sends : {blocking, overlapping}) {
    for (const int r : pieces) points.push_back(piece_point(request, model, sends, flits, r));
  }
  for (const int r : near_best) points.push_back(piece_point(request, model, blocking, flits, r));
  for (const int length : long_messages) {
    points.push_back(piece_point(request, model, blocking, length, best_pieces(length)));
  }
  return points;
}

double by_formula(int length, int r) {
  return (processors + r - 2) * (start_up + static_cast<double>(length) / r);
}

// The time of docs/timing.md, which the simulation takes if r divides the message.
double overlapped(int length, int r) {
  const double piece = static_cast<double>(length) / r;
  return (processors - 1) * (start_up + piece) + (r - 1) * std::max<double>(ts, piece);
}

int simulated(const FigureRequest& request, const Runs& runs, int length, int r,
              const char* sends = blocking) {
  return runs.of(piece_point(request, request.models.front(), sends, length, r))
      .at("latency")
      .at("max")
      .get<int>();
}

Claim best_by_formula() {
  const int best = best_pieces(flits);
  const double optimum = std::pow(std::sqrt((processors - 2) * start_up) + std::sqrt(flits), 2);
  int least = 1;
  for (int r = 1; r <= flits; ++r) {
    if (by_formula(flits, r) < by_formula(flits, least)) least = r;
  }
  const bool is_near = std::abs(by_formula(flits, best) / optimum - 1) < 0.01;
  return {
      "the number of pieces that is best by that formula is where its derivative is zero",
      casanova::pipelined_broadcast,
      fmt::format(
          "there r = sqrt(m b (p - 2) / L) = {:.1f}, and the time (sqrt((p - 2) L) + sqrt(m b))^2 = {:.0f} cycles; of r = 1 to {} the least is r = {}, with {:.0f}",
          std::sqrt(flits * (processors - 2) / start_up), optimum, flits, least,
          by_formula(flits, best)),
      outcome_of(best == least && is_near), ""};
}

Claim best_by_simulation(const FigureRequest& request, const Runs& runs) {
  const int best = best_pieces(flits);
  std::vector<int> tried(pieces.begin(), pieces.end());
  tried.insert(tried.end(), near_best.begin(), near_best.end());
  tried.erase(std::remove(tried.begin(), tried.end(), best), tried.end());
  const auto time = [&](int r) { return simulated(request, runs, flits, r); };
  const int next = *std::min_element(tried.begin(), tried.end(),
                                     [&](int a, int b) { return time(a) < time(b); });
  return {
      "the best number of pieces by the slides' formula is best when simulated",
      "allport, docs/timing.md",
      fmt::format(
          "r* = {}: {} cycles; the least of {} others simulated, r = 1 to 256, is {}, with r = {}",
          best, time(best), tried.size(), time(next), next),
      outcome_of(time(best) < time(next)), ""};
}

void add_claims(FigureResult& result, const FigureRequest& request, const Runs& runs) {
  double most = -1e9;
  double least = 1e9;
  double percent = 0;
  for (const int r : pieces) {
    const double difference = simulated(request, runs, flits, r) - by_formula(flits, r);
    percent = std::max(percent, 100 * std::abs(difference) / by_formula(flits, r));
    most = std::max(most, difference);
    least = std::min(least, difference);
  }
  const bool is_equal = std::all_of(pieces.begin(), pieces.end(), [&](int r) {
    const double difference = simulated(request, runs, flits, r) - by_formula(flits, r);
    return std::abs(difference) <= cycles_of_a_send * (r - 1);
  });
  result.claims.push_back(
      {"r pieces take (p + r - 2)(L + m b / r)", casanova::pipelined_broadcast,
       fmt::format(
           "simulated minus formula: {:+.0f} to {:+.0f} cycles, r = 1 to 256, at most {:.1f} %: the next send may begin up to {} cycles before the last one is received, which are {} (r - 1) cycles in all",
           least, most, percent, cycles_of_a_send, cycles_of_a_send),
       outcome_of(is_equal), ""});
  const bool is_overlapped = std::all_of(pieces.begin(), pieces.end(), [&](int r) {
    return simulated(request, runs, flits, r, overlapping) == overlapped(flits, r);
  });
  result.claims.push_back(
      {"where the start-up of a piece overlaps with the transfer of the one before, it is (p - 1)(L + m b / r) + (r - 1) max(ts, m b / r)",
       "allport, docs/timing.md", is_overlapped ? "to the cycle, r = 1 to 256" : "not for every r",
       outcome_of(is_overlapped), ""});
  result.claims.push_back(best_by_formula());
  result.claims.push_back(best_by_simulation(request, runs));
  std::string ratios;
  double last = 0;
  bool is_falling = true;
  for (const int length : long_messages) {
    const double ratio =
        static_cast<double>(simulated(request, runs, length, best_pieces(length))) / length;
    is_falling = is_falling && (last == 0 || ratio < last);
    last = ratio;
    ratios += fmt::format("{}{:.2f} m b at {} flits", ratios.empty() ? "" : ", ", ratio, length);
  }
  result.claims.push_back({"for long messages the time tends to m b", casanova::pipelined_broadcast,
                           ratios, outcome_of(is_falling && last < 1.1), ""});
  const int plain = simulated(request, runs, flits, 1);
  const double unpipelined = (processors - 1) * (start_up + flits);
  result.claims.push_back({"the broadcast takes (p - 1)(L + m b)", casanova::ring_broadcast_time,
                           fmt::format("{} cycles, {:.0f} by the formula", plain, unpipelined),
                           outcome_of(plain == unpipelined), ""});
}

FigureResult make_pipelined(const FigureRequest& request, const Runs& runs) {
  FigureResult result;
  result.table =
      NumberTable({"flits", "pieces", "formula", "simulated", "simulated, start-ups overlap"});
  std::vector<std::pair<double, double>> theory;
  std::vector<std::pair<double, double>> points;
  std::vector<std::pair<double, double>> hidden;
  for (const int r : pieces) {
    const int time = simulated(request, runs, flits, r);
    theory.emplace_back(r, by_formula(flits, r));
    const int least = simulated(request, runs, flits, r, overlapping);
    points.emplace_back(r, time);
    hidden.emplace_back(r, least);
    result.table.add({std::to_string(flits), std::to_string(r), decimal(by_formula(flits, r), 1),
                      std::to_string(time), std::to_string(least)});
  }
  for (const int length : long_messages) {
    const int r = best_pieces(length);
    result.table.add({std::to_string(length), std::to_string(r), decimal(by_formula(length, r), 1),
                      std::to_string(simulated(request, runs, length, r)), ""});
  }
  LineChart chart("Pipelined broadcast of 1024 flits on a ring of 16 processors, ts = 40",
                  "pieces r", "time (cycles)");
  chart.use_log_x();
  chart.add("formula", theory, true);
  chart.add("simulated", points);
  chart.add("simulated, start-ups overlap", hidden);
  result.picture.gnuplot = chart.script();
  add_claims(result, request, runs);
  add_digests(result, request, runs, piece_points);
  return result;
}

}  // namespace

Figure casanova_pipelined() {
  return {"casanova-pipelined",
          "pipelined broadcast on a ring over the number of pieces",
          "CasanovaSlides, pipelined broadcast",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, piece_points); },
          make_pipelined,
          casanova::by_router};
}

}  // namespace allport
