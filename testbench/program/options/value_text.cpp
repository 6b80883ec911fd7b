// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/value_text.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <stdexcept>

#include "rtl_model/topology/topology.h"
#include "testbench/plan/option_values.h"
#include "testbench/plan/place_values.h"

namespace allport {

namespace {

constexpr Range any_whole{std::numeric_limits<std::int64_t>::min(),
                          std::numeric_limits<std::int64_t>::max()};

// What `read` makes of the item, as a text; none if it is not what `read` takes.
template <class Read>
std::optional<std::string> written(Read read) {
  try {
    return fmt::format("{}", read());
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

std::string settled_number(std::string_view text) {
  if (const auto whole = written([&] { return parse_integer(text, any_whole); })) return *whole;
  if (const auto seed = written([&] { return parse_seed(text); })) return *seed;
  constexpr double most = std::numeric_limits<double>::max();
  const auto decimal = written([&] { return parse_decimal(text, -most, most); });
  return decimal.value_or(std::string(text));
}

std::string settled_item(const OptionSpec& spec, std::string_view item) {
  const std::size_t colon = item.find(':');  // `random:08`
  if (colon != std::string_view::npos) {
    return std::string(item.substr(0, colon + 1)) + settled_item(spec, item.substr(colon + 1));
  }
  const bool has_unit = spec.value == "BYTES" && !item.empty() && item.back() == 'B';
  const Range lengths{0, limits::bytes.high};
  const auto bytes = has_unit ? written([&] { return parse_bytes(item, lengths); }) : std::nullopt;
  return bytes ? *bytes : settled_number(item);
}

// Words, files and numbers.
bool names_places(const OptionSpec& spec) {
  return spec.key == "place" || spec.key == "group" || spec.key == "groups" ||
         spec.key == "missing_links" || spec.key == "missing_nodes" || spec.key == "ties";
}

}  // namespace

// Digits of other options may be a name, or the bits of a subcube.
bool names_nodes(const OptionSpec& spec) {
  return spec.value == "NODE,.." || spec.key == "destinations";
}

std::string settled_text(const OptionSpec& spec, std::string_view text, bool has_names) {
  if (has_names && (names_nodes(spec) || names_places(spec))) return std::string(text);
  if (spec.value == "SHAPE" || spec.key == "ranks") {
    const auto count = written([&] { return parse_integer(text, any_whole); });
    if (count && spec.key == "ranks") return *count;
    const auto shape = written([&] { return parse_topology(text)->name(); });
    return shape.value_or(std::string(text));
  }
  if (names_places(spec)) return settled_place(text);
  if (!takes_number(spec) && !names_nodes(spec)) return std::string(text);
  std::string settled;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    settled += settled_item(spec, rest.substr(0, comma));
    if (comma == std::string_view::npos) return settled;
    settled += ',';
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace allport
