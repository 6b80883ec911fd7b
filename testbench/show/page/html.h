// SPDX-License-Identifier: Apache-2.0
// These are the pieces of an HTML page: text, tables, and places for pictures.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/results/text_table.h"

namespace allport {

/// `text` as HTML shows it: with entities for the characters that have a meaning there.
std::string html_text(std::string_view text);

/// The same of a sentence: names of channels and messages (`5 -> 4 (+x)`) and options stand on one
/// line each, where there is room for it, and an option or a command between `backticks` is code.
std::string html_sentence(std::string_view text);

/// A paragraph, which is a sentence or more.
std::string html_words(std::string_view text);

/// Lines of fixed width, as a terminal shows them.
std::string html_lines(std::string_view text);

/// What is opened by a click on `words`, without scripts as well.
std::string html_fold(std::string_view words, const std::string& html);

/// What a row is about, by the keys of the address of a view: `{"channel", "5.2"}`. Scripts make a
/// row a link to that.
using RowSubject = std::vector<std::pair<std::string, std::string>>;

/// A table: cells that are numbers stand at the right.
class HtmlTable {
 public:
  /// `id`: a word that names it within its page.
  HtmlTable(const std::string& id, const std::string& caption,
            const std::vector<std::string>& heads);

  void add(const std::vector<std::string>& cells, const RowSubject& subject = {});
  std::string take() const;

 private:
  std::string text_;
};

/// A table of the first `most` of `rows`, which are `Row`s; `subject` says what one is about.
template <class Row, class Rows, class Subject>
std::string html_table(const std::string& id, const std::string& caption,
                       const std::vector<TableColumn<Row>>& columns, const Rows& rows,
                       std::size_t most, const Subject& subject) {
  std::vector<std::string> heads;
  for (const TableColumn<Row>& column : columns) heads.push_back(column.look.title);
  HtmlTable table(id, caption, heads);
  for (const Row& row : rows) {
    if (most-- == 0) break;
    table.add(cells_of(columns, row), subject(row));
  }
  return table.take();
}

template <class Row, class Rows>
std::string html_table(const std::string& id, const std::string& caption,
                       const std::vector<TableColumn<Row>>& columns, const Rows& rows,
                       std::size_t most) {
  return html_table(id, caption, columns, rows, most, [](const Row&) { return RowSubject(); });
}

/// A place for the picture that the page's script `id` draws; `words` say what it shows. Without
/// scripts the words stand there alone.
std::string html_picture(std::string_view id, std::string_view words);

}  // namespace allport
