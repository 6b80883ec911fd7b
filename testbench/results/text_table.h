// SPDX-License-Identifier: Apache-2.0
// A table of text, with what its columns mean under it. All of a column stands in one place: its
// title, the cell of a row, its width and its meaning.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace allport {

class TextTable {
 public:
  enum class Side { left, right };
  struct Column {
    std::string title;
    Side side = Side::right;
    const char* meaning = "";  ///< its line under the table; empty: it has none
    std::size_t width = 0;     ///< 0: as wide as what it has to show
  };

  /// Columns are `gap` spaces apart.
  explicit TextTable(std::vector<Column> columns, std::size_t gap = 2)
      : columns_(std::move(columns)), gap_(gap, ' ') {}
  /// A row with a cell for each column; `rest` follows the last one.
  void add(std::vector<std::string> cells, std::string rest = "") {
    rows_.push_back({std::move(cells), std::move(rest)});
  }
  /// The titles and all rows, a line each.
  std::vector<std::string> lines() const;
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
  std::string gap_;
};

/// A column of a table, on a terminal or on a page, whose rows are `Row`s.
template <class Row>
struct TableColumn {
  TextTable::Column look;
  std::function<std::string(const Row& row)> cell;
};

template <class Row>
std::vector<TextTable::Column> looks_of(const std::vector<TableColumn<Row>>& columns) {
  std::vector<TextTable::Column> looks;
  for (const TableColumn<Row>& column : columns) looks.push_back(column.look);
  return looks;
}

/// The cells of `row`.
template <class Row>
std::vector<std::string> cells_of(const std::vector<TableColumn<Row>>& columns, const Row& row) {
  std::vector<std::string> cells;
  cells.reserve(columns.size());
  for (const TableColumn<Row>& column : columns) cells.push_back(column.cell(row));
  return cells;
}

/// The table of `rows`, any list of `Row`s.
template <class Row, class Rows>
TextTable text_table(const std::vector<TableColumn<Row>>& columns, const Rows& rows,
                     std::size_t gap = 2) {
  TextTable table(looks_of(columns), gap);
  for (const Row& row : rows) table.add(cells_of(columns, row));
  return table;
}

/// The same, with `rest` of a row after its last cell.
template <class Row>
TextTable text_table(const std::vector<TableColumn<Row>>& columns, const std::vector<Row>& rows,
                     std::string Row::*rest) {
  TextTable table(looks_of(columns));
  for (const Row& row : rows) table.add(cells_of(columns, row), row.*rest);
  return table;
}

/// 0 .. count - 1: the rows of a table of several lists beside each other.
std::vector<std::size_t> row_numbers(std::size_t count);

/// `needs       routers that join`: a line under a table, as meanings() makes them.
std::string table_note(const std::string& title, const std::string& meaning);

}  // namespace allport
