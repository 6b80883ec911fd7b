// SPDX-License-Identifier: Apache-2.0
#include "traffic/tasks/chakra_json_node.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "rtl_model/base/quote.h"

namespace allport {

namespace {

namespace format = execution_trace;
using Json = nlohmann::json;

// The names of a type of node.
std::optional<int> type_of(std::string_view name) {
  constexpr std::array<std::string_view, 8> names{
      "INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
      "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};
  const auto* found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<int>(found - names.begin());
}

// A whole number, as it is or in quotes, where JSON keeps 64 bits.
template <class Number>
std::optional<Number> number_of(const Json& value) {
  std::string text;
  if (value.is_number_integer()) text = value.dump();
  if (value.is_string()) text = value.get<std::string>();
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Nothing unless exactly one sequence of bytes is written so; the padding may be missing.
std::optional<std::string> from_base64(std::string_view text) {
  const bool is_padded = !text.empty() && text.back() == '=';
  if (is_padded && text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (int i = 0; i < 2 && !text.empty() && text.back() == '='; ++i) text.remove_suffix(1);
  for (const char c : text) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t digit = digits.find(c == '-' ? '+' : c == '_' ? '/' : c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  // What is left over is part of the last digit, and says nothing.
  const bool is_whole = count < 6 && (bits & ((1U << count) - 1)) == 0;
  return is_whole ? std::optional<std::string>(bytes) : std::nullopt;
}

// Makes a node of an object.
class NodeReader {
 public:
  NodeReader(std::string where, const Json& object) : where_(std::move(where)), object_(object) {}

  format::Node read() {
    if (!object_.is_object()) reject("it must be an object, with an id, a type and a name");
    for (const auto& [key, value] : object_.items()) read(key, value);
    return std::move(node_);
  }

 private:
  [[noreturn]] void reject(const std::string& why) const {
    throw std::invalid_argument(where_ + why);
  }
  std::uint64_t whole(std::string_view key, const Json& value) const {
    const auto number = number_of<std::uint64_t>(value);
    if (!number) reject(std::string(key) + " must be a whole number, from 0");
    return *number;
  }

  void read(const std::string& key, const Json& value) {
    const std::string word = plain_key(key);
    if (word == "id") {
      node_.set_id(whole(key, value));
    } else if (word == "name") {
      if (!value.is_string()) reject(key + " must be a text");
      node_.set_name(value.get<std::string>());
    } else if (is_one_of(word, {"type", "nodetype"})) {
      set_type(key, value);
    } else if (is_one_of(word, {"ctrldeps", "datadeps"})) {
      add_dependencies(key, value, word == "ctrldeps");
    } else if (is_one_of(word, {"durationmicros", "runtime"})) {
      node_.set_duration_us(whole(key, value));
    } else if (word == "attr") {
      if (!value.is_array()) reject(key + " must be a list of attributes");
      for (const Json& one : value) add_attribute(one);
    } else if (!is_one_of(word, {"starttimemicros", "inputs", "outputs"})) {
      format::Attribute& attribute = *node_.add_attributes();
      attribute.set_name(key);
      set_any(attribute, value);
    }
  }

  void set_type(const std::string& key, const Json& value) {
    const auto named = value.is_string() ? type_of(value.get<std::string>()) : std::nullopt;
    const auto number = named ? named : number_of<int>(value);
    if (!number) reject(key + " must be the name or the number of a type of node");
    node_.set_kind(static_cast<format::Kind>(*number));
  }

  void add_dependencies(const std::string& key, const Json& value, bool is_control) {
    if (!value.is_array()) reject(key + " must be a list of ids");
    for (const Json& one : value) {
      const auto id = number_of<std::uint64_t>(one);
      if (!id) reject(key + " must be a list of ids");
      is_control ? node_.add_control_after(*id) : node_.add_data_after(*id);
    }
  }

  // `{"name": "comm_size", "int64Val": "1024"}`
  void add_attribute(const Json& object) {
    if (!object.is_object() || !object.contains("name") || !object["name"].is_string()) {
      reject("an attribute must be an object with a name and a value");
    }
    format::Attribute& attribute = *node_.add_attributes();
    attribute.set_name(object["name"].get<std::string>());
    for (const auto& [key, value] : object.items()) {
      const std::string word = plain_key(key);
      if (is_one_of(word, {"name", "docstring"})) continue;
      if (!set_typed(attribute, word, value)) {
        reject("the value of its attribute " + in_quotes(attribute.name()) +
               " is not what its key " + in_quotes(key) + " says");
      }
    }
  }

  // By the type that the key names: a text may be a number there, which JSON keeps in quotes.
  static bool set_typed(format::Attribute& attribute, std::string_view type, const Json& value) {
    if (is_one_of(type, {"int32val", "int64val", "sint32val", "sint64val", "sfixed32val",
                         "sfixed64val"})) {
      const auto number = number_of<std::int64_t>(value);
      if (number) attribute.set_as_int64(*number);
      return number.has_value();
    }
    if (is_one_of(type, {"uint32val", "uint64val", "fixed32val", "fixed64val"})) {
      const auto number = number_of<std::uint64_t>(value);
      if (number) attribute.set_as_uint64(*number);
      return number.has_value();
    }
    if (type == "bytesval") {
      const auto bytes = value.is_string() ? from_base64(value.get<std::string>()) : std::nullopt;
      if (bytes) attribute.set_as_bytes(*bytes);
      return bytes.has_value();
    }
    if (is_one_of(type, {"doubleval", "floatval"})) {  // also "NaN" and "Infinity"
      attribute.set_as_double(value.is_number() ? value.get<double>() : 0);
      return value.is_number() || value.is_string();
    }
    if (type == "boolval" && !value.is_boolean()) return false;
    if (type == "stringval" && !value.is_string()) return false;
    const bool is_list = type.size() > 4 && type.substr(type.size() - 4) == "list";
    if (is_list) {
      if (!value.is_object()) return false;
      set_any(attribute, value.contains("values") ? value["values"] : Json::array());
      return true;
    }
    set_any(attribute, value);
    return is_one_of(type, {"boolval", "stringval"});
  }

  // By the type that the value has.
  static void set_any(format::Attribute& attribute, const Json& value) {
    if (value.is_boolean()) {
      attribute.set_as_bool(value.get<bool>());
    } else if (value.is_number_unsigned()) {
      attribute.set_as_uint64(value.get<std::uint64_t>());
    } else if (value.is_number_integer()) {
      attribute.set_as_int64(value.get<std::int64_t>());
    } else if (value.is_number()) {
      attribute.set_as_double(value.get<double>());
    } else if (value.is_string()) {
      attribute.set_as_string(value.get<std::string>());
    } else if (value.is_array()) {
      format::Flags* flags = nullptr;
      for (const Json& one : value) {
        const auto number = one.is_boolean() ? std::optional<std::int64_t>(one.get<bool>() ? 1 : 0)
                                             : number_of<std::int64_t>(one);
        if (!number) return attribute.clear_value();
        if (flags == nullptr) flags = attribute.mutable_as_int64s();
        flags->add_values(static_cast<std::uint64_t>(*number));
      }
      if (flags == nullptr) attribute.mutable_as_int64s();
    }
  }

  std::string where_;
  const Json& object_;
  format::Node node_;
};

}  // namespace

execution_trace::Node read_chakra_node(const std::string& where, const nlohmann::json& object) {
  return NodeReader(where, object).read();
}

std::string plain_key(std::string_view key) {
  std::string letters;
  for (const char c : key) {
    if (c != '_') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

}  // namespace allport
