// SPDX-License-Identifier: Apache-2.0
#include "tests/support/page_data.h"

#include <gtest/gtest.h>

namespace allport::test {

using Json = nlohmann::json;
using Cycles = std::int64_t;

namespace {

// The bytes that `text` is in base64.
std::string bytes_of(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int known = 0;
  for (const char digit : text) {
    if (digit == '=') break;
    bits = bits << 6U | static_cast<unsigned>(digits.find(digit));
    known += 6;
    if (known < 8) continue;
    known -= 8;
    bytes += static_cast<char>(bits >> known & 255U);
  }
  return bytes;
}

}  // namespace

Json data_of(const std::string& page) {
  const std::string start = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(start) + start.size();
  return Json::parse(page.substr(from, page.find("</script>", from) - from));
}

std::map<std::string, std::vector<Cycles>> columns_of(const Json& table) {
  std::map<std::string, std::vector<Cycles>> columns;
  for (const auto& [name, text] : table.items()) {
    if (name == "rows") continue;
    const bool is_of_differences = name.back() == '+';
    auto& column = columns[is_of_differences ? name.substr(0, name.size() - 1) : name];
    Cycles number = 0;
    Cycles unit = 1;
    Cycles last = 0;
    for (const char byte : bytes_of(text.get<std::string>())) {
      number += (byte & 127) * unit;
      unit *= 128;
      if ((byte & 128) != 0) continue;
      number = number % 2 == 0 ? number / 2 : -(number + 1) / 2;
      last = is_of_differences ? last + number : number;
      column.push_back(last);
      number = 0;
      unit = 1;
    }
    EXPECT_EQ(column.size(), table["rows"].get<std::size_t>()) << name;
  }
  return columns;
}

}  // namespace allport::test
