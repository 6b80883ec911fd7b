// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/papers/hou/edn_band.h"

#include <fmt/format.h>

#include <algorithm>

#include "traffic/algorithms/edn_readings.h"
#include "traffic/planning/placement.h"

namespace allport {

namespace {

constexpr const char* model_of_bands = "auto";

Point reading_point(const FigureRequest& request, std::size_t number,
                    const TorusBroadcast& broadcast) {
  return broadcast_point(request, model_of_bands, "edn-reading", broadcast,
                         {"--seed", std::to_string(number)});
}

}  // namespace

std::vector<std::size_t> readings_of(const FigureRequest& request) {
  const std::size_t all = edn_readings().size();
  std::vector<std::size_t> numbers = random_order(all, request.seed);
  numbers.resize(std::min(all, request.trials_or(all)));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<Point> band_points(const FigureRequest& request, const BandSetting& setting) {
  std::vector<Point> points;
  for (const int flits : setting.lengths) {
    const TorusBroadcast broadcast{side_of_figures, setting.software_latency, flits};
    points.push_back(broadcast_point(request, model_of_bands, "dcf", broadcast));
    for (const std::size_t number : readings_of(request)) {
      points.push_back(reading_point(request, number, broadcast));
    }
  }
  return points;
}

EdnBand::EdnBand(const FigureRequest& request, const Runs& runs, BandSetting setting)
    : setting_(std::move(setting)) {
  for (const std::size_t number : readings_of(request)) {
    MeasuredReading reading{number, {}, {}, {}};
    for (const int flits : setting_.lengths) {
      const TorusBroadcast broadcast{side_of_figures, setting_.software_latency, flits};
      const MeasuredBroadcast edn = measured(runs, reading_point(request, number, broadcast));
      const MeasuredBroadcast dcf =
          measured(runs, broadcast_point(request, model_of_bands, "dcf", broadcast));
      reading.latencies.push_back(edn.latency);
      reading.leads.push_back(edn.latency - dcf.latency);
      reading.events.push_back(edn.events);
    }
    readings_.push_back(std::move(reading));
  }
}

std::size_t EdnBand::all() { return edn_readings().size(); }

EdnBand::Spread EdnBand::spread(std::size_t i) const {
  std::vector<Cycle> sorted;
  sorted.reserve(readings_.size());
  for (const MeasuredReading& one : readings_) sorted.push_back(one.latencies.at(i));
  std::sort(sorted.begin(), sorted.end());
  return {sorted.front(), sorted.at(sorted.size() / 2), sorted.back()};
}

std::string EdnBand::leads_in_words(std::size_t i) const {
  const auto [least, most] = std::minmax_element(
      readings_.begin(), readings_.end(),
      [i](const auto& a, const auto& b) { return a.leads.at(i) < b.leads.at(i); });
  return fmt::format("{} to {} cycles at {} flits", least->leads.at(i), most->leads.at(i),
                     setting_.lengths.at(i));
}

void EdnBand::draw(LineChart& chart) const {
  std::vector<std::pair<double, double>> least;
  std::vector<std::pair<double, double>> most;
  for (std::size_t i = 0; i < setting_.lengths.size(); ++i) {
    const Spread all = spread(i);
    least.emplace_back(setting_.lengths[i], all.least);
    most.emplace_back(setting_.lengths[i], all.most);
  }
  chart.add_band(fmt::format("{} readings of EDN", readings_.size()), least, most);
}

Claim claim_on_readings(std::string text, Quotation source, std::size_t fitting, std::size_t all,
                        const std::string& measured, Outcome otherwise, const std::string& remark) {
  Claim claim{std::move(text), std::move(source), "", Outcome::not_tested, remark};
  claim.measured =
      fmt::format("{} of {} readings of EDN ({:.1f} %): {}", fitting, all,
                  100 * static_cast<double>(fitting) / static_cast<double>(all), measured);
  if (fitting == all) {
    claim.outcome = Outcome::holds;
  } else if (fitting == 0) {
    claim.outcome = otherwise;
  } else if (claim.why.empty()) {
    claim.why = "The text does not give EDN's messages, and readings that fit it differ";
  }
  return claim;
}

}  // namespace allport
