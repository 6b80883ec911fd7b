// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/reproduce/number_table.h"

#include <fmt/format.h>

#include <stdexcept>

#include "rtl_model/base/csv_rows.h"

namespace allport {

namespace {

std::string markdown_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += fmt::format(" {} |", cell);
  return line + '\n';
}

}  // namespace

void NumberTable::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) {
    throw std::invalid_argument(
        fmt::format("a row of {} cells in a table of {} columns", cells.size(), columns_.size()));
  }
  rows_.push_back(std::move(cells));
}

std::string NumberTable::csv() const {
  std::string text = csv_line(columns_);
  for (const auto& row : rows_) text += csv_line(row);
  return text;
}

std::string NumberTable::markdown() const {
  std::string text = markdown_line(columns_);
  text += markdown_line(std::vector<std::string>(columns_.size(), "--:"));
  for (const auto& row : rows_) text += markdown_line(row);
  return text;
}

std::string decimal(double number, int places) {
  std::string digits = fmt::format("{:.{}f}", number, places);
  const bool is_zero = digits.find_first_not_of("-0.") == std::string::npos;
  if (is_zero && digits.front() == '-') digits.erase(0, 1);
  return digits;
}

}  // namespace allport
