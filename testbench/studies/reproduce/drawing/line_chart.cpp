// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/drawing/line_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/studies/reproduce/drawing/palette.h"

namespace allport {

namespace {

constexpr const char* preamble =
    R"(set encoding utf8
set terminal svg size 920,580 background rgb 'white' font 'sans-serif,15' linewidth 1.2 dashlength 0.7
set title {} noenhanced font ',18'
set xlabel {} noenhanced
set ylabel {} noenhanced
set border 3 lc rgb '#444444'
set tics nomirror out
set grid ytics lc rgb '#dddddd' lw 1
set key below center horizontal noenhanced width 2 height 0.6 samplen 2.5
)";

// Filled and hollow marks that differ in shape: circle, square, triangle, diamond, pentagon.
constexpr std::array marks{7, 5, 9, 13, 15, 11, 6, 4};

std::string in_quotes(const std::string& text) {
  std::string safe = text;
  std::replace(safe.begin(), safe.end(), '"', '\'');
  std::replace(safe.begin(), safe.end(), '\\', '/');
  return "\"" + safe + "\"";
}

}  // namespace

void LineChart::add(std::string label, std::vector<std::pair<double, double>> points,
                    bool is_theory) {
  std::stable_sort(points.begin(), points.end());
  curves_.push_back({std::move(label), std::move(points), is_theory, next_colour_++});
}

void LineChart::add_band(std::string label, std::vector<std::pair<double, double>> lower,
                         std::vector<std::pair<double, double>> upper) {
  std::stable_sort(lower.begin(), lower.end());
  std::stable_sort(upper.begin(), upper.end());
  bands_.push_back({std::move(label), std::move(lower), std::move(upper)});
}

// If curves coincide, the marks of the earlier ones are visible around those of the later ones.
double LineChart::mark_size(std::size_t curve) const {
  constexpr std::size_t dense = 40;
  if (curves_[curve].points.size() > dense) return 0.35;
  const auto behind = std::count_if(curves_.begin() + static_cast<std::ptrdiff_t>(curve) + 1,
                                    curves_.end(), [](const Curve& one) { return !one.is_theory; });
  return std::min(1.1, 0.6 + 0.17 * static_cast<double>(behind));
}

std::string LineChart::script() const {
  std::string text =
      fmt::format(preamble, in_quotes(title_), in_quotes(x_label_), in_quotes(y_label_));
  if (is_log_x_) text += "set logscale x 2\n";
  text += is_log_y_ ? "set logscale y\n" : "set yrange [0:*]\n";
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    text += fmt::format("$curve{} << end_of_curve\n", i);
    for (const auto& [x, y] : curves_[i].points) text += fmt::format("{} {}\n", x, y);
    text += "end_of_curve\n";
  }
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    text += fmt::format("$band{} << end_of_band\n", i);
    for (std::size_t k = 0; k < bands_[i].lower.size(); ++k) {
      const auto& [x, low] = bands_[i].lower[k];
      text += fmt::format("{} {} {}\n", x, low, bands_[i].upper.at(k).second);
    }
    text += "end_of_band\n";
  }
  text += "plot ";
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    text += fmt::format("$band{} using 1:2:3 with filledcurves fc rgb '#e4e4e4' title {}, \\\n  ",
                        i, in_quotes(bands_[i].label));
  }
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const Curve& one = curves_[i];
    const std::string style = one.is_theory
                                  ? "with lines dt 2 lw 2"
                                  : fmt::format("with linespoints lw 2 pt {} ps {}",
                                                marks[one.colour % marks.size()], mark_size(i));
    text += fmt::format("{}$curve{} using 1:2 {} lc rgb '{}' {}", i == 0 ? "" : ", \\\n  ", i,
                        style, palette(one.colour),
                        one.label.empty() ? "notitle" : "title " + in_quotes(one.label));
  }
  return text + "\n";
}

}  // namespace allport
