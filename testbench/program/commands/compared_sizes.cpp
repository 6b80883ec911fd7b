// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/compared_sizes.h"

#include <fmt/format.h>

#include <stdexcept>

#include "testbench/plan/option_values.h"
#include "testbench/plan/run_request.h"

namespace allport {

std::vector<std::size_t> parse_sizes(std::string_view text) {
  std::vector<std::size_t> sizes;
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    const std::size_t first = parse_bytes(text.substr(0, dots), limits::bytes);
    const std::size_t last = parse_bytes(text.substr(dots + 2), limits::bytes);
    if (last < first) {
      throw std::invalid_argument(fmt::format(
          "the last length, {} bytes, must not be less than the first, {}", last, first));
    }
    for (std::size_t size = first; size <= last; size *= 2) sizes.push_back(size);
    return sizes;
  }
  for (const std::string_view item : parse_list(text)) {
    sizes.push_back(parse_bytes(item, limits::bytes));
  }
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    if (sizes[i - 1] < sizes[i]) continue;
    throw std::invalid_argument(
        fmt::format("the lengths must ascend, and {} bytes follow {}", sizes[i], sizes[i - 1]));
  }
  return sizes;
}

}  // namespace allport
