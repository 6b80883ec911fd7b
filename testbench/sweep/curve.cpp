// SPDX-License-Identifier: Apache-2.0
#include "testbench/sweep/curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace allport {

namespace {

constexpr const char* preamble =
    R"(set terminal svg size 1100,{} background rgb 'white' font 'sans,13'
set multiplot layout 1,2 title {} noenhanced font ',15'
set grid lc rgb '#dddddd'
set key above left vertical Left reverse noenhanced maxcols 1
set xlabel 'offered load (flits per node and cycle)'
set xrange [0:*]
set offsets graph 0.02, graph 0.02, 0, 0
)";

// Two curves of the same points must not hide each other: colours that differ, also in grey.
constexpr std::array colours{"#0060ad", "#dd181f", "#2a8f4f", "#8e44ad",
                             "#e67e22", "#17a2b8", "#7f5539", "#444444"};

std::string quoted(const std::string& text) {
  std::string safe = text;
  std::replace(safe.begin(), safe.end(), '"', '\'');
  std::replace(safe.begin(), safe.end(), '`', '\'');
  std::replace(safe.begin(), safe.end(), '\\', '/');
  return "\"" + safe + "\"";
}

// A line with filled points, hollow ones where it is saturated, and a ring around the first of
// these.
std::string layers(std::size_t curve, const std::string& title, const char* y) {
  return fmt::format(
      "{0} using 1:{1} with lines lw 2 lc rgb '{2}' {3}, \\\n"
      "  {0} using 1:($4 == 0 ? ${1} : NaN) with points pt 7 ps 0.5 lc rgb '{2}' notitle, \\\n"
      "  {0} using 1:($4 == 1 ? ${1} : NaN) with points pt 6 ps 0.6 lc rgb '{2}' notitle, \\\n"
      "  {0} using 1:($5 == 1 ? ${1} : NaN) with points pt 6 ps 1.6 lw 2 lc rgb '{2}' notitle, \\\n"
      "  ",
      fmt::format("$curve{}", curve), y, colours[curve % colours.size()],
      title.empty() ? "notitle" : "title " + quoted(title));
}

}  // namespace

void CurvePlot::add(const std::string& label, const PointResult& result) {
  const Json& json = result.result;
  const Json traffic = json.is_object() ? json.value("traffic", Json{}) : Json{};
  if (!traffic.is_object()) return;
  const Json latency = traffic.value("latency", Json::object()).value("mean", Json{});
  if (!latency.is_number()) return;  // no message arrived
  auto curve = std::find_if(curves_.begin(), curves_.end(),
                            [&](const Curve& one) { return one.label == label; });
  if (curve == curves_.end()) curve = curves_.insert(curves_.end(), {label, {}});
  curve->points.push_back({traffic.at("offered").get<double>(),
                           traffic.at("accepted").get<double>(), latency.get<double>(),
                           traffic.at("saturated").get<bool>()});
}

std::vector<CurvePoint> CurvePlot::Curve::sorted() const {
  std::vector<CurvePoint> list = points;
  std::stable_sort(list.begin(), list.end(),
                   [](const CurvePoint& a, const CurvePoint& b) { return a.offered < b.offered; });
  return list;
}

std::vector<std::string> CurvePlot::saturation() const {
  std::vector<std::string> list;
  for (const Curve& curve : curves_) {
    const std::vector<CurvePoint> points = curve.sorted();
    const auto first = std::find_if(points.begin(), points.end(),
                                    [](const CurvePoint& one) { return one.is_saturated; });
    double accepted = 0;
    for (const CurvePoint& one : points) accepted = std::max(accepted, one.accepted);
    const std::string label = curve.label.empty() ? "" : curve.label + ": ";
    list.push_back(first == points.end()
                       ? fmt::format("{}not saturated at {:.3g}", label, points.back().offered)
                       : fmt::format("{}saturated from {:.3g}, accepts {:.3g}", label,
                                     first->offered, accepted));
  }
  return list;
}

std::string CurvePlot::script() const {
  std::string text = fmt::format(preamble, 460 + 18 * curves_.size(), quoted(title_));
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    text += fmt::format("$curve{} << end_of_curve\n", i);
    bool was_saturated = false;
    for (const CurvePoint& one : curves_[i].sorted()) {
      const bool is_first = one.is_saturated && !was_saturated;
      was_saturated = was_saturated || one.is_saturated;
      text += fmt::format("{} {} {} {:d} {:d}\n", one.offered, one.latency, one.accepted,
                          one.is_saturated, is_first);
    }
    text += "end_of_curve\n";
  }
  const std::vector<std::string> titles = saturation();
  std::string latency = "set ylabel 'mean latency (cycles)'\nset logscale y\nplot ";
  std::string accepted =
      "set ylabel 'accepted load (flits per node and cycle)'\nunset logscale y\n"
      "set yrange [0:*]\nplot ";
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    latency += layers(i, titles[i], "2");
    accepted += layers(i, curves_[i].label, "3");
  }
  return text + latency + "NaN with points pt 6 ps 1.6 lw 2 lc rgb '#444444' title 'saturation'\n" +
         accepted + "x with lines dt 2 lc rgb '#888888' title 'accepted = offered'\n" +
         "unset multiplot\n";
}

}  // namespace allport
