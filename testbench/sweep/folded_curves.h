// SPDX-License-Identifier: Apache-2.0
// Curves whose points are folded: of runs that differ in their seed alone a point has mean, least
// and largest value.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace allport {

/// One quantity over the runs of a point.
struct Fold {
  double mean = 0;
  double least = 0;
  double largest = 0;
};

struct FoldedPoint {
  std::string at;            ///< the value of the axis, as it is written
  std::vector<Fold> values;  ///< one for each quantity
  std::size_t runs = 0;
  std::size_t flagged = 0;  ///< those of them that saturated

  /// More than half of its runs.
  bool is_flagged() const { return 2 * flagged > runs; }
};

struct FoldedCurve {
  std::string label;
  std::vector<FoldedPoint> points;
};

class FoldedCurves {
 public:
  /// A run of the curve `label` at the place `at`, with a value for each quantity.
  void add(const std::string& label, const std::string& at, const std::vector<double>& values,
           bool is_flagged = false);

  /// Curves and their points in order of appearance.
  const std::vector<FoldedCurve>& all() const { return curves_; }
  /// Runs of the point that has most of them.
  std::size_t most_runs() const { return most_runs_; }

 private:
  std::vector<FoldedCurve> curves_;
  std::unordered_map<std::string, std::size_t> places_;  // of the labels
  std::size_t most_runs_ = 0;
};

}  // namespace allport
