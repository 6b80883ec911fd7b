// SPDX-License-Identifier: Apache-2.0
// A LineChart makes curves over one axis into commands for gnuplot, for a slide, with a legend
// outside the data and colours that everybody can tell apart, each with a mark of its own.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace allport {

class LineChart {
 public:
  LineChart(std::string title, std::string x_label, std::string y_label)
      : title_(std::move(title)), x_label_(std::move(x_label)), y_label_(std::move(y_label)) {}

  /// Adds a curve through `points`, by x. A theory beside measurements is dashed and has no marks.
  void add(std::string label, std::vector<std::pair<double, double>> points,
           bool is_theory = false);
  /// Fills the band between two curves over the same places, behind all curves.
  void add_band(std::string label, std::vector<std::pair<double, double>> lower,
                std::vector<std::pair<double, double>> upper);
  void use_log_y() { is_log_y_ = true; }
  void use_log_x() { is_log_x_ = true; }
  /// Gives the next curve the colour and the mark of curve `number`.
  void colour_as(std::size_t number) { next_colour_ = number; }

  /// The commands that make gnuplot print the picture as SVG on stdout.
  std::string script() const;

 private:
  struct Curve {
    std::string label;
    std::vector<std::pair<double, double>> points;
    bool is_theory;
    std::size_t colour;
  };

  struct Band {
    std::string label;
    std::vector<std::pair<double, double>> lower;
    std::vector<std::pair<double, double>> upper;
  };

  double mark_size(std::size_t curve) const;

  std::string title_;
  std::string x_label_;
  std::string y_label_;
  bool is_log_x_ = false;
  bool is_log_y_ = false;
  std::size_t next_colour_ = 0;
  std::vector<Curve> curves_;
  std::vector<Band> bands_;
};

}  // namespace allport
