// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace allport {

namespace {

// Two curves of the same points must not hide each other: the colours differ, also in grey.
constexpr std::array<const char*, chart_row_curves> colours{
    "#0060ad", "#dd181f", "#2a8f4f", "#8e44ad", "#e67e22", "#17a2b8", "#7f5539", "#444444"};

// In pixels.
constexpr std::size_t width = 1100;
constexpr std::size_t line_height = 20;
constexpr std::size_t panel_height = 380;
constexpr std::size_t left_margin = 85;
constexpr std::size_t right_margin = 25;
constexpr std::size_t axis_height = 60;  // tics and label below a panel
constexpr std::size_t gap = 12;
constexpr std::size_t letters_of_a_line = 135;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// `range` with a margin, so that no point lies on the frame.
std::string with_air(Range range, bool is_logarithmic, bool starts_at_zero) {
  if (is_logarithmic) return fmt::format("[{}:{}]", range.low / 1.25, range.high * 1.25);
  if (starts_at_zero) return fmt::format("[0:{}]", range.high > 0 ? range.high * 1.06 : 1);
  const double air = range.high > range.low ? 0.06 * (range.high - range.low) : 0.5;
  return fmt::format("[{}:{}]", range.low - air, range.high + air);
}

std::string in_gnuplot_quotes(const std::string& text) {
  std::string safe = text;
  std::replace(safe.begin(), safe.end(), '"', '\'');
  std::replace(safe.begin(), safe.end(), '`', '\'');
  std::replace(safe.begin(), safe.end(), '\\', '/');
  return "\"" + safe + "\"";
}

// The text broken at spaces into lines that fit the picture.
std::vector<std::string> lines_of(std::string text) {
  std::vector<std::string> lines;
  while (text.size() > letters_of_a_line) {
    std::size_t end = text.rfind(' ', letters_of_a_line);
    if (end == std::string::npos || end == 0) end = letters_of_a_line;
    lines.push_back(text.substr(0, end));
    text.erase(0, text[end] == ' ' ? end + 1 : end);
  }
  lines.push_back(std::move(text));
  return lines;
}

std::string shortened(const std::string& text) {
  return text.size() <= letters_of_a_line ? text : text.substr(0, letters_of_a_line - 2) + "..";
}

class Script {
 public:
  explicit Script(const Chart& chart) : chart_(chart) {
    curves_ = std::min(chart.curves.size(), chart_row_curves * max_chart_rows);
    add_heading(chart.title);
    for (const std::string& note : chart.notes) add_heading(note);
  }

  std::string text() {
    add_preamble();
    for (std::size_t i = 0; i < curves_; ++i) add_data(i);
    std::size_t top = gap + line_height * heading_.size() + gap;
    for (std::size_t first = 0; first < curves_; first += chart_row_curves) {
      add_row(first, top);
      top += row_height(first);
    }
    return text_ + "unset multiplot\n";
  }

 private:
  void add_heading(const std::string& text) {
    for (std::string& line : lines_of(text)) heading_.push_back(std::move(line));
  }
  std::size_t legend_lines(std::size_t first) const {
    const bool has_marks = is_any_hollow();
    const bool has_diagonal =
        std::any_of(chart_.panels.begin(), chart_.panels.end(),
                    [](const ChartPanel& panel) { return panel.has_diagonal; });
    return std::min(chart_row_curves, curves_ - first) + (has_marks ? 1 : 0) +
           (has_diagonal ? 1 : 0);
  }
  std::size_t row_height(std::size_t first) const {
    return panel_height + axis_height + line_height * legend_lines(first) + 2 * gap;
  }
  std::size_t height() const {
    std::size_t sum = 2 * gap + line_height * heading_.size();
    for (std::size_t first = 0; first < curves_; first += chart_row_curves) {
      sum += row_height(first);
    }
    return sum;
  }
  // Converts pixels below the top to a share of the screen above its bottom.
  double y_on_screen(std::size_t pixels) const {
    return 1 - static_cast<double>(pixels) / static_cast<double>(height());
  }
  bool is_any_hollow() const {
    return std::any_of(chart_.curves.begin(), chart_.curves.end(), [](const ChartCurve& curve) {
      return std::any_of(curve.points.begin(), curve.points.end(),
                         [](const ChartPoint& point) { return point.is_hollow; });
    });
  }
  Range x_range() const;
  Range y_range(std::size_t panel) const;
  void add_preamble();
  void add_data(std::size_t curve);
  void add_row(std::size_t first, std::size_t top);
  void add_panel(std::size_t panel, std::size_t first, std::size_t top);
  std::string layers(std::size_t curve, std::size_t panel) const;
  std::string legend_of_marks() const;

  const Chart& chart_;
  std::size_t curves_;
  std::vector<std::string> heading_;
  std::string text_;
};

Range Script::x_range() const {
  Range range;
  for (const ChartCurve& curve : chart_.curves) {
    for (const ChartPoint& point : curve.points) range.include(point.x);
  }
  for (const auto& [x, label] : chart_.tics) range.include(x);
  return range;
}

Range Script::y_range(std::size_t panel) const {
  Range range;
  for (const ChartCurve& curve : chart_.curves) {
    for (const ChartPoint& point : curve.points) {
      range.include(point.y[panel].least);
      range.include(point.y[panel].largest);
    }
  }
  return range;
}

void Script::add_preamble() {
  text_ += fmt::format(
      "set terminal svg size {},{} background rgb 'white' font 'sans,13'\n"
      "set multiplot\nset grid lc rgb '#dddddd'\nset xlabel {} noenhanced\n",
      width, height(), in_gnuplot_quotes(chart_.x_label));
  for (std::size_t i = 0; i < heading_.size(); ++i) {
    text_ += fmt::format("set label {} {} at screen 0.5, screen {:.6f} center noenhanced\n", i + 1,
                         in_gnuplot_quotes(heading_[i]),
                         y_on_screen(gap + line_height * i + line_height / 2));
  }
  if (chart_.is_x_logarithmic) text_ += "set logscale x\nset format x '%.0s%c'\n";
  if (!chart_.tics.empty()) {
    std::string tics;
    for (const auto& [x, label] : chart_.tics) {
      tics += fmt::format("{}{} {}", tics.empty() ? "" : ", ", in_gnuplot_quotes(label), x);
    }
    text_ += fmt::format("set xtics ({}) noenhanced\n", tics);
  }
  text_ += fmt::format("set xrange {}\n",
                       with_air(x_range(), chart_.is_x_logarithmic, chart_.starts_at_zero));
}

// Columns: x, hollow, ringed, then mean, least and largest of each panel.
void Script::add_data(std::size_t curve) {
  text_ += fmt::format("$curve{} << end_of_curve\n", curve);
  for (const ChartPoint& point : chart_.curves[curve].points) {
    text_ += fmt::format("{} {:d} {:d}", point.x, point.is_hollow, point.is_ringed);
    for (const Fold& one : point.y) {
      text_ += fmt::format(" {} {} {}", one.mean, one.least, one.largest);
    }
    text_ += '\n';
  }
  text_ += "end_of_curve\n";
}

// A band behind a line with filled and hollow points, and a ring around those that are marked.
std::string Script::layers(std::size_t curve, std::size_t panel) const {
  const ChartCurve& one = chart_.curves[curve];
  const std::string data = fmt::format("$curve{}", curve);
  const std::string colour = fmt::format("lc rgb '{}'", colours[curve % chart_row_curves]);
  const std::size_t mean = 4 + 3 * panel;
  const std::string title =
      panel == 0 ? "title " + in_gnuplot_quotes(shortened(one.title)) : "notitle";
  std::string text;
  if (chart_.has_bands && chart_.joins_points && one.points.size() > 1) {
    text += fmt::format(
        "{} using 1:{}:{} with filledcurves {} fs transparent solid 0.2 notitle, \\\n  ", data,
        mean + 1, mean + 2, colour);
  } else if (chart_.has_bands) {
    text += fmt::format("{} using 1:{}:{}:{} with yerrorbars pt 0 lw 1.5 {} notitle, \\\n  ", data,
                        mean, mean + 1, mean + 2, colour);
  }
  return text +
         fmt::format(
             "{0} using 1:{1} with {2} lw 2 {3} {4}, \\\n"
             "  {0} using 1:($2 == 0 ? ${1} : NaN) with points pt 7 ps 0.5 {3} notitle, \\\n"
             "  {0} using 1:($2 == 1 ? ${1} : NaN) with points pt 6 ps 0.6 {3} notitle, \\\n"
             "  {0} using 1:($3 == 1 ? ${1} : NaN) with points pt 6 ps 1.6 lw 2 {3} notitle, \\\n  ",
             data, mean, chart_.joins_points ? "lines" : "points pt 7 ps 0.5", colour, title);
}

std::string Script::legend_of_marks() const {
  if (!is_any_hollow()) return {};
  return "NaN with points pt 6 ps 1.6 lw 2 lc rgb '#444444' title 'saturation: hollow points are saturated, a ring marks the first of a curve', \\\n  ";
}

void Script::add_panel(std::size_t panel, std::size_t first, std::size_t top) {
  const ChartPanel& one = chart_.panels[panel];
  const std::size_t column = width / chart_.panels.size();
  const auto x_on_screen = [](std::size_t pixels) {
    return static_cast<double>(pixels) / static_cast<double>(width);
  };
  text_ += fmt::format(
      "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n"
      "set bmargin at screen {:.6f}\nset ylabel {} noenhanced\n",
      x_on_screen(column * panel + left_margin), x_on_screen(column * (panel + 1) - right_margin),
      y_on_screen(top), y_on_screen(top + panel_height), in_gnuplot_quotes(one.label));
  text_ +=
      panel > 0
          ? "unset key\n"
          : fmt::format(
                "set key at screen {:.6f}, screen {:.6f} left top vertical Left reverse noenhanced maxcols 1 width 0 height 0\n",
                x_on_screen(left_margin), y_on_screen(top + panel_height + axis_height));
  const Range range = y_range(panel);
  // Within less than a decade a logarithmic axis may have no number at all.
  constexpr double decade = 10;
  const bool is_logarithmic = one.is_logarithmic && range.high >= decade * range.low;
  // gnuplot leaves out the label of an axis whose numbers are too wide: 10M, not 1x10^7.
  const bool has_wide_numbers = is_logarithmic && range.high >= 1e6;
  text_ += fmt::format("set format y '{}'\n", has_wide_numbers ? "%.0s%c" : "% h");
  text_ += fmt::format("{} logscale y\nset yrange {}\nplot ", is_logarithmic ? "set" : "unset",
                       with_air(range, is_logarithmic, range.low >= 0));
  const std::size_t end = std::min(curves_, first + chart_row_curves);
  for (std::size_t i = first; i < end; ++i) text_ += layers(i, panel);
  const bool is_legend = panel == 0;
  if (is_legend) text_ += legend_of_marks();
  const bool has_diagonal = std::any_of(chart_.panels.begin(), chart_.panels.end(),
                                        [](const ChartPanel& other) { return other.has_diagonal; });
  const char* diagonal = one.has_diagonal ? "x" : "NaN";
  text_ += has_diagonal && (is_legend || one.has_diagonal)
               ? fmt::format("{} with lines dt 2 lc rgb '#888888' {}\n", diagonal,
                             is_legend ? "title 'accepted = offered'" : "notitle")
               : "NaN notitle\n";
}

void Script::add_row(std::size_t first, std::size_t top) {
  for (std::size_t panel = 0; panel < chart_.panels.size(); ++panel) {
    add_panel(panel, first, top);
    if (first == 0 && panel == 0) {  // the heading is drawn once
      for (std::size_t i = 0; i < heading_.size(); ++i)
        text_ += fmt::format("unset label {}\n", i + 1);
    }
  }
}

}  // namespace

std::string gnuplot_script(const Chart& chart) { return Script(chart).text(); }

}  // namespace allport
