// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/byte_length.h"

#include <charconv>
#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"

namespace allport {

std::size_t parse_bytes(std::string_view text, const Range& range) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  const std::string_view suffix = text.substr(digits.size());
  std::int64_t unit = suffix.empty() || suffix == "B" ? 1 : 0;
  std::int64_t power = 1;
  for (const std::string_view name : {"KiB", "MiB", "GiB"}) {
    power *= 1024;
    if (suffix == name) unit = power;
  }
  std::int64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  const bool fits = error == std::errc{} && stop == end && unit > 0 && number <= range.high / unit;
  if (fits && range.has(number * unit)) return static_cast<std::size_t>(number * unit);
  throw std::invalid_argument(in_quotes(text) + " is not a length of " + std::to_string(range.low) +
                              ".." + std::to_string(range.high) +
                              " bytes: give a whole number, alone or with B, KiB, MiB or GiB");
}

}  // namespace allport
