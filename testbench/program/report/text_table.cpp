// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace allport {

std::string TextTable::text() const {
  std::vector<std::string> headings;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    widths.push_back(width(headings.size()));
    headings.push_back(column.heading);
  }
  std::string all = line({headings, ""}, widths);
  for (const Row& row : rows_) all += line(row, widths);
  return all;
}

std::string TextTable::meanings() const {
  std::string all;
  for (const Column& column : columns_) {
    if (*column.meaning != 0) all += table_note(column.heading, column.meaning);
  }
  return all;
}

std::size_t TextTable::width(std::size_t column) const {
  std::size_t width = columns_[column].heading.size();
  for (const Row& row : rows_) width = std::max(width, row.cells[column].size());
  return width;
}

std::string TextTable::line(const Row& row, const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) text += "  ";
    text += columns_[i].side == Side::left ? fmt::format("{:<{}}", row.cells[i], widths[i])
                                           : fmt::format("{:>{}}", row.cells[i], widths[i]);
  }
  if (!row.rest.empty()) text += "  " + row.rest;
  return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string table_note(const std::string& heading, const std::string& meaning) {
  return fmt::format("{:<12}{}\n", heading, meaning);
}

}  // namespace allport
