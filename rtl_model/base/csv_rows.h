// SPDX-License-Identifier: Apache-2.0
// Tables in CSV, as RFC 4180 has them: cells lie between commas, and a cell in double quotes may
// have commas, ends of lines and, written twice, quotes in it. Blanks around a cell count for
// nothing, and so do blank lines and those that begin with #.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "rtl_model/base/stop_flag.h"

namespace allport {

using CsvCells = std::vector<std::string_view>;

/// Makes rows of lines, one after another.
class CsvRows {
 public:
  /// `path`: the file, for messages; - is stdin.
  explicit CsvRows(const std::string& path) : path_(path) {}

  /// Takes the next line, without its end. Whether a row ends with it. Throws
  /// std::invalid_argument, one sentence with file and line, for what stands behind a cell in
  /// quotes.
  bool take(std::string_view line);
  /// That row, until the next line is taken or the one that was taken goes.
  const CsvCells& cells() const { return cells_; }
  /// The line in which it begins, from 1.
  std::size_t line() const { return line_; }
  /// There is no further line. Throws as take() does when a cell in quotes does not end.
  void end() const;

 private:
  enum class State { begin, plain, quoted, behind };  // of a cell; behind: after its quotes

  [[noreturn]] void reject(const std::string& why) const;
  void add(std::string_view text);
  void end_cell();

  const std::string& path_;
  std::size_t number_ = 0;  // of lines
  std::size_t line_ = 0;
  CsvCells cells_;
  State state_ = State::begin;
  std::string text_;               // of the cells of a row with quotes
  std::vector<std::size_t> ends_;  // of each of them in it
};

/// Calls `use` with the cells and the line of each row of the file `path`, whose text is `text`.
template <class Use>
void for_each_csv_row(const std::string& path, std::string_view text, Use use) {
  CsvRows rows(path);
  while (!text.empty()) {
    heed_stop();
    const std::size_t end = text.find('\n');
    if (rows.take(text.substr(0, end))) use(rows.cells(), rows.line());
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  rows.end();
}

/// The same of what `in` has; that it cannot be read to its end is for the caller to find.
template <class Use>
void for_each_csv_row(const std::string& path, std::istream& in, Use use) {
  CsvRows rows(path);
  for (std::string line; std::getline(in, line);) {
    heed_stop();
    if (rows.take(line)) use(rows.cells(), rows.line());
  }
  if (!in.bad()) rows.end();
}

/// `text` as a cell, in quotes where it would not be read as it is without them.
std::string csv_cell(std::string_view text);

/// A line of such cells, with its end.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace allport
