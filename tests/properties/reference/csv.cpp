// SPDX-License-Identifier: Apache-2.0
#include "tests/properties/reference/csv.h"

#include <algorithm>
#include <sstream>

#include "tests/properties/reference/routing.h"

namespace allport::reference {

namespace {

std::vector<std::string> split_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char letter : line) {
    if (letter == ',') {
      cells.emplace_back();
    } else if (letter != ' ' && letter != '\r') {
      cells.back() += letter;
    }
  }
  return cells;
}

}  // namespace

std::vector<CsvRow> read_csv(const std::string& text, const std::vector<std::string>& columns) {
  std::vector<CsvRow> rows;
  std::vector<std::string> names = columns;
  bool is_first = true;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = split_cells(line);
    const bool has_names =
        is_first && std::all_of(cells.begin(), cells.end(), [&](const std::string& cell) {
          return std::find(columns.begin(), columns.end(), cell) != columns.end();
        });
    is_first = false;
    if (has_names) {
      names = cells;
      continue;
    }
    require(cells.size() <= names.size(), "'" + line + "' has more cells than there are columns");
    CsvRow row;
    for (std::size_t i = 0; i < cells.size(); ++i) row.emplace_back(names[i], cells[i]);
    rows.push_back(row);
  }
  return rows;
}

std::string cell_of(const CsvRow& row, const std::string& column) {
  for (const auto& [name, cell] : row) {
    if (name == column) return cell;
  }
  return "";
}

int number_in(const CsvRow& row, const std::string& column, int otherwise) {
  const std::string cell = cell_of(row, column);
  return cell.empty() ? otherwise : std::stoi(cell);
}

}  // namespace allport::reference
