// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/axis_plot.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "rtl_model/base/real_text.h"
#include "testbench/studies/sweep/curve.h"
#include "testbench/studies/sweep/plot_view.h"

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
  const auto [stop, error] = from_chars(text.data(), end, value);
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

// The first of every `n`.
std::vector<std::pair<double, std::string>> every_nth(
    const std::vector<std::pair<double, std::string>>& tics, std::size_t n) {
  std::vector<std::pair<double, std::string>> list;
  for (std::size_t i = 0; i < tics.size(); i += n) list.push_back(tics[i]);
  return list;
}

// Values have their own tics if there are few of them, and lengths as many as have room; names
// always.
std::vector<std::pair<double, std::string>> tics_of(const PlotAxis& axis, const std::string& key,
                                                    std::size_t panels) {
  const std::size_t few = panels > 1 ? 8 : 16;
  const bool is_thinned = axis.is_of_numbers && axis.place.size() > few;
  if (is_thinned && !is_in_bytes(key)) return {};
  std::vector<std::pair<double, std::string>> tics;
  for (const auto& [text, place] : axis.place) {
    tics.emplace_back(place, axis.is_of_numbers && is_in_bytes(key)
                                 ? bytes_in_words(place)
                                 : text.substr(axis.word.size()));
  }
  std::sort(tics.begin(), tics.end());
  return is_thinned ? every_nth(tics, (tics.size() + few - 1) / few) : tics;
}

// Over names, the points of the curves of one group are drawn beside each other.
double beside(std::size_t curve, std::size_t curves) {
  constexpr double room = 0.7;  // of the distance between two names
  const double middle = static_cast<double>(curves - 1) / 2;
  return (static_cast<double>(curve) - middle) * room /
         static_cast<double>(std::max<std::size_t>(curves, 8));
}

bool spans_hundredfold(const std::vector<FoldedCurve>& curves) {
  constexpr double hundredfold = 100;
  double least = INFINITY;
  double largest = -INFINITY;
  for (const FoldedCurve& curve : curves) {
    for (const FoldedPoint& point : curve.points) {
      least = std::min(least, point.values.front().mean);
      largest = std::max(largest, point.values.front().mean);
    }
  }
  return least > 0 && largest >= hundredfold * least;
}

// The least bound of the curves of a group at each place.
void add_bounds(ChartGroup& group, const FoldedCurve& curve, const PlotAxis& axis) {
  for (const FoldedPoint& point : curve.points) {
    if (point.values.size() < 2) continue;
    const double x = axis.place.at(point.at);
    const double bound = point.values[1].mean;
    const auto known = std::find_if(group.bound.begin(), group.bound.end(),
                                    [&](const auto& other) { return other.first == x; });
    if (known == group.bound.end()) {
      group.bound.emplace_back(x, bound);
    } else {
      known->second = std::min(known->second, bound);
    }
  }
  std::sort(group.bound.begin(), group.bound.end());
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

bool AxisPlot::add(const std::string& label, const std::string& x, const PointResult& result,
                   const CurvePlace& place) {
  if (is_placed_.insert(x).second) places_.push_back(x);
  const auto value = number_in(result.result, y_column_);
  if (result.has_failed() || !value) return false;
  const std::string interval = interval_column(y_column_);
  const auto half = interval.empty() ? std::nullopt : number_in(result.result, interval);
  std::vector<double> values{*value};
  const std::string column(bound_column(y_column_));
  const auto bound = column.empty() ? std::nullopt : number_in(result.result, column);
  if (bound) values.push_back(*bound);
  curves_.add(label, place, x, values, {false, false, half.value_or(0)});
  return true;
}

Chart AxisPlot::chart() const {
  const PlotAxis axis = axis_of(places_);
  const bool more = is_more_better(y_column_);
  const std::vector<FoldedCurve> all = curves_.best(0, more);
  Chart chart;
  chart.title = title_;
  chart.x_label = axis.word.empty() ? x_key_ : x_key_ + " " + axis.word + "..";
  chart.is_x_logarithmic = axis.is_logarithmic;
  chart.joins_points = axis.is_of_numbers;
  chart.has_bands = curves_.most_runs() > 1 || curves_.has_own_intervals();
  chart.is_more_better = more;
  chart.notes = band_note(curves_);
  chart.panels = {{y_column_, spans_hundredfold(all), false}};
  const std::vector<std::size_t> group_of = group_curves(chart, all);
  chart.tics = tics_of(axis, x_key_, chart.groups.size());
  std::vector<std::size_t> in_group(chart.groups.size());
  std::vector<std::size_t> sizes(chart.groups.size());
  for (const std::size_t group : group_of) ++sizes[group];
  for (std::size_t i = 0; i < all.size(); ++i) {
    ChartCurve drawn{all[i].label.empty() ? y_column_ : all[i].label, {}, "", group_of[i]};
    const double shift =
        axis.is_of_numbers ? 0 : beside(in_group[group_of[i]]++, sizes[group_of[i]]);
    for (const FoldedPoint& point : all[i].points) {
      drawn.points.push_back({axis.place.at(point.at) + shift, {point.values.front()}});
    }
    std::sort(drawn.points.begin(), drawn.points.end(),
              [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
    chart.curves.push_back(std::move(drawn));
    add_bounds(chart.groups[group_of[i]], all[i], axis);
  }
  std::vector<std::pair<double, std::string>> words;
  for (const auto& [text, place] : axis.place) {
    words.emplace_back(place, is_in_bytes(x_key_) ? bytes_in_words(place) : text);
  }
  mark_changes(chart, words);
  return chart;
}

}  // namespace allport
