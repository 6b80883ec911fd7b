// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/folded_curves.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "testbench/results/mean_estimate.h"

namespace allport {

namespace {

// Adds `value`, which is that of run number `runs`.
void add_to(Fold& fold, double& deviations, double value, std::size_t runs) {
  const double off = value - fold.mean;
  fold.mean += off / static_cast<double>(runs);
  deviations += off * (value - fold.mean);
}

FoldedPoint with_intervals(FoldedPoint point) {
  if (point.runs < 2) return point;
  const auto runs = static_cast<double>(point.runs);
  const double t = student_t_95(point.runs - 1);
  for (std::size_t i = 0; i < point.values.size(); ++i) {
    point.values[i].half = t * std::sqrt(point.deviations[i] / (runs - 1) / runs);
  }
  return point;
}

std::string name_of(const std::string& panel, const std::string& label, const std::string& choice) {
  return panel + '\n' + label + '\n' + choice;
}

auto point_at(std::vector<FoldedPoint>& points, const std::string& at) {
  return std::find_if(points.begin(), points.end(),
                      [&](const FoldedPoint& one) { return one.at == at; });
}

}  // namespace

void FoldedCurves::add(const std::string& label, const CurvePlace& place, const std::string& at,
                       const std::vector<double>& values, const RunNotes& notes) {
  const auto [known, is_new] =
      places_.emplace(name_of(place.panel, label, place.choice), curves_.size());
  if (is_new) curves_.push_back({label, place, {}});
  std::vector<FoldedPoint>& points = curves_[known->second].points;
  auto point = point_at(points, at);
  if (point == points.end()) {
    point = points.insert(points.end(), {at, std::vector<Fold>(values.size()), 0, 0, 0,
                                         std::vector<double>(values.size())});
  }
  ++point->runs;
  if (notes.is_flagged) ++point->flagged;
  if (notes.is_open) ++point->open;
  for (std::size_t i = 0; i < std::min(values.size(), point->values.size()); ++i) {
    add_to(point->values[i], point->deviations[i], values[i], point->runs);
  }
  point->values.front().half = notes.half;
  has_own_intervals_ = has_own_intervals_ || notes.half > 0;
  most_runs_ = std::max(most_runs_, point->runs);
}

std::vector<FoldedCurve> FoldedCurves::best(std::size_t quantity, bool is_more_better) const {
  std::vector<FoldedCurve> list;
  std::unordered_map<std::string, std::size_t> known;
  for (const FoldedCurve& curve : curves_) {
    const auto [place, is_new] =
        known.emplace(name_of(curve.place.panel, curve.label, ""), list.size());
    if (is_new) list.push_back({curve.label, {curve.place.panel, ""}, {}});
    std::vector<FoldedPoint>& points = list[place->second].points;
    for (const FoldedPoint& one : curve.points) {
      const auto other = point_at(points, one.at);
      if (other == points.end()) {
        points.push_back(one);
        continue;
      }
      const double gain = other->values[quantity].mean - one.values[quantity].mean;
      if (is_more_better ? gain < 0 : gain > 0) *other = one;
    }
  }
  for (FoldedCurve& curve : list) {
    for (FoldedPoint& point : curve.points) point = with_intervals(std::move(point));
  }
  return list;
}

}  // namespace allport
