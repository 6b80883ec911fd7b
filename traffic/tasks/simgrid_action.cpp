// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/simgrid_action.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/real_text.h"
#include "rtl_model/base/words.h"
#include "traffic/tasks/simgrid_datatypes.h"

namespace allport {

namespace {

constexpr std::string_view blanks = " \t\r";
constexpr double most_elements = 1e15;

}  // namespace

std::vector<std::string_view> SimgridAction::words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t begin = line.find_first_not_of(blanks);
  if (begin == std::string_view::npos || line[begin] == '#') return words;
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blanks, end);
  }
  return words;
}

SimgridAction::SimgridAction(const TraceFile& file, TaskOrigin origin,
                             std::vector<std::string_view> words)
    : file_(file), origin_(origin), words_(std::move(words)) {
  const std::string_view rank = words_.front();
  const auto [end, error] = std::from_chars(rank.data(), rank.data() + rank.size(), rank_);
  if (error != std::errc{} || end != rank.data() + rank.size() || rank_ >= any_rank) {
    reject("the line must begin with a rank, 0, 1, .., not " + in_quotes(rank));
  }
  if (words_.size() < 2) reject("the line has a rank and no action");
}

void SimgridAction::reject(const std::string& why) const {
  throw std::invalid_argument(shown_path(file_.name) + ":" + std::to_string(origin_.line) + ": " +
                              why);
}

void SimgridAction::require_count(std::size_t low, std::size_t high) const {
  if (count() >= low && count() <= high) return;
  const std::string range = low == high ? counted(low, "argument")
                                        : std::to_string(low) + ".." + counted(high, "argument");
  reject(in_quotes(name()) + " takes " + range + ", and the line has " + std::to_string(count()));
}

double SimgridAction::real(std::size_t i, const char* what) const {
  const std::string_view text = word(i);
  double value = 0;
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    reject(std::string(what) + " must be a number, not " + in_quotes(text));
  }
  return value;
}

std::int64_t SimgridAction::integer(std::size_t i, const char* what, std::int64_t low,
                                    std::int64_t high) const {
  const std::string_view text = word(i);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < low || value > high) {
    reject(std::string(what) + " must be " + range_in_words(low, high) + ", not " +
           in_quotes(text));
  }
  return value;
}

std::uint64_t SimgridAction::elements(std::size_t i) const {
  const double value = std::trunc(real(i, "a number of elements"));
  if (value < 0 || value > most_elements) {
    reject("a number of elements must be 0..1e15, not " + in_quotes(word(i)));
  }
  return static_cast<std::uint64_t>(value);
}

std::uint64_t SimgridAction::datatype(std::size_t i, std::uint64_t default_value) const {
  if (i >= count()) return default_value;
  const auto bytes = simgrid_bytes(word(i));
  if (!bytes) reject("a datatype must be a number in -1..59, not " + in_quotes(word(i)));
  return *bytes;
}

}  // namespace allport
