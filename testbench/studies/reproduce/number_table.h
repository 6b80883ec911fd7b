// SPDX-License-Identifier: Apache-2.0
// A NumberTable has the numbers of a figure: columns with names and units, rows, as CSV and as
// Markdown.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace allport {

class NumberTable {
 public:
  NumberTable() = default;
  explicit NumberTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// Adds a row of as many cells as there are columns. Throws std::invalid_argument otherwise.
  void add(std::vector<std::string> cells);
  std::size_t rows() const { return rows_.size(); }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<std::vector<std::string>>& cells() const { return rows_; }

  /// The table as CSV; cells with commas, quotes or line ends are quoted.
  std::string csv() const;
  std::string markdown() const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// `number` with `places` decimals; what is rounded to zero has no sign.
std::string decimal(double number, int places);

}  // namespace allport
