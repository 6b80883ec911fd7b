// SPDX-License-Identifier: Apache-2.0
// ScenarioTables reads the tables of a scenario or a grid: it walks a TOML text, finds the option
// that each key names, and complains with file, line, column and the nearest valid word about keys
// that name none.
#pragma once

#include <toml++/toml.h>

#include <functional>
#include <string>
#include <string_view>

#include "testbench/program/options/options.h"

namespace allport {

class ScenarioTables {
 public:
  /// `name` is used in messages; only options among `accepted` may be set.
  ScenarioTables(const std::string& name, const OptionList& accepted);

  using TakeOption =
      std::function<void(const OptionSpec&, const toml::key&, const toml::node& value)>;
  using TakeTable = std::function<void(const toml::table&)>;
  /// Accepts one more table in addition to those of the options.
  void also(std::string table, TakeTable take);
  /// Throws std::invalid_argument, one sentence.
  void read(const std::string& text, const TakeOption& take) const;

  /// `run.toml:3:8: `.
  std::string place(const toml::source_region& source) const;
  /// The value of `key` as it would be written on the command line, lists with commas.
  std::string text_of(const toml::key& key, const toml::node& value) const;

 private:
  [[noreturn]] void reject_outside(const toml::key& key) const;
  [[noreturn]] void reject_key(std::string_view table, const toml::key& key) const;
  [[noreturn]] void reject_misspelt(std::string_view table, const toml::key& key,
                                    const OptionSpec& meant) const;
  std::vector<std::string_view> keys_of(std::string_view table) const;
  const OptionSpec* meant_by(std::string_view table, std::string_view key) const;
  void require_table(const toml::key& key) const;
  void require_text(const toml::key& key, const toml::node& value) const;
  const OptionSpec& option(std::string_view table, const toml::key& key) const;

  std::string name_;
  const OptionList& accepted_;
  std::string other_table_;
  TakeTable take_other_;
};

/// The text of the file `path`; the error calls the file `what`.
std::string read_whole_text(const std::string& path, const char* what);

}  // namespace allport
