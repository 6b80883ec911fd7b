// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/csv_rows.h"

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/text_encoding.h"

namespace allport {

namespace {

constexpr std::string_view csv_blanks = " \t\r";

bool is_csv_blank(char c) { return csv_blanks.find(c) != std::string_view::npos; }

std::string_view csv_trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(csv_blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(csv_blanks) - begin + 1);
}

}  // namespace

bool CsvRows::take(std::string_view line) {
  constexpr std::string_view mark = "\xef\xbb\xbf";  // of UTF-8
  if (++number_ == 1) {
    line_ = number_;
    if (is_wide_text(line)) reject("it is " + std::string(wide_text_in_words));
    if (line.substr(0, mark.size()) == mark) line.remove_prefix(mark.size());
  }
  if (state_ != State::quoted) {
    cells_.clear();
    line_ = number_;
    const std::string_view text = csv_trimmed(line);
    if (text.empty() || text.front() == '#') return false;
    if (text.find('"') == std::string_view::npos) {
      for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        cells_.push_back(csv_trimmed(text.substr(begin, end - begin)));
        begin = end + 1;
      }
      return true;
    }
    text_.clear();
    ends_.clear();
  }
  add(line);
  if (state_ == State::quoted) {
    text_ += '\n';
    return false;
  }
  end_cell();
  for (std::size_t i = 0, begin = 0; i < ends_.size(); begin = ends_[i++]) {
    cells_.push_back(std::string_view(text_).substr(begin, ends_[i] - begin));
  }
  return true;
}

void CsvRows::add(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (state_ == State::quoted) {
      if (c != '"') {
        text_ += c;
      } else if (text.substr(i + 1, 1) == "\"") {
        text_ += c;
        ++i;
      } else {
        state_ = State::behind;
      }
    } else if (c == ',') {
      end_cell();
    } else if (state_ == State::plain) {
      text_ += c;
    } else if (!is_csv_blank(c)) {
      if (state_ == State::behind) {
        reject("behind a cell in quotes stands " + in_quotes(text.substr(i)) +
               ", and no comma; a quote in a cell in quotes is written twice");
      }
      state_ = c == '"' ? State::quoted : State::plain;
      if (c != '"') text_ += c;
    }
  }
}

void CsvRows::end_cell() {
  if (state_ == State::plain) {
    while (is_csv_blank(text_.back())) text_.pop_back();
  }
  ends_.push_back(text_.size());
  state_ = State::begin;
}

void CsvRows::end() const {
  if (state_ == State::quoted) reject("a cell in quotes does not end");
}

void CsvRows::reject(const std::string& why) const {
  throw std::invalid_argument(shown_input(path_) + ":" + std::to_string(line_) + ": " + why);
}

std::string csv_cell(std::string_view text) {
  const bool is_plain = text.find_first_of(",\"\n") == std::string_view::npos &&
                        csv_trimmed(text) == text && text.substr(0, 1) != "#";
  if (is_plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& cells) {
  if (cells.size() == 1 && cells.front().empty()) return "\"\"\n";  // no blank line
  std::string line;
  for (const std::string& cell : cells) {
    if (&cell != &cells.front()) line += ',';
    line += csv_cell(cell);
  }
  return line + '\n';
}

}  // namespace allport
