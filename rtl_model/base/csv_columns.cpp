// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/csv_columns.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

std::string joined_columns(const CsvCells& columns) {
  std::string form;
  for (const std::string_view column : columns) {
    form += (form.empty() ? "" : ",") + std::string(column);
  }
  return form;
}

bool is_small_of(std::string_view small, std::string_view text) {
  return small.size() == text.size() &&
         std::equal(small.begin(), small.end(), text.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

}  // namespace

void CsvColumns::reject(std::size_t line, const std::string& why) const {
  throw std::invalid_argument(shown_input(path_) + ":" + std::to_string(line) + ": " + why);
}

// The column that is called `name`; empty: none is.
std::string_view CsvColumns::meaning(std::string_view name) const {
  for (const std::string_view column : known_) {
    if (column == name) return column;
  }
  for (const auto& [other, column] : others_) {
    if (other == name) return column;
  }
  return {};
}

// What columns may be called.
CsvCells CsvColumns::names() const {
  CsvCells all = known_;
  for (const auto& [other, column] : others_) all.push_back(other);
  return all;
}

bool CsvColumns::has(std::string_view column) const {
  return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

bool CsvColumns::take(const CsvCells& cells, std::size_t line, bool names_some) {
  if (!columns_.empty()) return false;
  const auto is_there = [&](std::string_view column) {
    return std::any_of(cells.begin(), cells.end(),
                       [&](std::string_view cell) { return meaning(cell) == column; });
  };
  const auto needed_end = known_.begin() + static_cast<std::ptrdiff_t>(needed_);
  if (!names_some && !std::all_of(known_.begin(), needed_end, is_there)) {
    require_small_letters(cells, line);
    columns_.assign(known_.begin(),
                    known_.begin() + static_cast<std::ptrdiff_t>(std::min(known_.size(), usual_)));
    return false;
  }
  for (const std::string_view cell : cells) {
    const std::string_view column = meaning(cell);
    if (column.empty()) reject(line, unknown_name("column", cell, known_));
    if (has(column)) reject(line, "column " + std::string(column) + " is given twice");
    columns_.push_back(column);
  }
  for (auto column = known_.begin(); column != needed_end; ++column) {
    if (has(*column)) continue;
    reject(line, "column " + std::string(*column) + " is missing; the columns are " +
                     joined_columns(known_));
  }
  has_names_ = true;
  return true;
}

// A first row whose words are all names of columns, but for the case of their letters, is no row of
// values, unless it has the needed ones alone, where these may be any words.
void CsvColumns::require_small_letters(const CsvCells& cells, std::size_t line) const {
  if (cells.size() <= needed_ && needed_ < known_.size()) return;
  std::string_view other;
  std::string_view small;
  for (const std::string_view cell : cells) {
    std::string_view column = meaning(cell);
    if (column.empty()) {
      for (const std::string_view known : names()) {
        if (is_small_of(known, cell)) column = known;
      }
      if (column.empty()) return;
      if (other.empty()) {
        other = cell;
        small = column;
      }
    }
  }
  if (other.empty()) return;
  reject(line, "column " + in_quotes(other) + " must be written " + in_quotes(small) +
                   ": the names of columns are in small letters");
}

void CsvColumns::require_cells(const CsvCells& cells, std::size_t line) const {
  const bool fits = has_names_ ? cells.size() == columns_.size()
                               : cells.size() >= needed_ && cells.size() <= columns_.size();
  if (fits) return;
  reject(line, counted(cells.size(), "cell") + ", but a line is " + joined_columns(columns_));
}

}  // namespace allport
