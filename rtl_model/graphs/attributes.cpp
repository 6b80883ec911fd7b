// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/graphs/attributes.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/range.h"
#include "rtl_model/base/real_text.h"
#include "rtl_model/base/words.h"

namespace allport {

namespace {

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? std::make_optional(number) : std::nullopt;
}

[[noreturn]] void reject(std::string_view name, std::string_view value, const std::string& range) {
  throw std::invalid_argument(std::string(name) + " " + in_quotes(value) + ": must be " + range);
}

// Programs write whole numbers as 3.0 too.
int whole(std::string_view name, std::string_view value, Range range) {
  const auto number = number_of<double>(value);
  const bool is_whole = number && std::floor(*number) == *number && std::abs(*number) < 1e9;
  if (is_whole && range.has(static_cast<std::int64_t>(*number))) return static_cast<int>(*number);
  reject(name, value, "a whole number in " + range_in_words(range.low, range.high));
}

double place(std::string_view name, std::string_view value) {
  const auto number = number_of<double>(value);
  if (number && std::isfinite(*number)) return *number;
  reject(name, value, "a number");
}

// `word` is in small letters.
bool is_word(std::string_view text, std::string_view word) {
  return text.size() == word.size() &&
         std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         });
}

// Python writes True, spreadsheets write TRUE.
bool flag(std::string_view name, std::string_view value) {
  if (is_word(value, "true") || value == "1") return true;
  if (is_word(value, "false") || value == "0") return false;
  reject(name, value, "true or false");
}

int internal_ports(std::string_view name, std::string_view value) {
  if (value == "all") return GraphDescription::all_external;
  const auto number = number_of<double>(value);
  if (number) return whole(name, value, {1, max_graph_ports});
  reject(name, value, "all or 1.." + std::to_string(max_graph_ports));
}

// Blanks around a value count for nothing, as in CSV; XML writes line breaks there.
std::string_view without_blanks(std::string_view value) {
  constexpr std::string_view blanks = " \t\r\n";
  value.remove_prefix(std::min(value.find_first_not_of(blanks), value.size()));
  return value.substr(0, value.find_last_not_of(blanks) + 1);
}

}  // namespace

void set_attribute(GraphDescription::Node& node, std::string_view name, std::string_view text) {
  const std::string_view value = without_blanks(text);
  if (name == "processor") node.has_processor = flag(name, value);
  if (name == "ports") node.internal_ports = internal_ports(name, value);
  if (name == "x") node.x = place(name, value);
  if (name == "y") node.y = place(name, value);
  if (name == "group") node.group = std::string(value);
  if (name == "level") node.level = whole(name, value, {0, 1000});
  if (name == "endpoints") node.endpoints = whole(name, value, {0, max_graph_ports});
}

void set_attribute(GraphDescription::Edge& edge, std::string_view name, std::string_view text) {
  const std::string_view value = without_blanks(text);
  if (name == "delay") edge.delay = whole(name, value, limits::link_delay);
  if (name == "width") edge.width = whole(name, value, limits::flit_bytes);
  if (name == "from_port") edge.from_port = whole(name, value, {0, max_graph_ports - 1});
  if (name == "to_port") edge.to_port = whole(name, value, {0, max_graph_ports - 1});
}

}  // namespace allport
