// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/option_schemas.h"

#include <algorithm>
#include <functional>
#include <string>

#include "testbench/conformance/declarables.h"
#include "testbench/program/options/grid_file.h"
#include "testbench/program/options/options.h"

namespace allport {

namespace {

// Place holders of options that also take a file or text that begins with no word of theirs.
bool is_open(const OptionSpec& spec) {
  return spec.words == nullptr || spec.value == "HOW" || takes_list(spec);
}

// The words of an option as a pattern: those that end in a colon begin a value.
std::string pattern_of(const OptionSpec& spec, bool or_number) {
  std::string text = or_number ? "^([0-9].*" : "^(";
  for (const std::string_view word :
       spec.words == nullptr ? std::vector<std::string_view>{} : spec.words()) {
    if (text.back() != '(') text += '|';
    text += word;
    if (word.back() == ':') text += ".+";
  }
  return text + ")$";
}

Json plain_value(const OptionSpec& spec) {
  if (spec.value.empty()) return {{"enum", {true, false, "true", "false"}}};
  if (takes_number(spec) || spec.key == "ranks") {  // a shape or a number
    return {{"anyOf",
             {{{"type", "number"}}, {{"type", "string"}, {"pattern", pattern_of(spec, true)}}}}};
  }
  if (is_open(spec)) return {{"type", {"string", "number"}}};
  return {{"type", "string"}, {"pattern", pattern_of(spec, false)}};
}

Json list_of(Json item) { return {{"type", "array"}, {"items", std::move(item)}}; }

Json value_in_scenario(const OptionSpec& spec) {
  Json one = plain_value(spec);
  if (!takes_list(spec)) return one;
  return {{"anyOf", {one, list_of({{"type", {"string", "number", "boolean"}}})}}};
}

// A text may be a list or a range, so it is not looked into.
Json value_in_grid(const OptionSpec& spec) {
  Json one{{"type", {"string", "number"}}};
  if (spec.value.empty()) one["type"] = {"string", "boolean"};
  Json item = one;
  if (separator_of(spec, {}) == ';' || spec.value == "LINKS")
    item = {{"anyOf", {one, list_of(one)}}};
  Json several = list_of(std::move(item));
  several["minItems"] = 1;
  return {{"anyOf", {std::move(one), std::move(several)}}};
}

Json tables(const std::function<Json(const OptionSpec&)>& value) {
  Json properties = Json::object();
  for (const OptionSpec& spec : option_table()) {
    Json& table = properties[std::string(spec.table)];
    if (table.is_null()) {
      table = {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}};
    }
    Json of_key{{"description", spec.help}};
    if (!spec.default_value.empty()) {
      of_key["description"] = std::string(spec.help) + " [" + spec.default_value + "]";
    }
    of_key.update(value(spec));
    table["properties"][std::string(spec.key)] = std::move(of_key);
  }
  return {
      {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
}

}  // namespace

Json scenario_schema() { return tables(value_in_scenario); }

Json grid_schema() {
  Json json = tables(value_in_grid);
  json["properties"]["sweep"] = {
      {"type", "object"},
      {"additionalProperties", false},
      {"properties",
       {{"zip",
         {{"description", "lists of keys that advance together"},
          {"type", "array"},
          {"items", {{"type", "array"}, {"minItems", 2}, {"items", {{"type", "string"}}}}}}}}}};
  return json;
}

Json asked_schema() {
  Json properties = Json::object();
  for (const OptionSpec& spec : option_table()) {
    if (spec.is_output) continue;
    properties[std::string(spec.key)] = {{"type", "string"}};
  }
  return {{"description", "Options as they were asked for, where the other keys do not tell that."},
          {"type", "object"},
          {"additionalProperties", false},
          {"minProperties", 1},
          {"properties", std::move(properties)}};
}

namespace {

// What a config tells of an option that is told by itself.
Json told_schema(const RunOption& option) {
  const Json default_value = option.field.get(RunRequest());
  const bool is_always = option.told == Told::always;
  if (option.value.empty()) return {{"const", true}};
  if (option.field.range) {
    const std::int64_t low = option.field.range->low;
    const std::int64_t least = !is_always && default_value == low ? low + 1 : low;
    if (least == 0) return {{"$ref", "#/$defs/count"}};
    return {{"type", "integer"}, {"minimum", least}};
  }
  Json words = Json::array();
  for (const std::string_view word : option.field.words) {
    if (is_always || default_value != word) words.push_back(word);
  }
  if (words.empty()) return Json::object();
  if (words.size() == 1) return {{"const", words.front()}};
  return {{"enum", std::move(words)}};
}

}  // namespace

void add_told_schemas(Json& properties, bool is_of_machine) {
  for (const RunOption& option : run_options()) {
    if (option.told == Told::as_asked || (option.table != "observe") != is_of_machine) continue;
    const std::string key(option.key);
    if (!properties.contains(key)) {
      properties[key] = {{"description", option.help}};
      properties[key].update(told_schema(option));
    } else if (properties[key].empty()) {
      properties[key] = told_schema(option);
    }
  }
}

Json declaration_schema() {
  Json keys = Json::object();
  for (const Declarable& one : declarables()) {
    Json& key = keys[std::string(one.key)];
    if (!one.words.empty()) {
      key = {{"type", "array"}, {"minItems", 1}, {"items", {{"enum", one.words}}}};
    } else if (one.is_flag()) {
      key = {{"type", "boolean"}};
    } else {
      key = {{"type", "integer"}, {"minimum", one.range.low}, {"maximum", one.range.high}};
    }
  }
  return {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(keys)}};
}

}  // namespace allport
