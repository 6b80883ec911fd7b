// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/compared_sizes.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "rtl_model/base/quote.h"
#include "testbench/plan/run_request.h"
#include "testbench/program/options/option_values.h"

namespace allport {

namespace {

// `64KiB`: bytes, or a number of KiB, MiB or GiB.
std::size_t parse_size(std::string_view text) {
  const std::string_view number = text.substr(0, text.find_first_not_of("0123456789"));
  const std::string_view suffix = text.substr(number.size());
  std::size_t unit = suffix.empty() || suffix == "B" ? 1 : 0;
  std::size_t power = 1;
  for (const std::string_view name : {"KiB", "MiB", "GiB"}) {
    power *= 1024;
    if (suffix == name) unit = power;
  }
  const auto most = static_cast<std::size_t>(limits::bytes.high);
  const bool is_size = unit > 0 && !number.empty() && number.size() <= 10;
  const std::size_t count = is_size ? parse_count(number, {0, 9'999'999'999}) : 0;
  if (count > 0 && count <= most / unit) return count * unit;
  throw std::invalid_argument(fmt::format(
      "'{}' is not a length of 1..{} bytes: give a whole number, alone or with B, KiB, MiB or GiB",
      shown(std::string(text), 40), most));
}

}  // namespace

std::vector<std::size_t> parse_sizes(std::string_view text) {
  std::vector<std::size_t> sizes;
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    const std::size_t first = parse_size(text.substr(0, dots));
    const std::size_t last = parse_size(text.substr(dots + 2));
    if (last < first) {
      throw std::invalid_argument(fmt::format(
          "the last length, {} bytes, must not be less than the first, {}", last, first));
    }
    for (std::size_t size = first; size <= last; size *= 2) sizes.push_back(size);
    return sizes;
  }
  for (const std::string_view item : parse_list(text)) sizes.push_back(parse_size(item));
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    if (sizes[i - 1] < sizes[i]) continue;
    throw std::invalid_argument(
        fmt::format("the lengths must ascend, and {} bytes follow {}", sizes[i], sizes[i - 1]));
  }
  return sizes;
}

}  // namespace allport
