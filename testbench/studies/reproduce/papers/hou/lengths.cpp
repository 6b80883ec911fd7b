// SPDX-License-Identifier: Apache-2.0
// These are [Hou98] figures 8 and 9: broadcasts on a 32x32 torus by DCF and by EDN, the latter as a
// band over all readings of what the text says of it, with the one that allport takes for it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "testbench/studies/reproduce/drawing/line_chart.h"
#include "testbench/studies/reproduce/multicast_curves.h"
#include "testbench/studies/reproduce/papers/hou/edn_band.h"
#include "testbench/studies/reproduce/papers/hou/figures.h"
#include "testbench/studies/reproduce/papers/hou/passages.h"

namespace allport {

namespace {

// What makes figures 8 and 9 different; the band has few lengths, since it has many runs.
const BandSetting& setting_8() {
  static const BandSetting setting{0, {64, 512, 1024}};
  return setting;
}
const BandSetting& setting_9() {
  static const BandSetting setting{latency_of_figure_9, {64, 1024}};
  return setting;
}

std::vector<int> lengths() {
  std::vector<int> list;
  for (int flits = 64; flits <= 1024; flits += 64) list.push_back(flits);
  return list;
}

std::vector<Point> length_points(const FigureRequest& request, const std::string& model,
                                 const BandSetting& setting) {
  std::vector<Point> points;
  for (const char* algorithm : torus_algorithms) {
    for (const int flits : lengths()) {
      points.push_back(broadcast_point(request, model, algorithm,
                                       {side_of_figures, setting.software_latency, flits}));
    }
  }
  for (Point& one : band_points(request, setting)) {
    points.push_back(std::move(one));
  }
  return points;
}

std::vector<Point> points_8(const FigureRequest& request, const std::string& model) {
  return length_points(request, model, setting_8());
}
std::vector<Point> points_9(const FigureRequest& request, const std::string& model) {
  return length_points(request, model, setting_9());
}

Claim analysis_claim(const FigureRequest& request, const Runs& runs, const BandSetting& setting) {
  Cycle largest = 0;
  std::uint64_t events = 0;
  for (const int flits : lengths()) {
    const TorusBroadcast broadcast{side_of_figures, setting.software_latency, flits};
    const MeasuredBroadcast found = measured(request, runs, "dcf", broadcast);
    largest = std::max(largest, std::abs(found.latency - by_analysis("dcf", broadcast)));
    events += found.events;
  }
  return {"DCF's latency is very close to the analysis, because no message is blocked",
          hou::close_to_analysis,
          fmt::format(
              "largest difference over the lengths {} cycles; messages that wait for a channel: {}",
              largest, events),
          outcome_of(largest == 0 && events == 0), ""};
}

NumberTable table_of(const FigureRequest& request, const Runs& runs, const BandSetting& setting,
                     const EdnBand& band) {
  NumberTable table({"flits", "DCF", "DCF analysis", "EDN analysis", "edn", "events of edn",
                     "readings of EDN, least", "median", "most"});
  for (const int flits : lengths()) {
    const TorusBroadcast broadcast{side_of_figures, setting.software_latency, flits};
    const MeasuredBroadcast edn = measured(request, runs, "edn", broadcast);
    std::vector<std::string> cells{
        std::to_string(flits),
        std::to_string(measured(request, runs, "dcf", broadcast).latency),
        std::to_string(by_analysis("dcf", broadcast)),
        std::to_string(by_analysis("edn", broadcast)),
        std::to_string(edn.latency),
        std::to_string(edn.events)};
    const auto place = std::find(band.lengths().begin(), band.lengths().end(), flits);
    if (place == band.lengths().end()) {
      cells.insert(cells.end(), 3, "");
    } else {
      const EdnBand::Spread spread =
          band.spread(static_cast<std::size_t>(place - band.lengths().begin()));
      for (const Cycle one : {spread.least, spread.middle, spread.most}) {
        cells.push_back(std::to_string(one));
      }
    }
    table.add(cells);
  }
  return table;
}

std::string chart_of(const FigureRequest& request, const Runs& runs, const BandSetting& setting,
                     const EdnBand& band) {
  LineChart chart(fmt::format("Broadcast on a 32x32 torus, sending and receiving latency {}",
                              setting.software_latency),
                  "message length (flits)", "latency (cycles)");
  for (const char* algorithm : torus_algorithms) {
    std::vector<std::pair<double, double>> points;
    for (const int flits : lengths()) {
      const TorusBroadcast broadcast{side_of_figures, setting.software_latency, flits};
      points.emplace_back(flits, measured(request, runs, algorithm, broadcast).latency);
    }
    const bool is_edn = algorithm == std::string("edn");
    chart.add(is_edn ? "edn, a reading of EDN" : printed_name(algorithm), points);
  }
  band.draw(chart);
  return chart.script();
}

FigureResult make_lengths(const FigureRequest& request, const Runs& runs,
                          const BandSetting& setting) {
  const EdnBand band(request, runs, setting);
  FigureResult result;
  result.table = table_of(request, runs, setting, band);
  result.picture.gnuplot = chart_of(request, runs, setting, band);
  result.notes.push_back(fmt::format(
      "The text does not give EDN's messages. The band is over {} of the {} readings, the blocks that fit all that it says of EDN but for this figure (figure hou-edn); `edn` is one.",
      band.is_whole() ? "all" : std::to_string(band.readings().size()), EdnBand::all()));
  if (setting.software_latency == 0) {
    add_sentences_8(result.claims, band);
    const std::size_t fitting =
        band.count([&](const MeasuredReading& one) { return says_figure_8(one, band.lengths()); });
    result.notes.push_back(fmt::format(
        "{} of the {} readings ({:.1f} %) say all that the text says of EDN in this figure. `edn` is chosen among these, so that its curve bears out nothing.",
        fitting, band.readings().size(),
        100 * static_cast<double>(fitting) / static_cast<double>(band.readings().size())));
  } else {
    const TorusBroadcast shortest{side_of_figures, setting.software_latency, lengths().front()};
    add_sentences_9(result.claims, band,
                    by_analysis("edn", shortest) - by_analysis("dcf", shortest));
  }
  result.claims.push_back(analysis_claim(request, runs, setting));
  add_digests(result, request, runs, setting.software_latency == 0 ? points_8 : points_9);
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
            return make_lengths(request, runs, setting_8());
          },
          hou::by_router};
}

Figure hou_9() {
  return {"hou-9",
          "broadcast on a 32x32 torus, latencies of 200 cycles",
          "Hou98, fig. 9",
          FigureKind::curve,
          [](const FigureRequest& request) { return points_of_models(request, points_9); },
          [](const FigureRequest& request, const Runs& runs) {
            return make_lengths(request, runs, setting_9());
          },
          hou::by_router};
}

}  // namespace allport
