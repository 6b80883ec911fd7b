// SPDX-License-Identifier: Apache-2.0
// This draws any column of a sweep's results over any of its varied keys. Runs that differ in their
// seed alone fold into the mean and a band, its 95 % interval. Values that are numbers, or numbers
// after one word such as `hypercube:`, are places on an axis; others are in the order of the grid,
// without lines.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "testbench/studies/sweep/chart.h"
#include "testbench/studies/sweep/folded_curves.h"
#include "testbench/studies/sweep/point.h"

namespace allport {

/// The number in the column `path` of results.csv (`latency.max`); true and false are 1 and 0. None
/// if it is not a number.
std::optional<double> number_in(const Json& result, const std::string& path);

class AxisPlot {
 public:
  AxisPlot(std::string x_key, std::string y_column, std::string title);

  /// Adds the point of `result`, at the value `x`, to the curve `label`, and returns whether it is
  /// drawn. A point that failed, or has no number in the column, is not, but its value keeps its
  /// place on the axis.
  bool add(const std::string& label, const std::string& x, const PointResult& result,
           const CurvePlace& place = {});
  bool is_empty() const { return curves_.is_empty(); }

  Chart chart() const;

 private:
  std::string x_key_;
  std::string y_column_;
  std::string title_;
  std::vector<std::string> places_;  // the values of the axis, in order of appearance
  std::unordered_set<std::string> is_placed_;
  FoldedCurves curves_;  // the column and, where there is one, its lower bound
};

}  // namespace allport
