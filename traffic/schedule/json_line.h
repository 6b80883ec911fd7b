// SPDX-License-Identifier: Apache-2.0
// The files of schedules and tasks are JSON Lines: an object in each line, read with complaints
// that name file and line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace allport {

/// One line of a file: its object, and what a complaint begins with. All members that throw throw
/// std::invalid_argument, one sentence that names file and line.
class JsonLine {
 public:
  using Json = nlohmann::json;

  /// Parses `text`; `where` is `FILE:LINE: `, `example` an object as it should be. Throws for a
  /// torn line, one that is no object, and a key that is given twice.
  JsonLine(const std::string& text, std::string where, const char* example);

  [[noreturn]] void reject(const std::string& why) const;
  bool has(const char* key) const { return object_.contains(key); }
  /// The value of `key`; throws if it is missing.
  const Json& operator[](const char* key) const;
  /// `value`, or the value of `key`, as an integer in low .. high; throws if it is not one.
  std::int64_t integer(const char* key, const Json& value, std::int64_t low,
                       std::int64_t high) const;
  std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const {
    return integer(key, (*this)[key], low, high);
  }
  /// `value` as a string; throws if it is not one.
  std::string text(const char* key, const Json& value) const;
  /// Throws if a key is not in `known`.
  void require_known_keys(const std::vector<std::string_view>& known) const;

 private:
  std::string where_;
  Json object_;
};

/// The lines of a stream that are not blank.
class LineReader {
 public:
  /// `name` is used in messages.
  LineReader(std::istream& in, const std::string& name);

  /// Reads the next line into `text` and returns whether there is one; throws
  /// std::invalid_argument, one sentence, for a line of more than a million characters or a stream
  /// that cannot be read to its end.
  bool next(std::string& text);
  /// The number of the line read last: 1, 2, ...
  std::size_t number() const { return number_; }
  /// `FILE:LINE: ` of that line.
  std::string where() const;

 private:
  std::istream& in_;
  std::string place_;
  std::size_t number_ = 0;
};

}  // namespace allport
