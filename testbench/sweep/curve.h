// SPDX-License-Identifier: Apache-2.0
// The latency-throughput curve of a sweep over the rate of a pattern, as a picture (SVG, drawn by
// gnuplot): on the left the mean latency, logarithmic, over the offered load, on the right the
// accepted over the offered load. A curve for each combination of the other varied keys; saturated
// points are hollow, and the first of each curve carries its load.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbench/sweep/point.h"

namespace allport {

struct CurvePoint {
  double offered = 0;   ///< flits per node and cycle
  double accepted = 0;  ///< flits per node and cycle
  double latency = 0;   ///< mean, in cycles
  bool is_saturated = false;
};

class CurvePlot {
 public:
  explicit CurvePlot(std::string title) : title_(std::move(title)) {}

  /// Adds the point of `result` to the curve `label`; one without results of traffic is left out.
  void add(const std::string& label, const PointResult& result);
  bool is_empty() const { return curves_.empty(); }

  /// The commands that make gnuplot print the picture.
  std::string script() const;
  /// For each curve in words where it saturates.
  std::vector<std::string> saturation() const;

 private:
  struct Curve {
    std::string label;
    std::vector<CurvePoint> points;

    /// By load.
    std::vector<CurvePoint> sorted() const;
  };

  std::string title_;
  std::vector<Curve> curves_;  // in order of appearance
};

}  // namespace allport
