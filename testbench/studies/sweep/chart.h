// SPDX-License-Identifier: Apache-2.0
// Curves become commands for gnuplot: panels side by side over one kind of axis, with eight curves
// in a row of panels. The legend is below each row, so that it never covers a curve. Every row has
// the same ranges.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "testbench/studies/sweep/folded_curves.h"

namespace allport {

struct ChartPoint {
  double x = 0;
  std::vector<Fold> y;  ///< one for each panel
  bool is_hollow = false;
  bool is_ringed = false;
};

struct ChartCurve {
  std::string title;
  std::vector<ChartPoint> points;  ///< by x
};

struct ChartPanel {
  std::string label;  ///< label of its y axis
  bool is_logarithmic = false;
  bool has_diagonal = false;  ///< the dashed line y = x
};

struct Chart {
  std::string title;
  std::string x_label;
  std::vector<std::pair<double, std::string>> tics;  ///< tics of the x axis; empty: gnuplot's own
  bool is_x_logarithmic = false;
  bool starts_at_zero = false;  ///< whether the x axis starts at zero
  bool joins_points =
      true;  ///< whether lines join the points; not if the places of x have no order
  bool has_bands = false;
  std::vector<ChartPanel> panels;
  std::vector<ChartCurve> curves;
  std::vector<std::string> notes;  ///< lines below the title
};

/// Largest number of curves in a row of panels.
constexpr std::size_t chart_row_curves = 8;
/// Largest number of rows; further curves are not drawn.
constexpr std::size_t max_chart_rows = 30;

/// The commands that make gnuplot print the picture (SVG).
std::string gnuplot_script(const Chart& chart);

}  // namespace allport
