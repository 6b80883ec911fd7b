// SPDX-License-Identifier: Apache-2.0
// A CurvePlot shows the latency-throughput curve of a sweep over the rate of a pattern, or over
// that of collectives which start at random, as a picture (SVG, drawn by gnuplot): on the left the
// mean latency, logarithmic, over the offered load, on the right the accepted over the offered
// load. Runs that differ in their seed alone fold into the mean and a band, its 95 % interval.
// Saturated points are hollow, and the first of each curve has a ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "testbench/studies/sweep/chart.h"
#include "testbench/studies/sweep/folded_curves.h"
#include "testbench/studies/sweep/point.h"

namespace allport {

/// What a curve is of: messages of a pattern, or collectives until their last destination has them.
enum class CurveOf : std::uint8_t { messages, collectives };

class CurvePlot {
 public:
  explicit CurvePlot(std::string title, CurveOf what = CurveOf::messages)
      : title_(std::move(title)), what_(what) {}

  /// Adds the point of `result`, at the rate written `rate`, to the curve `label`, and returns
  /// whether it is drawn; a point that failed, or at which nothing arrived, is not.
  bool add(const std::string& label, const std::string& rate, const PointResult& result,
           const CurvePlace& place = {});
  bool is_empty() const { return curves_.is_empty(); }

  Chart chart() const;
  /// Where each curve saturates, in words.
  std::vector<std::string> saturation() const;

 private:
  std::string title_;
  CurveOf what_;
  FoldedCurves curves_;
};

/// Makes a group of `chart` for each panel of `curves`, in the order of appearance, and returns
/// that of each curve.
std::vector<std::size_t> group_curves(Chart& chart, const std::vector<FoldedCurve>& curves);

/// A note that explains the bands of a picture; empty if there are none.
std::vector<std::string> band_note(const FoldedCurves& curves);

}  // namespace allport
