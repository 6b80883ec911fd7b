// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/program/options/scenario_tables.h"

namespace allport {

namespace {

// Several values are for a grid.
void require_one_value(const OptionSpec& spec, const toml::key& key, const toml::node& value,
                       const ScenarioTables& tables) {
  const toml::array* list = value.as_array();
  if (list == nullptr) return;
  const bool is_of_lists = std::any_of(list->begin(), list->end(),
                                       [](const toml::node& item) { return item.is_array(); });
  if (takes_list(spec) && !is_of_lists) return;
  throw std::invalid_argument(fmt::format(
      "{}{} takes {} in a scenario; in a grid, which `sweep` reads, it takes several",
      tables.place(value.source()), key.str(), takes_list(spec) ? "one list" : "one value"));
}

}  // namespace

Settings parse_scenario(const std::string& text, const std::string& name,
                        const OptionList& accepted) {
  Settings settings;
  const ScenarioTables tables(name, accepted);
  tables.read(text, [&](const OptionSpec& spec, const toml::key& key, const toml::node& value) {
    require_one_value(spec, key, value, tables);
    settings.push_back({&spec, tables.text_of(key, value), tables.place(value.source())});
  });
  return settings;
}

Settings read_scenario(const std::string& path, const OptionList& accepted) {
  return parse_scenario(read_whole_text(path, "scenario"), path == "-" ? "stdin" : path, accepted);
}

}  // namespace allport
