// SPDX-License-Identifier: Apache-2.0
// These are [Hou98] figures 8 and 9: broadcasts on a 32x32 torus by DCF and by EDN, the latter with
// exact ties in chosen directions and with all of them in the + one.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbench/reproduce/drawing/line_chart.h"
#include "testbench/reproduce/multicast_curves.h"
#include "testbench/reproduce/papers/hou/figures.h"
#include "testbench/reproduce/papers/hou/torus_broadcast.h"

namespace allport {

namespace {

std::vector<int> lengths() {
  std::vector<int> list;
  for (int flits = 64; flits <= 1024; flits += 64) list.push_back(flits);
  return list;
}

std::vector<Point> length_points(const FigureRequest& request, const std::string& model,
                                 int software_latency) {
  std::vector<Point> points;
  for (const char* algorithm : torus_algorithms) {
    for (const int flits : lengths()) {
      points.push_back(
          broadcast_point(request, model, algorithm, {side_of_figures, software_latency, flits}));
    }
  }
  return points;
}

std::vector<Point> points_8(const FigureRequest& request, const std::string& model) {
  return length_points(request, model, 0);
}
std::vector<Point> points_9(const FigureRequest& request, const std::string& model) {
  return length_points(request, model, latency_of_figure_9);
}

// The lead of DCF over `algorithm` in cycles: the least and the largest over the lengths.
struct Lead {
  Cycle least = 0;
  Cycle most = 0;
  std::string in_words() const {
    return least == most ? fmt::format("{} cycles", least)
                         : fmt::format("{} to {} cycles", least, most);
  }
};

Lead lead_over(const FigureRequest& request, const Runs& runs, const std::string& algorithm,
               int software_latency) {
  Lead lead;
  for (const int flits : lengths()) {
    const TorusBroadcast setting{side_of_figures, software_latency, flits};
    const Cycle cycles = measured(request, runs, algorithm, setting).latency -
                         measured(request, runs, "dcf", setting).latency;
    lead.least = flits == lengths().front() ? cycles : std::min(lead.least, cycles);
    lead.most = flits == lengths().front() ? cycles : std::max(lead.most, cycles);
  }
  return lead;
}

std::uint64_t all_events(const FigureRequest& request, const Runs& runs,
                         const std::string& algorithm, int software_latency) {
  std::uint64_t events = 0;
  for (const int flits : lengths()) {
    events += measured(request, runs, algorithm, {side_of_figures, software_latency, flits}).events;
  }
  return events;
}

Claim analysis_claim(const FigureRequest& request, const Runs& runs, const std::string& algorithm,
                     int software_latency) {
  Cycle largest = 0;
  for (const int flits : lengths()) {
    const TorusBroadcast setting{side_of_figures, software_latency, flits};
    largest = std::max(largest, std::abs(measured(request, runs, algorithm, setting).latency -
                                         by_analysis(algorithm, setting)));
  }
  return {fmt::format("{} takes the time of the analysis", printed_name(algorithm)),
          "Hou98, sec. 6.1 and 6.2",
          fmt::format("largest difference over the lengths {} cycles", largest),
          outcome_of(largest == 0), ""};
}

// What the text says about figure 8: software latencies are 0.
void add_claims_8(Claims& claims, const FigureRequest& request, const Runs& runs) {
  const Lead chosen = lead_over(request, runs, "edn", 0);
  const Lead positive = lead_over(request, runs, "edn-positive", 0);
  const char* place = "Hou98, sec. 6.2 (fig. 8)";
  claims.push_back(claim_on_edn("DCF is faster than EDN", place,
                                fmt::format("by {} with chosen tie directions, by {} with + ties",
                                            chosen.in_words(), positive.in_words()),
                                "With tie directions chosen so that no step has contention both "
                                "take equally long"));
  const double messages_chosen = static_cast<double>(chosen.most) / lengths().back();
  const double messages_positive = static_cast<double>(positive.most) / lengths().back();
  claims.push_back(
      claim_on_edn("EDN takes about one message time more, for contention blocks it", place,
                   fmt::format("at 1024 flits {:.2f} message times more with chosen ties, {:.2f} "
                               "with + ties",
                               messages_chosen, messages_positive)));
  claims.push_back(claim_on_edn(
      "EDN's contention can be observed", place,
      fmt::format("contention events over all lengths: {} with chosen ties, {} with + "
                  "ties, {} of DCF",
                  all_events(request, runs, "edn", 0), all_events(request, runs, "edn-positive", 0),
                  all_events(request, runs, "dcf", 0)),
      "Only with + ties do two of its messages share a port"));
  claims.push_back(claim_on_edn("the difference between DCF and EDN grows with the message", place,
                                fmt::format("with + ties from {} cycles at 64 flits to {} at 1024",
                                            positive.least, positive.most)));
}

// What the text says about figure 9: software latencies are 200.
void add_claims_9(Claims& claims, const FigureRequest& request, const Runs& runs) {
  const Lead chosen = lead_over(request, runs, "edn", latency_of_figure_9);
  const Lead positive = lead_over(request, runs, "edn-positive", latency_of_figure_9);
  const char* place = "Hou98, sec. 6.2 (fig. 9)";
  const TorusBroadcast shortest{side_of_figures, latency_of_figure_9, lengths().front()};
  const TorusBroadcast longest{side_of_figures, latency_of_figure_9, lengths().back()};
  const Cycle by_text = by_analysis("edn", shortest) - by_analysis("dcf", shortest);
  const std::string leads = fmt::format("by {} with chosen tie directions, by {} with + ties",
                                        chosen.in_words(), positive.in_words());
  claims.push_back(claim_on_edn("DCF is faster than EDN", place, leads));
  claims.push_back(claim_on_edn(
      "DCF's latency is about 200 cycles less than EDN's", place,
      fmt::format("less {}; {} cycles by the text's analysis", leads, by_text),
      "The text contradicts itself: its analysis has k = 2 sending latencies of 200 cycles more "
      "for EDN on this torus, and contention could only add to them"));
  const auto share = [&](const TorusBroadcast& setting) {
    return 100 * static_cast<double>(chosen.least) /
           static_cast<double>(measured(request, runs, "edn", setting).latency);
  };
  claims.push_back(claim_on_edn("DCF's gain over EDN is significant for small messages above all",
                                place,
                                fmt::format("{:.1f} % of EDN's latency at 64 flits, {:.1f} % at "
                                            "1024, with chosen tie directions",
                                            share(shortest), share(longest))));
}

FigureResult make_lengths(const FigureRequest& request, const Runs& runs, int software_latency) {
  FigureResult result;
  result.table = NumberTable({"flits", "DCF", "DCF analysis", "EDN", "EDN analysis",
                              "EDN, ties in +", "events of EDN", "events of EDN, ties in +"});
  for (const int flits : lengths()) {
    const TorusBroadcast setting{side_of_figures, software_latency, flits};
    const MeasuredBroadcast dcf = measured(request, runs, "dcf", setting);
    const MeasuredBroadcast edn = measured(request, runs, "edn", setting);
    const MeasuredBroadcast positive = measured(request, runs, "edn-positive", setting);
    result.table.add({std::to_string(flits), std::to_string(dcf.latency),
                      std::to_string(by_analysis("dcf", setting)), std::to_string(edn.latency),
                      std::to_string(by_analysis("edn", setting)), std::to_string(positive.latency),
                      std::to_string(edn.events), std::to_string(positive.events)});
  }
  LineChart chart(
      fmt::format("Broadcast on a 32x32 torus, sending and receiving latency {}", software_latency),
      "message length (flits)", "latency (cycles)");
  for (const char* algorithm : torus_algorithms) {
    std::vector<std::pair<double, double>> points;
    for (const int flits : lengths()) {
      const TorusBroadcast setting{side_of_figures, software_latency, flits};
      points.emplace_back(flits, measured(request, runs, algorithm, setting).latency);
    }
    chart.add(printed_name(algorithm), points);
  }
  result.picture.gnuplot = chart.script();
  if (software_latency == 0) {
    add_claims_8(result.claims, request, runs);
  } else {
    add_claims_9(result.claims, request, runs);
  }
  result.claims.push_back(analysis_claim(request, runs, "dcf", software_latency));
  result.notes.emplace_back(
      "EDN is reconstructed; where a message goes exactly half around the torus its direction is "
      "free. *Chosen*: so that the messages of a step share no channel. *Ties in +*: all in the + "
      "direction, so that two of them leave by the same channel.");
  add_digests(result, request, runs, software_latency == 0 ? points_8 : points_9);
  return result;
}

}  // namespace

Figure hou_8() {
  return {"hou-8",
          "broadcast on a 32x32 torus without software latency",
          "Hou98, fig. 8",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_8); },
          [](const FigureRequest& request, const Runs& runs) {
            return make_lengths(request, runs, 0);
          }};
}

Figure hou_9() {
  return {"hou-9",
          "broadcast on a 32x32 torus, latencies of 200 cycles",
          "Hou98, fig. 9",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_9); },
          [](const FigureRequest& request, const Runs& runs) {
            return make_lengths(request, runs, latency_of_figure_9);
          }};
}

}  // namespace allport
