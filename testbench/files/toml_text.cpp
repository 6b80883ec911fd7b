// SPDX-License-Identifier: Apache-2.0
#include "testbench/files/toml_text.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/quote.h"
#include "testbench/files/toml_depth.h"

namespace allport {

namespace {

// What a text should have where the library complained, told by a word of the complaint; the first
// word that it has counts.
struct Expectation {
  std::string_view word;
  std::string_view sentence;
};

constexpr std::string_view any_value =
    "expected a value: a word in quotes, a number, true or false, or a list such as [1, 2]";
constexpr std::string_view whole_quotes =
    "expected a word in quotes which end on its line, with \\\\ for a backslash";

constexpr std::array<Expectation, 20> expectations{{
    {"utf-8", "expected a text in UTF-8"},
    {"representable",
     "expected a number in -2^63..2^63-1, as TOML has them; a larger one, as of a seed, must be in quotes"},
    {"zeroes", "expected a number without a 0 before its digits"},
    {"comment:", "expected a comment without control characters"},
    {"string:", whole_quotes},
    {"scalar sequence:", "expected the four or eight hexadecimal digits of a character"},
    {"inline table:", "expected `key = value` with commas between them, and } after the last"},
    {"array:", "expected a list such as [1, 2], with commas between values and ] after the last"},
    {"table header:", "expected a table such as [traffic], alone on its line"},
    {"key:", "expected a key of letters, digits, - and _, as in `key = value`"},
    {"key-value pair:", "expected `key = value`, alone on its line"},
    {"boolean:", "expected true or false; a word needs quotes"},
    {"integer:", "expected a number such as 16"},
    {"floating-point:", "expected a number such as 0.25"},
    {"date", any_value},
    {"time:", any_value},
    {"value:", any_value},
    {"root table:", "expected `key = value` or a table such as [traffic]"},
    {"Encountered", "expected a text in UTF-8"},
    {"", "expected `key = value` or a table such as [traffic]"},
}};

// The name in the complaint, which is of the file.
std::string given_twice(std::string_view complaint) {
  const std::size_t begin = complaint.find('\'');
  if (begin == std::string_view::npos) return "a key is given twice";
  const std::string_view rest = complaint.substr(begin + 1);
  const std::string name(rest.substr(0, rest.find('\'')));
  return in_quotes(shown(name, 100)) + " is given twice";
}

std::string expected_by(std::string_view complaint) {
  if (complaint.find("redefine") != std::string_view::npos) return given_twice(complaint);
  for (const Expectation& one : expectations) {
    if (complaint.find(one.word) != std::string_view::npos) return std::string(one.sentence);
  }
  return std::string(expectations.back().sentence);
}

void require_flat(const std::string& text, const std::string& file) {
  const auto reject = [&file](const TextPlace& place, const std::string& why) {
    throw std::invalid_argument(fmt::format("{}:{}:{}: {}", file, place.line, place.column, why));
  };
  if (const std::optional<TextPlace> deep = find_deep_key(text)) {
    reject(*deep, fmt::format("a key has more than {} parts joined by dots", max_key_parts));
  }
  if (const std::optional<TextPlace> deep = find_deep_value(text)) {
    reject(*deep, fmt::format("lists and tables are nested more than {} deep", max_value_depth));
  }
}

}  // namespace

std::string place_in(const std::string& file, const toml::source_region& source) {
  return fmt::format("{}:{}:{}: ", file, source.begin.line, source.begin.column);
}

toml::table parse_toml(const std::string& text, const std::string& file) {
  require_flat(text, file);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw std::invalid_argument(place_in(file, error.source()) + expected_by(error.description()));
  }
}

}  // namespace allport
