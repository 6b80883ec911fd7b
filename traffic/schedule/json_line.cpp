// SPDX-License-Identifier: Apache-2.0
#include "traffic/schedule/json_line.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <istream>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"

namespace allport {

namespace {

// Depth of nesting; a list in the object of a line has depth two. JSON is printed and copied by
// recursion, so deeper input must be rejected before.
constexpr int deepest = 8;
constexpr std::size_t longest_line = std::size_t{1} << 20;

// The next line without its end, and whether there is one; of a line that is too long only the
// beginning.
bool next_line(std::istream& in, std::string& line) {
  std::array<char, std::size_t{1} << 14> block{};
  for (line.clear(); line.size() <= longest_line;) {
    in.getline(block.data(), static_cast<std::streamsize>(block.size()));
    const auto count = static_cast<std::size_t>(in.gcount());
    if (in.good()) {  // with its end
      line.append(block.data(), count - 1);
      return true;
    }
    line.append(block.data(), count);
    const bool is_full = !in.eof() && !in.bad() && count + 1 == block.size();
    if (!is_full) return !line.empty();
    in.clear();
  }
  return true;
}

// What the line should have where it is torn, or nothing, told by the end of the parser's
// complaint.
std::string expected_by(std::string_view complaint) {
  using Pair = std::pair<std::string_view, const char*>;
  constexpr std::array<Pair, 6> expectations{{{"expected string literal", "a key in double quotes"},
                                              {"expected ':'", "a colon after the key"},
                                              {"expected '}'", "a comma or }"},
                                              {"expected ']'", "a comma or ]"},
                                              {"expected end of input", "the end of the line"},
                                              {"invalid string", "a word in double quotes"}}};
  for (const auto& [words, ours] : expectations) {
    if (complaint.find(words) != std::string_view::npos) return std::string(": expected ") + ours;
  }
  return ": expected a value";
}

}  // namespace

JsonLine::JsonLine(const std::string& text, std::string where, const char* example)
    : where_(std::move(where)) {
  std::vector<std::string> keys;
  const auto note_key = [&](int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > deepest) {
      reject("lists and objects are nested more than " + std::to_string(deepest) + " deep");
    }
    if (event != Json::parse_event_t::key || depth != 1) return true;
    const std::string key = parsed.get<std::string>();
    if (std::count(keys.begin(), keys.end(), key) > 0)
      reject("key " + in_quotes(key) + " is given twice");
    keys.push_back(key);
    return true;
  };
  try {
    object_ = Json::parse(text, note_key);
  } catch (const Json::parse_error& error) {
    reject("torn or malformed JSON at column " + std::to_string(error.byte) +
           expected_by(error.what()));
  } catch (const Json::out_of_range&) {
    reject("a number is beyond the range of a double, which ends at 1.8e308");
  }
  if (!object_.is_object()) reject(std::string("expected an object like ") + example);
}

void JsonLine::reject(const std::string& why) const { throw std::invalid_argument(where_ + why); }

const JsonLine::Json& JsonLine::operator[](const char* key) const {
  if (!has(key)) reject(std::string("key '") + key + "' is missing");
  return object_[key];
}

std::int64_t JsonLine::integer(const char* key, const Json& value, std::int64_t low,
                               std::int64_t high) const {
  const bool is_small =
      value.is_number_integer() && (!value.is_number_unsigned() ||
                                    value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high));
  const std::int64_t number = is_small ? value.get<std::int64_t>() : low;
  if (!is_small || number < low || number > high) {
    reject(std::string(key) + " must be an integer in " + std::to_string(low) + ".." +
           std::to_string(high) + ", not " +
           shown(value.dump(-1, ' ', true, Json::error_handler_t::replace), 100));
  }
  return number;
}

std::string JsonLine::text(const char* key, const Json& value) const {
  if (!value.is_string()) {
    reject(std::string(key) + " must be a string, not " +
           shown(value.dump(-1, ' ', true, Json::error_handler_t::replace), 100));
  }
  return value.get<std::string>();
}

void JsonLine::require_known_keys(const std::vector<std::string_view>& known) const {
  for (const auto& item : object_.items()) {
    if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
      reject(unknown_name("key", item.key(), known));
    }
  }
}

LineReader::LineReader(std::istream& in, const std::string& name)
    : in_(in), place_(shown_path(name)) {}

std::string LineReader::where() const { return place_ + ":" + std::to_string(number_) + ": "; }

bool LineReader::next(std::string& text) {
  while (next_line(in_, text)) {
    ++number_;
    if (text.size() > longest_line) {
      throw std::invalid_argument(where() + "the line has more than a million characters");
    }
    if (text.find_first_not_of(" \t\r") != std::string::npos) return true;
  }
  if (in_.bad()) {
    throw std::invalid_argument(place_ + ": it cannot be read to its end: " + std::strerror(errno));
  }
  return false;
}

}  // namespace allport
