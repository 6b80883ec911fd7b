// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/scenario.h"

#include "testbench/program/options/scenario_tables.h"

namespace allport {

Settings parse_scenario(const std::string& text, const std::string& name,
                        const OptionList& accepted) {
  Settings settings;
  const ScenarioTables tables(name, accepted);
  tables.read(text, [&](const OptionSpec& spec, const toml::key& key, const toml::node& value) {
    settings.push_back({&spec, tables.text_of(key, value), tables.place(value.source())});
  });
  return settings;
}

Settings read_scenario(const std::string& path, const OptionList& accepted) {
  return parse_scenario(read_whole_text(path, "scenario"), path, accepted);
}

}  // namespace allport
