// SPDX-License-Identifier: Apache-2.0
#include "testbench/studies/sweep/value_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

constexpr std::size_t max_digits =
    15;  // digits of a number in a range, so that no product overflows

constexpr std::array<std::string_view, 4> units{"B", "KiB", "MiB", "GiB"};

/// A decimal number as it was written: its digits, the number of digits after the point, and its
/// unit, an index into `units`; none: a plain number.
struct Decimal {
  std::string digits;
  int places = 0;
  std::optional<std::size_t> unit{};

  std::int64_t in_units(int wanted_places) const {
    return std::stoll(digits + std::string(static_cast<std::size_t>(wanted_places - places), '0'));
  }
};

std::optional<Decimal> read_decimal(std::string_view text) {
  const std::size_t letter = text.find_first_not_of(".0123456789");
  if (letter != std::string_view::npos) {
    const auto* const unit = std::find(units.begin(), units.end(), text.substr(letter));
    std::optional<Decimal> number = read_decimal(text.substr(0, letter));
    if (unit == units.end() || !number || number->places > 0) return std::nullopt;
    number->unit = static_cast<std::size_t>(unit - units.begin());
    return number;
  }
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction =
      point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  const auto are_digits = [](std::string_view part) {
    return !part.empty() && std::all_of(part.begin(), part.end(),
                                        [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  if (!are_digits(whole) || (point != std::string_view::npos && !are_digits(fraction)))
    return std::nullopt;
  return Decimal{std::string(whole) + std::string(fraction), static_cast<int>(fraction.size())};
}

// `hypercube:` in `hypercube:4..8`; empty if there is no word in front.
std::string_view word_before(std::string_view item) {
  const std::size_t colon = item.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view word = item.substr(0, colon);
  const bool is_word =
      std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
  return is_word ? item.substr(0, colon + 1) : std::string_view{};
}

using Bounds = std::array<Decimal, 3>;  // first, last, step

std::optional<Bounds> counted_by_ones(std::string_view text, std::string_view item) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto first = read_decimal(text.substr(0, dots));
  const auto last = read_decimal(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  if (first->places == 0 && last->places == 0) {
    Decimal one{"1", 0};
    if (first->unit || last->unit)
      one.unit = std::min(first->unit.value_or(0), last->unit.value_or(0));
    return Bounds{*first, *last, one};
  }
  throw std::invalid_argument(
      fmt::format("the range {} counts by ones: give whole numbers, or a step, as in 0.1:0.5:0.1",
                  in_quotes(item)));
}

std::optional<Bounds> with_step(std::string_view text) {
  const std::size_t second = text.find(':');
  if (second == std::string_view::npos) return std::nullopt;
  const std::size_t third = text.find(':', second + 1);
  if (third == std::string_view::npos) return std::nullopt;
  const auto first = read_decimal(text.substr(0, second));
  const auto last = read_decimal(text.substr(second + 1, third - second - 1));
  const auto step = read_decimal(text.substr(third + 1));
  if (!first || !last || !step) return std::nullopt;
  return Bounds{*first, *last, *step};
}

// Brings lengths with units to the least unit of them, and returns its name; empty: there are none.
std::string_view in_common_unit(Bounds& bounds, std::string_view item) {
  const auto has_unit = [](const Decimal& one) { return one.unit.has_value(); };
  if (std::none_of(bounds.begin(), bounds.end(), has_unit)) return {};
  std::size_t least = units.size();
  for (const Decimal& one : bounds) least = std::min(least, one.unit.value_or(0));
  for (Decimal& one : bounds) {
    if (one.places > 0 || one.digits.size() > max_digits / 2) {
      throw std::invalid_argument(
          fmt::format("the range {} has a length that is no whole number of at most {} digits",
                      in_quotes(item), max_digits / 2));
    }
    const std::size_t powers = one.unit.value_or(0) - least;
    one.digits = std::to_string(std::stoll(one.digits) << (10 * powers));
  }
  return units.at(least);
}

int common_places(const Bounds& bounds, std::string_view item) {
  int places = 0;
  for (const Decimal& one : bounds) places = std::max(places, one.places);
  for (const Decimal& one : bounds) {
    const std::size_t digits = one.digits.size() + static_cast<std::size_t>(places - one.places);
    if (digits <= max_digits) continue;
    throw std::invalid_argument(fmt::format("the range {} has numbers of more than {} digits",
                                            in_quotes(item), max_digits));
  }
  return places;
}

}  // namespace

void ValueList::append(Run run) {
  size_ += run.count;
  runs_.push_back(std::move(run));
}

void ValueList::add(std::string_view item) {
  const std::string_view word = word_before(item);
  const std::string_view text = item.substr(word.size());
  std::optional<Bounds> bounds = counted_by_ones(text, item);
  if (!bounds) bounds = with_step(text);
  if (!bounds) return append({std::string(item), false, 0, 0, 0, 1, ""});

  const std::string_view unit = in_common_unit(*bounds, item);
  const int places = common_places(*bounds, item);
  const std::int64_t first = (*bounds)[0].in_units(places);
  const std::int64_t last = (*bounds)[1].in_units(places);
  const std::int64_t step = (*bounds)[2].in_units(places);
  if (step == 0) {
    throw std::invalid_argument(fmt::format("the range {} needs a step above 0", in_quotes(item)));
  }
  if (last < first) {
    throw std::invalid_argument(
        fmt::format("the range {} is empty: it ends before it begins", in_quotes(item)));
  }
  const auto count = static_cast<std::uint64_t>((last - first) / step) + 1;
  append({std::string(word), true, first, step, places, count, std::string(unit)});
}

std::string ValueList::at(std::uint64_t index) const {
  for (const Run& run : runs_) {
    if (index >= run.count) {
      index -= run.count;
      continue;
    }
    if (!run.has_number) return run.prefix;
    const std::int64_t units = run.first + static_cast<std::int64_t>(index) * run.step;
    std::string digits = fmt::format("{:0{}}", units, run.places + 1);
    if (run.places == 0) return run.prefix + digits + run.unit;
    digits.insert(digits.size() - static_cast<std::size_t>(run.places), ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return run.prefix + digits;
  }
  throw std::out_of_range("no such value");
}

ValueList parse_values(std::string_view text, char separator) {
  ValueList list;
  const bool ends_in_separator = text.size() > 1 && text.back() == separator;
  if (separator == ';' && ends_in_separator) text.remove_suffix(1);
  while (true) {
    const std::size_t end = text.find(separator);
    const std::string_view item = text.substr(0, end);
    if (item.empty()) throw std::invalid_argument("a value of the list is empty");
    list.add(item);
    if (end == std::string_view::npos) return list;
    text.remove_prefix(end + 1);
  }
}

}  // namespace allport
