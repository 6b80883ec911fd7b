// SPDX-License-Identifier: Apache-2.0
// This makes the HTML page of a sweep: its curves, over any key, and its table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testbench/results/json.h"
#include "testbench/studies/sweep/point.h"

namespace allport {

class SweepPage {
 public:
  /// Most points of a page; of a larger sweep it shows the first ones.
  static constexpr std::size_t most_points = 5000;

  /// `keys`: those that are varied; `x`, `y`: the key and the column that are shown first.
  SweepPage(std::vector<std::string> keys, std::string x, std::string y);

  /// Adds the next point, with its values of the keys.
  void add(const std::vector<std::string>& values, const PointResult& result);
  /// The text of the page. `fixed`: the options with one value, in words.
  std::string take(const std::string& command, const std::string& fixed);

 private:
  std::string table() const;
  std::vector<std::size_t> varied_columns() const;

  const std::vector<std::string> keys_;
  const std::string x_;
  const std::string y_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t> places_;  // of the columns
  std::vector<std::vector<std::string>> values_;
  std::vector<std::map<std::size_t, double>> numbers_;  // by point, then column
  std::vector<std::string> errors_;
  std::size_t points_ = 0;  // also those that are not shown
};

}  // namespace allport
