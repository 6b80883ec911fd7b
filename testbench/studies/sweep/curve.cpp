// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace allport {

namespace {

enum Quantity : std::size_t { offered, latency, accepted };

// The points by load.
std::vector<FoldedPoint> sorted(const FoldedCurve& curve) {
  std::vector<FoldedPoint> list = curve.points;
  std::stable_sort(list.begin(), list.end(), [](const FoldedPoint& a, const FoldedPoint& b) {
    return a.values[offered].mean < b.values[offered].mean;
  });
  return list;
}

using Points = std::vector<FoldedPoint>::const_iterator;

// The points of this range whose runs are too short to tell, in words.
std::string open_points(Points from, Points to) {
  std::vector<double> loads;
  for (; from != to; ++from) {
    if (from->is_open()) loads.push_back(from->values[offered].mean);
  }
  if (loads.empty()) return "";
  const std::string end = loads.size() > 1 ? fmt::format(" to {:.3g}", loads.back()) : "";
  return fmt::format(", too short to tell at {:.3g}{}", loads.front(), end);
}

// `vcs 2, ports all: `, with the panel before the curve.
std::string name_before(const FoldedCurve& curve) {
  std::string name = curve.place.panel;
  if (!name.empty() && !curve.label.empty()) name += ", ";
  name += curve.label;
  return name.empty() ? name : name + ": ";
}

std::string saturation_of(const FoldedCurve& curve) {
  const std::vector<FoldedPoint> points = sorted(curve);
  const auto first = std::find_if(points.begin(), points.end(),
                                  [](const FoldedPoint& one) { return one.is_flagged(); });
  double most = 0;
  for (const FoldedPoint& one : points) most = std::max(most, one.values[accepted].mean);
  const std::string label = name_before(curve);
  const auto load = [](const FoldedPoint& one) { return one.values[offered].mean; };
  if (first != points.end()) {
    return fmt::format("{}saturated from {:.3g}, accepts {:.3g}", label, load(*first), most) +
           open_points(points.begin(), first);
  }
  const auto last = std::find_if(points.rbegin(), points.rend(),
                                 [](const FoldedPoint& one) { return !one.is_open(); });
  if (last == points.rend()) return label + "too short to tell";
  return fmt::format("{}not saturated at {:.3g}", label, load(*last)) +
         open_points(last.base(), points.end());
}

ChartCurve chart_curve(const FoldedCurve& curve, std::size_t group) {
  const std::string name = curve.label.empty() ? "all" : curve.label;
  ChartCurve drawn{saturation_of(curve), {}, name, group};
  bool was_saturated = false;
  for (const FoldedPoint& one : sorted(curve)) {
    const bool is_first = one.is_flagged() && !was_saturated;
    was_saturated = was_saturated || one.is_flagged();
    drawn.points.push_back({one.values[offered].mean,
                            {one.values[latency], one.values[accepted]},
                            one.is_flagged(),
                            is_first});
  }
  return drawn;
}

}  // namespace

bool CurvePlot::add(const std::string& label, const std::string& rate, const PointResult& result,
                    const CurvePlace& place) {
  const Json& json = result.result;
  const bool is_load = what_ == CurveOf::collectives;
  const Json traffic = json.is_object() ? json.value(is_load ? "load" : "traffic", Json{}) : Json{};
  if (result.has_failed() || !traffic.is_object()) return false;
  const char* const latency = is_load ? "completion" : "latency";
  const Json mean = traffic.value(latency, Json::object()).value("mean", Json{});
  if (!mean.is_number()) return false;  // nothing arrived
  const Json& verdict = traffic.at("saturated");
  curves_.add(label, place, rate,
              {traffic.at("offered").get<double>(), mean.get<double>(),
               traffic.at("accepted").get<double>()},
              {verdict == true, verdict.is_null(), 0});
  return true;
}

std::vector<std::string> CurvePlot::saturation() const {
  std::vector<std::string> list;
  for (const FoldedCurve& curve : curves_.best(latency, false)) {
    list.push_back(saturation_of(curve));
  }
  return list;
}

Chart CurvePlot::chart() const {
  Chart chart;
  chart.title = title_;
  const bool is_load = what_ == CurveOf::collectives;
  const std::string unit =
      is_load ? "(collectives per source and cycle)" : "(flits per node and cycle)";
  chart.x_label = "offered load " + unit;
  chart.starts_at_zero = true;
  chart.has_bands = curves_.most_runs() > 1;
  chart.notes = band_note(curves_);
  chart.panels = {{is_load ? "mean completion (cycles)" : "mean latency (cycles)", true, false},
                  {"accepted load " + unit, false, true}};
  const std::vector<FoldedCurve> all = curves_.best(latency, false);
  const std::vector<std::size_t> group_of = group_curves(chart, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    chart.curves.push_back(chart_curve(all[i], group_of[i]));
  }
  return chart;
}

std::vector<std::size_t> group_curves(Chart& chart, const std::vector<FoldedCurve>& curves) {
  chart.groups.clear();
  std::vector<std::size_t> group_of;
  for (const FoldedCurve& curve : curves) {
    const auto known =
        std::find_if(chart.groups.begin(), chart.groups.end(),
                     [&](const ChartGroup& one) { return one.title == curve.place.panel; });
    group_of.push_back(static_cast<std::size_t>(known - chart.groups.begin()));
    if (known == chart.groups.end()) chart.groups.push_back({curve.place.panel});
  }
  if (chart.groups.empty()) chart.groups.emplace_back();
  return group_of;
}

std::vector<std::string> band_note(const FoldedCurves& curves) {
  const std::size_t most_runs = curves.most_runs();
  if (most_runs < 2 && curves.has_own_intervals()) {
    return {"the band is the 95 % interval over the trials of a run"};
  }
  if (most_runs < 2) return {};
  return {
      fmt::format("mean over the seeds ({} at most), with its 95 % interval as a band", most_runs)};
}

}  // namespace allport
