// SPDX-License-Identifier: Apache-2.0
// A PackedTable is a table of whole numbers as a page has it: by columns, each of them bytes in
// base64, which take a fifth of what the same numbers take as rows of JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "testbench/results/json.h"

namespace allport {

/// `bytes` in base64 with padding (RFC 4648).
std::string base64(const std::string& bytes);

class PackedTable {
 public:
  /// `names` of the columns. One that ends in `+` keeps the differences from the row before, which
  /// are short where rows are in order; readers sum them up.
  explicit PackedTable(std::vector<std::string> names);

  void add(std::initializer_list<std::int64_t> row);
  std::size_t rows() const { return rows_; }
  /// `rows`, their number, and each column by its name: of each number n the number 2n, or -2n - 1
  /// if it is negative, by its seven bits at a time, the low ones first; the top bit of a byte says
  /// that more follow.
  Json take() const;

 private:
  struct Column {
    std::string name;
    bool is_of_differences = false;
    std::int64_t last = 0;
    std::string bytes;
  };

  std::vector<Column> columns_;
  std::size_t rows_ = 0;
};

}  // namespace allport
