// SPDX-License-Identifier: Apache-2.0
// The oracle's own reader of tables in CSV.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace allport::reference {

/// The cells of a line with their columns, in the order of the file.
using CsvRow = std::vector<std::pair<std::string, std::string>>;

/// The lines of `text`, without blank ones and those that begin with #. The first line may name
/// its columns, in any order; otherwise they are those of `columns` from the first one on.
std::vector<CsvRow> read_csv(const std::string& text, const std::vector<std::string>& columns);

/// The cell of `column`; empty: the row has none.
std::string cell_of(const CsvRow& row, const std::string& column);
/// The number in the cell of `column`, or `otherwise` where it is empty.
int number_in(const CsvRow& row, const std::string& column, int otherwise);

}  // namespace allport::reference
