// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/plan/place_values.h"
#include "testbench/program/options/scenario_tables.h"

namespace allport {

namespace {

bool names_missing(const OptionSpec& spec) {
  return spec.key == "missing_links" || spec.key == "missing_nodes";
}

// Several values are for a grid.
void require_one_value(const OptionSpec& spec, const toml::key& key, const toml::node& value,
                       const ScenarioTables& tables) {
  const toml::array* list = value.as_array();
  if (list == nullptr) return;
  const bool is_of_lists = std::any_of(list->begin(), list->end(),
                                       [](const toml::node& item) { return item.is_array(); });
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument(
        fmt::format("{}{} {}", tables.place(value.source()), key.str(), why));
  };
  if (spec.value == "LINKS" && is_of_lists) {
    refuse("takes one list of links in a scenario, as in [\"0-1\", \"4>5\"]");
  }
  if (takes_list(spec) && list->empty()) {
    refuse("is an empty list: leave it out, or name what it is for");
  }
  if (takes_list(spec) && !is_of_lists) {
    const auto drawn = std::find_if(list->begin(), list->end(), [](const toml::node& item) {
      return item.is_string() && is_drawn(item.as_string()->get());
    });
    if (list->size() == 1 || drawn == list->end() || !names_missing(spec)) return;
    refuse(fmt::format("has {} in a list, which draws what is missing and so stands alone",
                       in_quotes(drawn->as_string()->get())));
  }
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
