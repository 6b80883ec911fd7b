// SPDX-License-Identifier: Apache-2.0
// A PlanElement is an object of an execution plan's JSON, whose values are asked for by their keys.
// What is not there, or is something else, is refused with the place of the object in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/words.h"

namespace allport {

class PlanElement {
 public:
  using Json = nlohmann::json;

  /// `where`: its place in words, `FILE: gpu 0, tb 1: `.
  PlanElement(const Json& value, std::string where) : value_(value), where_(std::move(where)) {
    if (!value.is_object()) reject("it must be an object");
  }

  [[noreturn]] void reject(const std::string& why) const {
    throw std::invalid_argument(where_ + why);
  }
  bool has(const char* key) const { return value_.contains(key); }
  const Json& at(const char* key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) reject(std::string("'") + key + "' is missing");
    return *found;
  }
  std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) reject(std::string(key) + " must be a text");
    return value.get<std::string>();
  }
  bool truth(const char* key) const {
    const Json& value = at(key);
    if (!value.is_boolean()) reject(std::string(key) + " must be true or false");
    return value.get<bool>();
  }
  std::size_t size(const char* key, std::size_t low, std::size_t high) const {
    return number(at(key), key, low, high);
  }
  const Json::array_t& list(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) reject(std::string(key) + " must be a list");
    return value.get_ref<const Json::array_t&>();
  }
  std::vector<std::size_t> sizes(const char* key, std::size_t high) const {
    std::vector<std::size_t> numbers;
    for (const Json& one : list(key)) numbers.push_back(number(one, key, 0, high));
    return numbers;
  }
  std::vector<int> offsets(const char* key) const {
    std::vector<int> numbers;
    for (const Json& one : list(key)) {
      if (!one.is_number_integer()) reject(std::string(key) + " must be whole numbers");
      constexpr std::int64_t most = std::numeric_limits<int>::max();
      const bool is_huge = one.is_number_unsigned() && one.get<std::uint64_t>() > most;
      const auto value = is_huge ? most + 1 : one.get<std::int64_t>();
      if (value < -most || value > most) reject(std::string(key) + ": too far");
      numbers.push_back(static_cast<int>(value));
    }
    return numbers;
  }
  // PlanElement `i` of a list, called `name`.
  PlanElement child(const Json& value, const std::string& name, std::size_t i) const {
    const std::string begin = where_.substr(0, where_.size() - 2);  // without `: `
    const bool is_in_gpu = name != "gpu";
    return {value, begin + (is_in_gpu ? ", " : ": ") + name + " " + std::to_string(i) + ": "};
  }

 private:
  std::size_t number(const Json& value, const char* key, std::size_t low, std::size_t high) const {
    if (value.is_number_unsigned()) {
      const auto size = value.get<std::uint64_t>();
      if (size >= low && size <= high) return static_cast<std::size_t>(size);
    }
    reject(std::string(key) + (low == high ? " must be " : " must be an integer in ") +
           range_in_words(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)) +
           ", not " + shown(value.dump(-1, ' ', false, Json::error_handler_t::replace), 100));
  }

  const Json& value_;
  std::string where_;
};

}  // namespace allport
