// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/axis_plot.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "testbench/studies/sweep/curve.h"

namespace allport {

namespace {

// Where each value lies on the axis.
struct PlotAxis {
  std::string word;                     // before each number: `hypercube:`, or empty
  std::map<std::string, double> place;  // of each value, as it is written
  bool is_of_numbers = false;
  bool is_logarithmic = false;
};

std::optional<double> number(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::string word_of(const std::string& text) { return text.substr(0, text.rfind(':') + 1); }

bool are_evenly_spaced(const std::vector<double>& sorted) {
  const double first = sorted[1] - sorted[0];
  for (std::size_t i = 2; i < sorted.size(); ++i) {
    if (std::abs(sorted[i] - sorted[i - 1] - first) > 1e-9 * std::abs(sorted.back())) return false;
  }
  return true;
}

// On a linear axis, lengths that double each time would crowd at one end.
bool spreads_over_ratios(std::vector<double> values) {
  constexpr double sixteenfold = 16;
  std::sort(values.begin(), values.end());
  return values.size() > 2 && values.front() > 0 && values.back() >= sixteenfold * values.front() &&
         !are_evenly_spaced(values);
}

PlotAxis axis_of(const std::vector<std::string>& places) {
  PlotAxis axis;
  axis.word = word_of(places.front());
  std::vector<double> values;
  for (const std::string& text : places) {
    const auto value = number(text.substr(std::min(axis.word.size(), text.size())));
    if (word_of(text) == axis.word && value) values.push_back(*value);
  }
  axis.is_of_numbers = values.size() == places.size();
  if (!axis.is_of_numbers) axis.word.clear();
  for (std::size_t i = 0; i < places.size(); ++i) {
    axis.place[places[i]] = axis.is_of_numbers ? values[i] : static_cast<double>(i);
  }
  axis.is_logarithmic = axis.is_of_numbers && spreads_over_ratios(values);
  return axis;
}

// Values have their own tics if there are few of them, names always.
std::vector<std::pair<double, std::string>> tics_of(const PlotAxis& axis) {
  constexpr std::size_t few = 16;
  if (axis.is_of_numbers && axis.place.size() > few) return {};
  std::vector<std::pair<double, std::string>> tics;
  for (const auto& [text, place] : axis.place) {
    tics.emplace_back(place, text.substr(axis.word.size()));
  }
  std::sort(tics.begin(), tics.end());
  return tics;
}

// Over names, the points of the curves of one row are drawn beside each other.
double beside(std::size_t curve, std::size_t curves) {
  const std::size_t row = std::min(curves, chart_row_curves);
  const double middle = static_cast<double>(row - 1) / 2;
  return (static_cast<double>(curve % chart_row_curves) - middle) * 0.6 /
         static_cast<double>(chart_row_curves);
}

bool spans_hundredfold(const FoldedCurves& curves) {
  constexpr double hundredfold = 100;
  double least = INFINITY;
  double largest = -INFINITY;
  for (const FoldedCurve& curve : curves.all()) {
    for (const FoldedPoint& point : curve.points) {
      least = std::min(least, point.values.front().least);
      largest = std::max(largest, point.values.front().largest);
    }
  }
  return least > 0 && largest >= hundredfold * least;
}

}  // namespace

std::optional<double> number_in(const Json& result, const std::string& path) {
  const Json* at = &result;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (!at->is_object()) return std::nullopt;
    const auto found = at->find(path.substr(begin, end - begin));
    if (found == at->end()) return std::nullopt;
    at = &*found;
    begin = end + 1;
  }
  if (at->is_boolean()) return at->get<bool>() ? 1 : 0;
  if (!at->is_number()) return std::nullopt;
  return at->get<double>();
}

AxisPlot::AxisPlot(std::string x_key, std::string y_column, std::string title)
    : x_key_(std::move(x_key)), y_column_(std::move(y_column)), title_(std::move(title)) {}

bool AxisPlot::add(const std::string& label, const std::string& x, const PointResult& result) {
  if (is_placed_.insert(x).second) places_.push_back(x);
  const auto value = number_in(result.result, y_column_);
  if (result.has_failed() || !value) return false;
  curves_.add(label, x, {*value});
  return true;
}

Chart AxisPlot::chart() const {
  const PlotAxis axis = axis_of(places_);
  Chart chart;
  chart.title = title_;
  chart.x_label = axis.word.empty() ? x_key_ : x_key_ + " " + axis.word + "..";
  chart.tics = tics_of(axis);
  chart.is_x_logarithmic = axis.is_logarithmic;
  chart.joins_points = axis.is_of_numbers;
  chart.has_bands = curves_.most_runs() > 1;
  chart.notes = band_note(curves_.most_runs());
  chart.panels = {{y_column_, spans_hundredfold(curves_), false}};
  const std::vector<FoldedCurve>& all = curves_.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    ChartCurve drawn{all[i].label.empty() ? y_column_ : all[i].label, {}};
    const double shift = axis.is_of_numbers ? 0 : beside(i, all.size());
    for (const FoldedPoint& point : all[i].points) {
      drawn.points.push_back({axis.place.at(point.at) + shift, point.values});
    }
    std::sort(drawn.points.begin(), drawn.points.end(),
              [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
    chart.curves.push_back(std::move(drawn));
  }
  return chart;
}

}  // namespace allport
