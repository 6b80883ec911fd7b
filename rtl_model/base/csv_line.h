// SPDX-License-Identifier: Apache-2.0
// A line of a CSV file, without quotes: its cells lie between commas, with blanks around them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace allport {

/// Line `number`, from 1, of a file without the mark of UTF-8 and the blanks around it; empty where
/// it counts for nothing: it is blank, or begins with `#`.
std::string_view csv_text(std::string_view line, std::size_t number);

/// Its cells, without the blanks around them.
std::vector<std::string_view> csv_cells(std::string_view line);

}  // namespace allport
