// SPDX-License-Identifier: Apache-2.0
#include "network_scenario.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "testbench/files/toml_text.h"
#include "testbench/network/network_options.h"
#include "testbench/plan/run_options.h"

using allport::RunOption;

namespace {

bool is_known(const RunOption& option) {
  return (option.uses & allport::use::network) != 0 || option.key == "clock";
}

void require_table(const std::string& place, std::string_view table) {
  std::vector<std::string_view> tables;
  for (const RunOption& one : allport::run_options()) {
    if (!is_known(one)) continue;
    if (one.table == table) return;
    if (tables.empty() || tables.back() != one.table) tables.push_back(one.table);
  }
  throw std::invalid_argument(place + allport::unknown_name("table", table, tables));
}

const RunOption& option_of(const std::string& place, std::string_view table, std::string_view key) {
  std::vector<std::string_view> keys;
  for (const RunOption& one : allport::run_options()) {
    if (!is_known(one)) continue;
    if (one.key == key && one.table == table) return one;
    if (one.key == key) {
      throw std::invalid_argument(place + std::string(key) + " belongs to the table [" +
                                  std::string(one.table) + "]");
    }
    keys.push_back(one.key);
  }
  throw std::invalid_argument(place + allport::unknown_name("key", key, keys));
}

// As it may be written on the command line: 16.0 stays no whole number.
std::string decimal_text(double number) {
  std::array<char, 32> digits;
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  const std::string text(digits.data(), end);
  return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
}

// The value as a command line would have it; a list has commas.
std::string text_of(const toml::node& value) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* number = value.as_integer()) return std::to_string(number->get());
  if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = value.as_floating_point()) return decimal_text(number->get());
  const toml::array* list = value.as_array();
  if (list == nullptr) {
    throw std::invalid_argument("expected a word, a number, true, false or a list of them");
  }
  std::string text;
  for (const toml::node& one : *list) text += (text.empty() ? "" : ",") + text_of(one);
  return text;
}

}  // namespace

NetworkScenario read_network_scenario(const std::string& text, const std::string& name) {
  const std::string shown = allport::shown_path(name);
  allport::RunRequest run;
  run.model = allport::Model::worm;
  for (const auto& [table, node] : allport::parse_toml(text, shown)) {
    require_table(allport::place_in(shown, table.source()), table.str());
    if (!node.is_table()) {
      throw std::invalid_argument(allport::place_in(shown, table.source()) +
                                  "must be a table, as in [" + std::string(table.str()) + "]");
    }
    for (const auto& [key, value] : *node.as_table()) {
      const std::string place = allport::place_in(shown, key.source());
      const RunOption& option = option_of(place, table.str(), key.str());
      try {
        option.field.set(run, text_of(value));
      } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(place + std::string(key.str()) + ": " + error.what());
      }
    }
  }
  if (run.router.classes != 1) {
    throw std::invalid_argument(shown + ": classes " + std::to_string(run.router.classes) +
                                ": must be 1, because the simulator has no message classes");
  }
  NetworkScenario scenario;
  scenario.network = allport::network_request(run);
  if (run.node.clock_ghz > 0) scenario.clock_ghz = run.node.clock_ghz;
  return scenario;
}
