// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/csv_line.h"

#include <algorithm>

namespace allport {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace

std::string_view csv_text(std::string_view line, std::size_t number) {
  if (number == 1 && line.substr(0, 3) == "\xef\xbb\xbf") line.remove_prefix(3);
  line = trimmed(line);
  return line.substr(0, 1) == "#" ? std::string_view() : line;
}

std::vector<std::string_view> csv_cells(std::string_view line) {
  std::vector<std::string_view> cells;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    cells.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return cells;
}

}  // namespace allport
