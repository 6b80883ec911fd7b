// SPDX-License-Identifier: Apache-2.0
#include "testbench/show/picture/packed_table.h"

#include <utility>

namespace allport {

std::string base64(const std::string& bytes) {
  static constexpr const char* digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const bool is_there = i + k < bytes.size();
      three = three << 8U | (is_there ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool is_there = i + k <= bytes.size();  // k digits stand for k - 1 bytes and more
      text += is_there ? digits[three >> (18 - 6 * k) & 63U] : '=';
    }
  }
  return text;
}

PackedTable::PackedTable(std::vector<std::string> names) {
  for (std::string& name : names) {
    Column column;
    column.is_of_differences = name.back() == '+';
    column.name = std::move(name);
    columns_.push_back(std::move(column));
  }
}

void PackedTable::add(std::initializer_list<std::int64_t> row) {
  auto column = columns_.begin();
  for (const std::int64_t value : row) {
    const std::int64_t number = column->is_of_differences ? value - column->last : value;
    column->last = value;
    auto rest = static_cast<std::uint64_t>(number) << 1U;
    if (number < 0) rest = ~rest;
    for (; rest >= 128; rest >>= 7U) column->bytes += static_cast<char>(128U | (rest & 127U));
    column->bytes += static_cast<char>(rest);
    ++column;
  }
  ++rows_;
}

Json PackedTable::take() const {
  Json json{{"rows", rows_}};
  for (const Column& column : columns_) json[column.name] = base64(column.bytes);
  return json;
}

}  // namespace allport
