// SPDX-License-Identifier: Apache-2.0
// The tables in CSV of this folder: lists of edges, files of nodes, attributes of links.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rtl_model/base/csv_line.h"
#include "rtl_model/base/names.h"
#include "rtl_model/base/stop_flag.h"
#include "rtl_model/graphs/attributes.h"
#include "rtl_model/graphs/readers.h"

namespace allport {

using CsvCells = std::vector<std::string_view>;

/// Calls `use` with the cells and the number of each line that has some.
template <class Use>
void for_each_csv_row(std::string_view text, Use use) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    heed_stop();
    const std::size_t end = text.find('\n');
    const std::string_view line = csv_text(text.substr(0, end), number);
    if (!line.empty()) use(csv_cells(line), number);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

/// The columns of a table: those that its first line names, or the usual ones.
class CsvColumns {
 public:
  CsvColumns(const std::string& path, CsvCells known, std::size_t needed)
      : path_(path), known_(std::move(known)), needed_(needed) {}

  /// Whether a line names them: all of its cells do, the first ones of the table among them.
  bool take(const CsvCells& cells, std::size_t line) {
    if (!columns_.empty()) return false;
    const auto is_known = [this](std::string_view cell) {
      return std::find(known_.begin(), known_.end(), cell) != known_.end();
    };
    const auto has = [&](std::string_view name) {
      return std::find(cells.begin(), cells.end(), name) != cells.end();
    };
    bool names_all = true;
    for (std::size_t i = 0; i < needed_; ++i) names_all = names_all && has(known_[i]);
    if (!names_all) {
      columns_ = known_;
      columns_.resize(std::min(columns_.size(), usual_));
      return false;
    }
    for (const std::string_view cell : cells) {
      if (!is_known(cell)) reject_graph(path_, line, unknown_name("column", cell, known_));
      if (std::count(cells.begin(), cells.end(), cell) > 1) {
        reject_graph(path_, line, "column " + std::string(cell) + " is given twice");
      }
    }
    for (const std::string_view cell : cells) {
      columns_.push_back(*std::find(known_.begin(), known_.end(), cell));
    }
    has_names_ = true;
    return true;
  }
  void have_usually(std::size_t count) { usual_ = count; }

  void require_cells(const CsvCells& cells, std::size_t line) const {
    const bool fits = has_names_ ? cells.size() == columns_.size()
                                 : cells.size() >= needed_ && cells.size() <= columns_.size();
    if (fits) return;
    std::string form;
    for (const std::string_view column : columns_)
      form += (form.empty() ? "" : ",") + std::string(column);
    reject_graph(path_, line, std::to_string(cells.size()) + " cells, but a line is " + form);
  }
  std::string_view operator[](std::size_t i) const { return columns_[i]; }

 private:
  const std::string& path_;
  const CsvCells known_;
  std::size_t needed_;
  std::size_t usual_ = SIZE_MAX;
  bool has_names_ = false;
  CsvCells columns_;
};

/// Sets all attributes of a node, an edge or a link that a line has.
template <class Item>
void set_attributes(Item& item, const CsvColumns& columns, const CsvCells& cells,
                    const std::string& path, std::size_t line) {
  at_line(path, line, [&] {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!cells[i].empty()) set_attribute(item, columns[i], cells[i]);
    }
  });
}

}  // namespace allport
