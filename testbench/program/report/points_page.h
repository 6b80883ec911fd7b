// SPDX-License-Identifier: Apache-2.0
// This makes the HTML page of many points, each with values of the same options and its results: a
// sweep, or a comparison over lengths or fabrics. Its picture draws any number of the results over
// any of the options, and says which value of another one is the best, and by how much.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "testbench/results/json.h"
#include "testbench/show/page/page.h"
#include "testbench/studies/sweep/plot_view.h"
#include "testbench/studies/sweep/point.h"

namespace allport {

class PointsPage {
 public:
  /// Most points of a page; of more it shows the first ones.
  static constexpr std::size_t most_points = 5000;

  /// `keys`: those that are varied; `view`: with which the picture begins; `zipped`: lists of keys
  /// that advance together.
  PointsPage(std::vector<std::string> keys, PlotView view,
             std::vector<std::vector<std::string>> zipped = {});

  /// Adds the next point, with its values of the keys.
  void add(const std::vector<std::string>& values, const PointResult& result);
  /// Says where the fastest algorithm changes over the length, in bytes: a list of `shorter`,
  /// `longer`, `below` and `above`, as in the JSON of a comparison.
  void use_crossovers(Json crossovers) { crossovers_ = std::move(crossovers); }
  /// Adds a section behind the table.
  void add_section(PageSection section) { more_.push_back(std::move(section)); }

  const std::vector<std::string>& keys() const { return keys_; }
  /// The text of the page. `fixed`: the options with one value, in words.
  std::string take(const std::string& title, const std::string& command, const std::string& fixed);

 private:
  std::string table() const;
  std::vector<std::size_t> varied_columns() const;
  std::vector<std::string> named_algorithms() const;
  Json data() const;

  const std::vector<std::string> keys_;
  const PlotView view_;
  const std::vector<std::vector<std::string>> zipped_;
  std::vector<std::string> columns_;
  std::map<std::string, std::size_t> places_;  // of the columns
  std::vector<std::vector<std::string>> values_;
  std::vector<std::map<std::size_t, double>> numbers_;  // by point, then column
  std::vector<std::string> digests_;
  std::vector<std::string> errors_;
  std::vector<std::size_t> failed_;
  Json crossovers_ = Json::array();
  std::vector<PageSection> more_;
  std::size_t points_ = 0;  // also those that are not shown
};

}  // namespace allport
