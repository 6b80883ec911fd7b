// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/declarables.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "rtl_model/router/router_config.h"
#include "rtl_model/router/switching.h"
#include "rtl_model/topology/message_kind.h"
#include "rtl_model/verilated/toolchain.h"
#include "testbench/files/toml_text.h"

namespace allport {

namespace {

using Words = std::vector<std::string_view>;

template <class Values>
Words words_of(const Values& values, std::size_t count) {
  Words words;
  for (std::size_t i = 0; i < count; ++i) words.emplace_back(to_string(values[i]));
  return words;
}

class DeclarationFile {
 public:
  explicit DeclarationFile(const std::string& path)
      : path_(path), place_("--declaration " + shown_path(path)) {}

  std::map<std::string, int> read() {
    const toml::table table = parse_toml(read_file(path_), place_);
    for (const auto& [key, value] : table) {
      const Declarable& one = known(key);
      values_[std::string(one.parameter)] =
          one.words.empty() ? number(one, key, value) : mask(one, key, value);
    }
    return values_;
  }

 private:
  [[noreturn]] void reject(const toml::source_region& source, const std::string& what) const {
    throw std::invalid_argument(place_in(place_, source) + what);
  }

  const Declarable& known(const toml::key& key) const {
    Words keys;
    for (const Declarable& one : declarables()) {
      if (one.key == key.str()) return one;
      keys.push_back(one.key);
    }
    reject(key.source(), unknown_name("key", key.str(), keys));
  }

  int number(const Declarable& one, const toml::key& key, const toml::node& value) const {
    if (one.is_flag()) {
      if (const auto* flag = value.as_boolean()) return flag->get() ? 1 : 0;
      reject(key.source(), fmt::format("{} must be true or false", one.key));
    }
    const auto* number = value.as_integer();
    if (number != nullptr && one.range.has(number->get())) return static_cast<int>(number->get());
    reject(key.source(),
           fmt::format("{} must be a number {}..{}", one.key, one.range.low, one.range.high));
  }

  int mask(const Declarable& one, const toml::key& key, const toml::node& value) const {
    const auto* list = value.as_array();
    const std::string wanted =
        fmt::format("{} must be a list of words among {}", one.key, fmt::join(one.words, ", "));
    if (list == nullptr || list->empty()) reject(key.source(), wanted);
    unsigned mask = 0;
    for (const toml::node& item : *list) {
      const auto* word = item.as_string();
      if (word == nullptr) reject(item.source(), wanted);
      const auto found = std::find(one.words.begin(), one.words.end(), word->get());
      if (found == one.words.end()) {
        reject(item.source(), unknown_name("word", word->get(), one.words));
      }
      mask |= 1U << (found - one.words.begin());
    }
    return static_cast<int>(mask);
  }

  const std::string& path_;
  std::string place_;  // what a complaint begins with
  std::map<std::string, int> values_;
};

}  // namespace

const std::vector<Declarable>& declarables() {
  constexpr Range hop_cycles{1, 64};
  static const std::vector<Declarable> table{
      {"HopCycles", "hop-cycles", hop_cycles},
      {"MaxHopCycles", "max-hop-cycles", hop_cycles},
      {"AdapterCycles", "adapter-cycles", {0, hop_cycles.high - 1}},
      {"RouteDelay", "route-delay", limits::pipeline_delay},
      {"VcDelay", "vc-delay", limits::pipeline_delay},
      {"CrossbarDelay", "crossbar-delay", limits::pipeline_delay},
      {"Kinds", "kinds", {1, 63}, words_of(message_kinds, 6)},
      {"Modes", "modes", {1, 15}, words_of(switching_modes, switching_modes.size())},
      {"Routings", "routings", {1, 3}, {"deterministic", "adaptive"}},
      {"Topologies", "topologies", {1, 7}, {"hypercube", "torus", "mesh"}},
      {"MaxInternalPorts", "max-internal-ports", {1, 10}},
      {"MaxDimensions", "max-dimensions", {1, 10}},
      {"MaxSide", "max-side", {2, 65535}},
      {"Square", "square", {0, 1}},
      {"FixedDepth", "fixed-depth", limits::buffer_depth},
      {"PowerOfTwoDepth", "power-of-two-depth", {0, 1}},
      {"MaxFlits", "max-flits", {1, max_carried_length}},
      {"LengthInHead", "length-in-head", {0, 1}},
      {"Ties", "ties", {0, 1}},
      {"OwnVcClasses", "own-vc-classes", {0, 1}},
      {"ResetCycles", "reset-cycles", {0, 4096}},
  };
  return table;
}

const Declarable& declarable(std::string_view parameter) {
  const auto& table = declarables();
  return *std::find_if(table.begin(), table.end(),
                       [&](const Declarable& one) { return one.parameter == parameter; });
}

std::map<std::string, int> read_declaration_file(const std::string& path) {
  return DeclarationFile(path).read();
}

}  // namespace allport
