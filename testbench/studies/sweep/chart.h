// SPDX-License-Identifier: Apache-2.0
// Curves become commands for gnuplot: panels over one kind of axis, all with the same ranges, and
// one legend below them, so that it never covers a curve. A name has one colour in all panels.
// Where there are more names than colours, those that are the best anywhere have the colours, and
// the others are thin and grey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/studies/sweep/folded_curves.h"

namespace allport {

struct ChartPoint {
  double x = 0;
  std::vector<Fold> y;  ///< one for each quantity
  bool is_hollow = false;
  bool is_ringed = false;
};

struct ChartCurve {
  std::string title;               ///< in the legend, if there is one group
  std::vector<ChartPoint> points;  ///< by x
  std::string name{};              ///< curves with one name have one colour; empty: the title
  std::size_t group = 0;

  const std::string& known_as() const { return name.empty() ? title : name; }
};

/// What is on the y axis of a panel.
struct ChartPanel {
  std::string label;
  bool is_logarithmic = false;
  bool has_diagonal = false;  ///< the dashed line y = x
};

/// Curves that share a panel for each quantity.
struct ChartGroup {
  std::string title;
  std::vector<std::pair<double, double>> bound{};  ///< x and the lower bound of the first quantity
  std::vector<double> marks{};                     ///< places of upright lines
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
  bool is_more_better = false;     ///< of the first quantity
  std::vector<ChartPanel> panels;  ///< the quantities
  std::vector<ChartCurve> curves;
  std::vector<std::string> notes{};              ///< lines below the title
  std::vector<ChartGroup> groups{ChartGroup{}};  ///< one at least
};

/// Colours of curves, which differ in grey, too, and stand out on white. Pages have the same.
const std::vector<std::string_view>& chart_colours();

/// Adds a mark where the best curve of a group changes between neighbouring values of x, and a note
/// which is the best where; `x_in_words` names a value.
void mark_changes(Chart& chart, const std::vector<std::pair<double, std::string>>& x_in_words);

/// The names of the curves that are the best at some x of their group.
std::vector<std::string> best_names(const Chart& chart);

/// The commands that make gnuplot print the picture (SVG).
std::string gnuplot_script(const Chart& chart);

}  // namespace allport
