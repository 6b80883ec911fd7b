// SPDX-License-Identifier: Apache-2.0
// The columns of a table in CSV: those that its first row names, in any order, or the usual ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/base/csv_rows.h"

namespace allport {

class CsvColumns {
 public:
  /// The columns that the file `path` may have, in their usual order; each row has a cell of the
  /// first `needed` ones. The names are constants.
  CsvColumns(const std::string& path, CsvCells known, std::size_t needed)
      : path_(path), known_(std::move(known)), needed_(needed) {}

  /// Without names a row has cells of the first `count` columns at most.
  void have_usually(std::size_t count) { usual_ = count; }
  /// A first row may call `column` by the name `other`, too.
  void also_call(std::string_view column, std::string_view other) {
    others_.emplace_back(other, column);
  }

  /// Whether the row names the columns: it is the first one, and the needed ones are among its
  /// cells, or the caller knows by `names_some` that they are no values. Throws
  /// std::invalid_argument, one sentence with file and line, on such a row with a name that is
  /// unknown or there twice, or where a needed one is missing.
  bool take(const CsvCells& cells, std::size_t line, bool names_some = false);
  /// Whether a row has named them.
  bool has_names() const { return has_names_; }
  /// The column of cell `i` of a row.
  std::string_view operator[](std::size_t i) const { return columns_[i]; }
  /// Whether `cell` is the name of a column.
  bool knows(std::string_view cell) const { return !meaning(cell).empty(); }

  /// Throws std::invalid_argument, one sentence with file and line, on a row that has more or fewer
  /// cells than it may.
  void require_cells(const CsvCells& cells, std::size_t line) const;

 private:
  [[noreturn]] void reject(std::size_t line, const std::string& why) const;
  void require_small_letters(const CsvCells& cells, std::size_t line) const;
  std::string_view meaning(std::string_view name) const;
  CsvCells names() const;
  bool has(std::string_view column) const;

  const std::string& path_;
  const CsvCells known_;
  const std::size_t needed_;
  std::size_t usual_ = SIZE_MAX;
  std::vector<std::pair<std::string_view, std::string_view>> others_;  // with what each means
  bool has_names_ = false;
  CsvCells columns_;
};

}  // namespace allport
