// SPDX-License-Identifier: Apache-2.0
// This header reads a line of a table that the program has written.
#pragma once

#include <string>
#include <vector>

namespace allport::test {

/// The cells of a line of CSV without quotes.
inline std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',') {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

}  // namespace allport::test
