// SPDX-License-Identifier: Apache-2.0
// A table of text, with what its columns mean under it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace allport {

/// Columns are two spaces apart, and as wide as what they have to show.
class TextTable {
 public:
  enum class Side { left, right };
  struct Column {
    std::string heading;
    Side side = Side::right;
    const char* meaning = "";  ///< its line under the table; empty: it has none
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  /// A row with a cell for each column; `rest` follows the last one.
  void add(std::vector<std::string> cells, std::string rest = "") {
    rows_.push_back({std::move(cells), std::move(rest)});
  }
  /// The headings and all rows.
  std::string text() const;
  /// A line for each column that has a meaning.
  std::string meanings() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::string rest;
  };
  std::size_t width(std::size_t column) const;
  std::string line(const Row& row, const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

/// `needs       routers that join`: a line under a table, as meanings() makes them.
std::string table_note(const std::string& heading, const std::string& meaning);

}  // namespace allport
