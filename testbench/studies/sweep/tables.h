// SPDX-License-Identifier: Apache-2.0
// This writes the two tables of a sweep, one line for each point in the order of the grid:
// results.csv, with the varied keys, `exit`, `error`, and every value of the results under its path
// in the JSON (`traffic.latency.mean`, or `result.cycles` where a key is `cycles`); and
// results.jsonl, with everything. Nothing in them depends on when, where or how fast a point was
// computed. They are written whole or not at all.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testbench/files/whole_file.h"
#include "testbench/studies/sweep/point.h"

namespace allport {

using TakeCell = std::function<void(const std::string& path, const Json& value)>;
/// Calls `take` for each value of a result that is a cell of the table: none is a list or null,
/// none differs from machine to machine.
void visit_cells(const Json& result, const TakeCell& take);

class Tables {
 public:
  /// The future tables `folder`/results.csv and .jsonl, made in `partial`; their first columns are
  /// `keys`.
  Tables(const std::string& folder, const std::string& partial, std::vector<std::string> keys);

  /// Adds the next point, with its values of the keys.
  void add(const std::vector<std::string>& values, const Point& point, const PointResult& result);
  /// Throws std::runtime_error, one sentence, when they cannot be written.
  void commit();

 private:
  void add_cell(std::vector<std::string>& cells, const std::string& path, const Json& value);

  std::vector<std::string> keys_;
  std::vector<std::string> columns_;           // of the results, in order of appearance
  std::map<std::string, std::size_t> places_;  // of the columns
  std::vector<std::string> rows_;              // without the columns that appeared later
  std::vector<std::size_t> widths_;            // cells in each row
  WholeFile csv_;
  WholeFile lines_;
};

}  // namespace allport
