// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/run_options.h"

#include "testbench/plan/option_fields.h"
#include "traffic/patterns/pattern.h"

namespace allport {

namespace option_fields {

namespace {

// Of the table [observe] those that are no outputs.
Options other_options() {
  return {
      {"observe", "no_static", "", "skip the static check of the schedule",
       flag(at(&RunRequest::check, &StaticCheckRequest::no_static)), use::simulations,
       Told::where_it_differs},
      {"observe", "max_violations", "N",
       "where the static check stops counting pairs of messages that may meet, 1..1000000",
       integer(at(&RunRequest::check, &StaticCheckRequest::max_violations), limits::violations),
       use::run | use::cosim | use::sweep | use::check, Told::where_it_differs},
      {"observe", "model", "MODEL",
       "which model of the fabric runs: systemc, rtl, worm (transaction level, exact), or auto (worm where it moves this run, else systemc)",
       word("model", at(&RunRequest::model), {"systemc", "rtl", "worm", "auto"}),
       use::run | use::explain | use::tasks | use::fit | use::network},
  };
}

Options all_options() {
  Options all;
  for (const auto& options : {fabric_options, router_options, message_options, node_options,
                              traffic_options, other_options}) {
    for (RunOption& option : options()) all.push_back(std::move(option));
  }
  return all;
}

}  // namespace

}  // namespace option_fields

namespace {

const RunRequest& with_defaults() {
  static const RunRequest request;
  return request;
}

std::string in_words(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const Json& item : value) list += (list.empty() ? "" : ",") + item.dump();
  return list;
}

}  // namespace

std::string RunOption::default_text() const {
  if (!default_words.empty()) return std::string(default_words);
  return value.empty() ? "" : in_words(field.get(with_defaults()));
}

const std::vector<RunOption>& run_options() {
  static const std::vector<RunOption> options = option_fields::all_options();
  return options;
}

std::set<std::string_view> given_keys(const RunRequest& request) {
  std::set<std::string_view> keys;
  for (const RunOption& option : run_options()) {
    if (option.field.get(request) != option.field.get(with_defaults())) keys.insert(option.key);
  }
  return keys;
}

std::vector<std::string_view> algorithm_names() {
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) names.push_back(algorithm.name);
  return names;
}

std::vector<std::string_view> pattern_names() {
  std::vector<std::string_view> names;
  for (const Pattern& pattern : patterns()) names.push_back(pattern.name);
  return names;
}

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  for (const MachinePreset& preset : machine_presets()) names.push_back(preset.name);
  return names;
}

}  // namespace allport
