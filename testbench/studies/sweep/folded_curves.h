// SPDX-License-Identifier: Apache-2.0
// FoldedCurves has curves whose points are folded: a point has the mean of the runs that differ in
// their seed alone, with its 95 % interval, or the better of two such means.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace allport {

/// One quantity over the runs of a point.
struct Fold {
  double mean = 0;
  double half = 0;  ///< half the width of the mean's 95 % interval; 0: there is none

  double low() const { return mean - half; }
  double high() const { return mean + half; }
};

struct FoldedPoint {
  std::string at;            ///< the value of the axis, as it is written
  std::vector<Fold> values;  ///< one for each quantity
  std::size_t runs = 0;
  std::size_t flagged = 0;         ///< number of runs that saturated
  std::size_t open = 0;            ///< number of runs that are too short to tell
  std::vector<double> deviations;  ///< sums of squared deviations, one for each quantity

  bool is_flagged() const { return 2 * flagged > runs; }
  /// Whether the other runs are not enough to say it either way.
  bool is_open() const { return !is_flagged() && 2 * (flagged + open) > runs; }
};

/// Where the points of a curve are drawn, and what they are the best of.
struct CurvePlace {
  std::string panel;   ///< the panel; empty: the only one
  std::string choice;  ///< values of which the best counts; empty: there are none
};

/// What is known of a run besides its values.
struct RunNotes {
  bool is_flagged = false;
  bool is_open = false;
  double half = 0;  ///< half the width of the interval that the run itself has for its first value
};

struct FoldedCurve {
  std::string label;
  CurvePlace place;
  std::vector<FoldedPoint> points;
};

class FoldedCurves {
 public:
  /// Adds a run to the curve `label` of `place` at `at`, with a value for each quantity; a point
  /// has as many as its first run.
  void add(const std::string& label, const CurvePlace& place, const std::string& at,
           const std::vector<double>& values, const RunNotes& notes = {});

  /// The curves and their points in order of appearance. Of curves of one label and panel that
  /// differ in their choice there is one, each of whose points is that with the least or, if
  /// `is_more_better`, the largest mean of `quantity`.
  std::vector<FoldedCurve> best(std::size_t quantity, bool is_more_better) const;
  bool is_empty() const { return curves_.empty(); }
  /// The largest number of runs of a point.
  std::size_t most_runs() const { return most_runs_; }
  /// Whether a run had an interval of its own.
  bool has_own_intervals() const { return has_own_intervals_; }

 private:
  std::vector<FoldedCurve> curves_;
  std::unordered_map<std::string, std::size_t> places_;  // of panel, label and choice
  std::size_t most_runs_ = 0;
  bool has_own_intervals_ = false;
};

}  // namespace allport
