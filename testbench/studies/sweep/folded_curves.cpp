// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/folded_curves.h"

#include <algorithm>

namespace allport {

namespace {

// Adds `value`, which is that of run number `runs`.
void add_to(Fold& fold, double value, std::size_t runs) {
  fold.least = runs == 1 ? value : std::min(fold.least, value);
  fold.largest = runs == 1 ? value : std::max(fold.largest, value);
  fold.mean += (value - fold.mean) / static_cast<double>(runs);
}

}  // namespace

void FoldedCurves::add(const std::string& label, const std::string& at,
                       const std::vector<double>& values, bool is_flagged, bool is_open) {
  const auto [place, is_new] = places_.emplace(label, curves_.size());
  if (is_new) curves_.push_back({label, {}});
  std::vector<FoldedPoint>& points = curves_[place->second].points;
  auto point = std::find_if(points.begin(), points.end(),
                            [&](const FoldedPoint& one) { return one.at == at; });
  if (point == points.end()) {
    point = points.insert(points.end(), {at, std::vector<Fold>(values.size()), 0, 0});
  }
  ++point->runs;
  if (is_flagged) ++point->flagged;
  if (is_open) ++point->open;
  for (std::size_t i = 0; i < values.size(); ++i) add_to(point->values[i], values[i], point->runs);
  most_runs_ = std::max(most_runs_, point->runs);
}

}  // namespace allport
