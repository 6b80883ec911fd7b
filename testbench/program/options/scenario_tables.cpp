// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/scenario_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "testbench/files/toml_text.h"
#include "testbench/files/whole_file.h"
#include "testbench/plan/file_kind.h"

namespace allport {

namespace {

const OptionSpec* find(std::string_view table, std::string_view key) {
  for (const OptionSpec& spec : option_table()) {
    if (spec.key == key && (table.empty() || spec.table == table)) return &spec;
  }
  return nullptr;
}

bool is_table(std::string_view name) {
  return std::any_of(option_table().begin(), option_table().end(),
                     [name](const OptionSpec& spec) { return spec.table == name; });
}

// As it may be written on the command line: 16.0 stays no whole number.
std::string decimal_text(double number) {
  std::string text = fmt::format("{}", number);
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

// Whether its value is the name of a file, or may be one beside words.
bool names_file(const OptionSpec& spec) {
  return spec.value == "FILE" || spec.value == "FILE,.." || spec.key == "place";
}

// Names have underscores in files, and dashes on the command line.
std::string underscored(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace

ScenarioTables::ScenarioTables(const std::string& name, const OptionList& accepted)
    : name_(shown_path(name)), accepted_(accepted) {}

void ScenarioTables::also(std::string table, TakeTable take) {
  other_table_ = std::move(table);
  take_other_ = std::move(take);
}

void ScenarioTables::read(const std::string& text, const TakeOption& take) const {
  require_kind(text, FileKind::toml, name_, "scenario or grid");
  for (const auto& [key, node] : parse_toml(text, name_)) {
    const toml::table* table = node.as_table();
    if (table == nullptr) reject_outside(key);
    if (!other_table_.empty() && key.str() == other_table_) {
      take_other_(*table);
      continue;
    }
    require_table(key);
    for (const auto& [name, value] : *table) {
      const OptionSpec& spec = option(key.str(), name);
      const bool is_list_of_nodes = spec.key == "place" && value.is_array();
      if (names_file(spec) && !is_list_of_nodes) require_text(name, value);
      take(spec, name, value);
    }
  }
}

// A file may have any name, so a number or a flag would be taken for one.
void ScenarioTables::require_text(const toml::key& key, const toml::node& value) const {
  if (const toml::array* list = value.as_array()) {
    for (const toml::node& item : *list) require_text(key, item);
    return;
  }
  if (value.is_string()) return;
  throw std::invalid_argument(
      fmt::format("{}{} must be text in quotes", place(value.source()), key.str()));
}

std::string ScenarioTables::place(const toml::source_region& source) const {
  return place_in(name_, source);
}

void ScenarioTables::reject_outside(const toml::key& key) const {
  if (const OptionSpec* spec = find("", key.str())) {
    throw std::invalid_argument(fmt::format("{}{} is outside its table, which is [{}]",
                                            place(key.source()), key.str(), spec->table));
  }
  const OptionSpec* spec = is_table(key.str()) ? nullptr : meant_by("", key.str());
  if (spec != nullptr) reject_misspelt("", key, *spec);
  require_table(key);
  throw std::invalid_argument(fmt::format("{0}{1} must be a table, as in [{1}]",
                                          place(key.source()), shown(key.str(), 100)));
}

void ScenarioTables::require_table(const toml::key& key) const {
  if (is_table(key.str())) return;
  std::vector<std::string_view> tables;
  for (const OptionSpec& spec : option_table()) {
    if (tables.empty() || tables.back() != spec.table) tables.push_back(spec.table);
  }
  if (other_table_.empty() && key.str() == "sweep") {
    throw std::invalid_argument(
        place(key.source()) +
        "the table [sweep] belongs to a grid, which `sweep` reads; a scenario has none");
  }
  if (const OptionSpec* spec = find("", underscored(key.str()))) {
    throw std::invalid_argument(fmt::format("{}{} is a key of the table [{}], not a table",
                                            place(key.source()), spec->key, spec->table));
  }
  if (!other_table_.empty()) tables.push_back(other_table_);
  throw std::invalid_argument(place(key.source()) + unknown_name("table", key.str(), tables));
}

const OptionSpec& ScenarioTables::option(std::string_view table, const toml::key& key) const {
  const OptionSpec* spec = find(table, key.str());
  if (spec == nullptr) reject_key(table, key);
  const auto accepted = std::find_if(accepted_.begin(), accepted_.end(),
                                     [spec](const auto* one) { return one->key == spec->key; });
  if (accepted == accepted_.end()) {
    throw std::invalid_argument(
        fmt::format("{}{} is not an option of this command", place(key.source()), key.str()));
  }
  return **accepted;
}

void ScenarioTables::reject_key(std::string_view table, const toml::key& key) const {
  if (const OptionSpec* elsewhere = find("", key.str())) {
    throw std::invalid_argument(fmt::format("{}{} belongs to the table [{}], not to [{}]",
                                            place(key.source()), key.str(), elsewhere->table,
                                            table));
  }
  if (const OptionSpec* spec = meant_by(table, key.str())) reject_misspelt(table, key, *spec);
  throw std::invalid_argument(place(key.source()) + unknown_name("key", key.str(), keys_of(table)));
}

// The accepted keys of `table`; empty: of all tables.
std::vector<std::string_view> ScenarioTables::keys_of(std::string_view table) const {
  std::vector<std::string_view> keys;
  for (const OptionSpec* spec : accepted_) {
    if (!spec->table.empty() && (table.empty() || spec->table == table)) keys.push_back(spec->key);
  }
  return keys;
}

// The option that an unknown `key` stands for: one with dashes for underscores, a slip for one of
// `table`, or for one of another table; null: there is none.
const OptionSpec* ScenarioTables::meant_by(std::string_view table, std::string_view key) const {
  if (const OptionSpec* spec = find("", underscored(key))) return spec;
  const std::string_view near = near_name(key, keys_of(table));
  return find("", near.empty() ? near_name(key, keys_of("")) : near);
}

void ScenarioTables::reject_misspelt(std::string_view table, const toml::key& key,
                                     const OptionSpec& meant) const {
  throw std::invalid_argument(fmt::format(
      "{}unknown key {}: did you mean '{}'{}?", place(key.source()), in_quotes(key.str()),
      meant.key, meant.table == table ? "" : fmt::format(" of the table [{}]", meant.table)));
}

std::string ScenarioTables::text_of(const toml::key& key, const toml::node& value) const {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* number = value.as_integer()) return std::to_string(number->get());
  if (const auto* number = value.as_floating_point()) return decimal_text(number->get());
  if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* list = value.as_array()) {
    std::string text;
    for (const toml::node& item : *list) {
      if (item.is_array()) {
        throw std::invalid_argument(
            fmt::format("{}{} has a list in a list", place(value.source()), key.str()));
      }
      if (!text.empty()) text += ',';
      text += text_of(key, item);
    }
    return text;
  }
  throw std::invalid_argument(
      fmt::format("{}{} must be a word, a number, true, false or a list of them",
                  place(value.source()), shown(key.str(), 100)));
}

std::string read_whole_text(const std::string& path, const char* what) {
  std::error_code error;  // a path that does not exist is not a folder
  if (std::filesystem::is_directory(path, error)) {
    throw std::invalid_argument(fmt::format("the {} {} is a folder", what, shown_input(path)));
  }
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  constexpr std::size_t most = 16;
  if (const std::optional<std::string> text = whole_input(path, most * mebibyte)) return *text;
  const int fault = errno;
  if (fault == EFBIG) {
    throw std::invalid_argument(
        fmt::format("the {} {} has more than {} MiB", what, shown_input(path), most));
  }
  throw std::invalid_argument(
      fmt::format("the {} {} cannot be read: {}", what, shown_input(path), std::strerror(fault)));
}

}  // namespace allport
