// SPDX-License-Identifier: Apache-2.0
// FoldedCurves has curves whose points are folded: a point has the mean, least and largest value of
// the runs that differ in their seed alone.
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
  std::size_t flagged = 0;  ///< number of runs that saturated
  std::size_t open = 0;     ///< number of runs that are too short to tell
  bool is_flagged() const { return 2 * flagged > runs; }
  /// Whether the other runs are not enough to say it either way.
  bool is_open() const { return !is_flagged() && 2 * (flagged + open) > runs; }
};

struct FoldedCurve {
  std::string label;
  std::vector<FoldedPoint> points;
};

class FoldedCurves {
 public:
  /// Adds a run to the curve `label` at the place `at`, with a value for each quantity.
  void add(const std::string& label, const std::string& at, const std::vector<double>& values,
           bool is_flagged = false, bool is_open = false);

  /// The curves and their points in order of appearance.
  const std::vector<FoldedCurve>& all() const { return curves_; }
  /// The largest number of runs of a point.
  std::size_t most_runs() const { return most_runs_; }

 private:
  std::vector<FoldedCurve> curves_;
  std::unordered_map<std::string, std::size_t> places_;  // of the labels
  std::size_t most_runs_ = 0;
};

}  // namespace allport
