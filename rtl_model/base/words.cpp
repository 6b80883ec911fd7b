// SPDX-License-Identifier: Apache-2.0
#include "rtl_model/base/words.h"

#include <algorithm>

namespace allport {

std::string counted(std::uint64_t number, const std::string& thing) {
  const bool ends_in_ch = thing.size() > 1 && thing.compare(thing.size() - 2, 2, "ch") == 0;
  return std::to_string(number) + " " + thing + (number == 1 ? "" : ends_in_ch ? "es" : "s");
}

std::string range_in_words(std::int64_t low, std::int64_t high) {
  return std::to_string(low) + (low == high ? "" : ".." + std::to_string(high));
}

std::string one_of(std::uint64_t count) {
  return count == 1 ? "0, the only one" : "one of 0.." + std::to_string(count - 1);
}

std::string option_name(std::string_view key) {
  std::string name = "--" + std::string(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace allport
