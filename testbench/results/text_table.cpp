// SPDX-License-Identifier: Apache-2.0
#include "testbench/results/text_table.h"

#include <algorithm>
#include <numeric>

namespace allport {

namespace {

// Signs of a text in UTF-8, as the names of a graph's nodes are: a byte 10xxxxxx goes on with one.
std::size_t signs_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
  }));
}

std::string padded(const std::string& text, std::size_t width, TextTable::Side side) {
  const std::string spaces(width - std::min(width, signs_of(text)), ' ');
  return side == TextTable::Side::left ? text + spaces : spaces + text;
}

// `longest`: signs of the longest of the titles that stand below one another.
std::string note(const std::string& title, const std::string& meaning, std::size_t longest) {
  constexpr std::size_t usual = 12;
  const std::size_t width = longest < usual ? usual : longest + 2;
  return padded(title, width, TextTable::Side::left) + meaning + "\n";
}

}  // namespace

std::vector<std::string> TextTable::lines() const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) {
    widths.push_back(width(titles.size()));
    titles.push_back(column.title);
  }
  std::vector<std::string> all{line({titles, ""}, widths)};
  for (const Row& row : rows_) all.push_back(line(row, widths));
  return all;
}

std::string TextTable::text() const {
  std::string all;
  for (const std::string& line : lines()) all += line + "\n";
  return all;
}

std::string TextTable::meanings() const {
  std::size_t longest = 0;
  for (const Column& column : columns_) {
    if (*column.meaning != 0) longest = std::max(longest, column.title.size());
  }
  std::string all;
  for (const Column& column : columns_) {
    if (*column.meaning != 0) all += note(column.title, column.meaning, longest);
  }
  return all;
}

std::size_t TextTable::width(std::size_t column) const {
  if (columns_[column].width > 0) return columns_[column].width;
  std::size_t width = signs_of(columns_[column].title);
  for (const Row& row : rows_) width = std::max(width, signs_of(row.cells[column]));
  return width;
}

std::string TextTable::line(const Row& row, const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) text += gap_;
    text += padded(row.cells[i], widths[i], columns_[i].side);
  }
  if (!row.rest.empty()) text += gap_ + row.rest;
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::vector<std::size_t> row_numbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

std::string table_note(const std::string& title, const std::string& meaning) {
  return note(title, meaning, title.size());
}

}  // namespace allport
