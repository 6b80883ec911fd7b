// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/schemas.h"

#include <utility>

#include "testbench/program/report/option_schemas.h"
#include "testbench/program/report/schema_parts.h"
#include "testbench/program/terminal/version.h"
#include "testbench/results/statistics.h"
#include "testbench/results/way_to_bound.h"

namespace allport {

namespace {

Json cause_schema() {
  Json names = Json::array();
  for (const Cause cause : causes()) names.push_back(to_string(cause));
  return {{"enum", std::move(names)}};
}

Json excess_schema() {
  Json names = Json::array();
  for (const ExcessRow& row : excess_rows) names.push_back(row.name);
  return {{"enum", std::move(names)}};
}

// The table that a word like `<traffic>` stands for; null: it is another word.
const std::vector<StatisticForm>* table_of(const std::string& word) {
  if (word.empty() || word.front() != '<') return nullptr;
  return &statistic_tables().at(std::string_view(word).substr(1, word.size() - 2));
}

// `part` with the statistics of tables in the place of their words: in an object all of them with
// their schemas, in a list the names of those that are always there.
Json with_statistics(const Json& part) {
  if (!part.is_structured()) return part;
  Json all = part.is_array() ? Json::array() : Json::object();
  for (const auto& [key, value] : part.items()) {
    const std::string in_list = value.is_string() ? value.get<std::string>() : "";
    const std::string& word = part.is_object() ? key : in_list;
    if (const auto* table = table_of(word)) {
      for (const StatisticForm& one : *table) {
        if (part.is_object()) {
          all[one.name] = one.schema();
        } else if (one.presence == Presence::always) {
          all.push_back(one.name);
        }
      }
    } else if (part.is_object()) {
      all[key] = with_statistics(value);
    } else {
      all.push_back(with_statistics(value));
    }
  }
  return all;
}

// All definitions by name: those of schemas/, and those that follow from tables.
const Json& definitions() {
  static const Json all = [] {
    Json merged = Json::object();
    for (const Json& part : Json::parse(schema_parts)) merged.update(with_statistics(part));
    merged["asked"] = asked_schema();
    add_told_schemas(merged["machine"]["properties"], true);
    add_told_schemas(merged["config"]["properties"], false);
    merged["cause"] = cause_schema();
    merged["excess"] = excess_schema();
    return merged;
  }();
  return all;
}

// Adds the definitions that `json` refers to, and those that they refer to, to `used`.
void add_definitions(const Json& json, Json& used) {
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    add_definitions(value, used);
    if (key != "$ref") continue;
    const std::string name = value.get<std::string>().substr(std::string_view("#/$defs/").size());
    if (used.contains(name)) continue;
    used[name] = definitions().at(name);
    add_definitions(Json(used[name]), used);
  }
}

Json body_of(std::string_view name) {
  if (name == "scenario") return scenario_schema();
  if (name == "grid") return grid_schema();
  if (name == "declaration") return declaration_schema();
  return definitions().at(std::string(name));
}

}  // namespace

const std::vector<SchemaName>& schema_names() {
  static const std::vector<SchemaName> names{
      {"scenario", "scenario files (TOML)"},
      {"grid", "grid files of sweep (TOML)"},
      {"declaration", "what a router of one's own declares (TOML)"},
      {"schedule", "each line of a schedule"},
      {"run", "results of run and cosim"},
      {"sheet", "verdict of cosim on a router of one's own"},
      {"explain", "results of explain, and of run --explain"},
      {"network", "results of network --record and --explain"},
      {"compare", "results of compare"},
      {"whatif", "results of whatif"},
      {"diff", "results of diff"},
      {"check", "verdicts of check"},
      {"steps", "results of steps"},
      {"fit", "results of fit"},
      {"bench", "results of bench"},
      {"show", "results of show"},
      {"reproduce", "figures of reproduce, NAME.json"},
      {"sweep", "each line of a sweep's results.jsonl"}};
  return names;
}

Json schema(std::string_view name) {
  Json json{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"$id", "urn:allport:" + std::string(program_version) + ":" + std::string(name)}};
  json.update(body_of(name));
  if (!json.contains("title")) {
    for (const SchemaName& one : schema_names()) {
      if (one.name == name) json["title"] = one.summary;
    }
  }
  Json used = Json::object();
  add_definitions(json, used);
  if (!used.empty()) json["$defs"] = std::move(used);
  return json;
}

}  // namespace allport
