// SPDX-License-Identifier: Apache-2.0
#include "traffic/patterns/flow_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <istream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/csv_rows.h"
#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/base/real_text.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

enum Column : std::size_t { source, destination, rate, flits, from, to, on, off };
constexpr std::array<std::string_view, 8> names{"source", "destination", "rate", "flits",
                                                "from",   "to",          "on",   "off"};
constexpr std::string_view form = "source,destination,rate,flits[,from,to][,on,off]";

template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? std::make_optional(number) : std::nullopt;
}

class FlowReader {
 public:
  explicit FlowReader(const std::string& name) { table_.name = name; }

  void read(const CsvCells& cells, std::size_t line) {
    line_ = line;
    if (columns_.empty() && is_word(cells.front())) return read_names(cells);
    if (columns_.empty()) take_usual_columns(cells.size());
    add(cells);
  }

  FlowTable take() {
    if (table_.flows.empty()) {
      throw std::invalid_argument(
          fmt::format("{}: there is no flow in it; a line is {}", shown_path(table_.name), form));
    }
    return std::move(table_);
  }

 private:
  [[noreturn]] void reject(const std::string& why) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", shown_path(table_.name), line_, why));
  }

  static bool is_word(std::string_view cell) {
    const char c = cell.empty() ? '0' : cell.front();
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  void read_names(const CsvCells& cells) {
    for (const std::string_view cell : cells) {
      const auto* found = std::find(names.begin(), names.end(), cell);
      if (found == names.end()) {
        reject(unknown_name("column", cell, {names.begin(), names.end()}));
      }
      const auto column = static_cast<Column>(found - names.begin());
      if (has(column)) reject(fmt::format("column {} is given twice", cell));
      columns_.push_back(column);
    }
    for (const Column column : {source, destination, rate, flits}) {
      if (!has(column)) {
        reject(fmt::format("column {} is missing; the columns are {}", names[column], form));
      }
    }
    if (has(on) != has(off)) reject("columns on and off are given together, or neither");
  }
  bool has(Column column) const {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
  }

  // Those of a table without names: of six the last two are from and to.
  void take_usual_columns(std::size_t count) {
    if (count != 4 && count != 6 && count != 8) {
      reject(fmt::format("{}, but a line has 4, 6 or 8: {}", counted(count, "cell"), form));
    }
    for (std::size_t i = 0; i < count; ++i) columns_.push_back(static_cast<Column>(i));
  }

  void add(const CsvCells& cells) {
    if (cells.size() != columns_.size()) {
      reject(fmt::format("{}, but the lines of this table have {}", counted(cells.size(), "cell"),
                         columns_.size()));
    }
    Flow flow;
    flow.line = line_;
    std::array<bool, names.size()> is_given{};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Column column = columns_[i];
      is_given[column] = !cells[i].empty();
      if (is_given[column]) set(flow, column, cells[i]);
      if (!is_given[column] && column <= flits) {
        reject(fmt::format("{} is missing", names[column]));
      }
    }
    if (is_given[on] != is_given[off]) reject("on and off are given together, or neither");
    table_.flows.push_back(flow);
  }

  void set(Flow& flow, Column column, std::string_view cell) const {
    switch (column) {
      case source:
        flow.source = node_id(whole(column, cell, 0, most_nodes));
        return;
      case destination:
        flow.destination = node_id(whole(column, cell, 0, most_nodes));
        return;
      case rate: {
        const auto number = read_number<double>(cell);
        if (!number || !(*number >= 0)) {
          reject(fmt::format("rate: {} is not a number of flits per cycle, 0 or more",
                             in_quotes(cell)));
        }
        flow.rate = *number;
        return;
      }
      case flits:
        flow.flits = static_cast<int>(whole(column, cell, limits::flits.low, limits::flits.high));
        return;
      case from:
        flow.from = cycle(column, cell, 0);
        return;
      case to:
        flow.to = cycle(column, cell, 0);
        return;
      case on:
        flow.on = cycle(column, cell, 1);
        return;
      case off:
        flow.off = cycle(column, cell, 0);
        return;
    }
  }

  static constexpr std::int64_t most_nodes = std::numeric_limits<std::uint32_t>::max() - 1;

  std::size_t whole(Column column, std::string_view cell, std::int64_t low,
                    std::int64_t high) const {
    const auto number = read_number<std::int64_t>(cell);
    if (!number || *number < low || *number > high) {
      reject(fmt::format("{}: {} is not a whole number in {}..{}", names[column], in_quotes(cell),
                         low, high));
    }
    return static_cast<std::size_t>(*number);
  }
  Cycle cycle(Column column, std::string_view cell, Cycle low) const {
    return static_cast<Cycle>(whole(column, cell, low, limits::cycles.high));
  }

  FlowTable table_;
  std::vector<Column> columns_;
  std::size_t line_ = 0;
};

}  // namespace

FlowTable read_flows(std::istream& in, const std::string& name) {
  FlowReader reader(name);
  for_each_csv_row(
      name, in, [&reader](const CsvCells& cells, std::size_t line) { reader.read(cells, line); });
  if (in.bad()) {
    throw std::invalid_argument(fmt::format("the flows {} cannot be read to their end: {}",
                                            shown_path(name), std::strerror(errno)));
  }
  return reader.take();
}

}  // namespace allport
