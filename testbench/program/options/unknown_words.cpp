// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/unknown_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"

namespace allport {

namespace {

std::vector<std::string> option_names(const OptionList& options) {
  std::vector<std::string> names{"--help"};
  for (const OptionSpec* spec : options) names.push_back(option_name(spec->key));
  return names;
}

// The commands that have the option, in words: `run`, `check` and `sweep`.
std::string commands_with(const std::string& option, const std::vector<Command>& commands) {
  std::vector<std::string> found;
  for (const Command& command : commands) {
    const std::vector<std::string> names = option_names(command.options);
    if (std::find(names.begin(), names.end(), option) == names.end()) continue;
    found.push_back(fmt::format("`{}`", command.name));
  }
  std::string words;
  for (std::size_t i = 0; i < found.size(); ++i) {
    words += (i == 0 ? "" : i + 1 == found.size() ? " and " : ", ") + found[i];
  }
  return found.empty() ? "" : words + (found.size() == 1 ? " has it" : " have it");
}

// The option of any command that `given` may be a slip for; empty: there is none.
std::string near_option(const std::string& given, const std::vector<Command>& commands) {
  std::vector<std::string> all;
  for (const Command& command : commands) {
    const std::vector<std::string> names = option_names(command.options);
    all.insert(all.end(), names.begin(), names.end());
  }
  return std::string(near_name(given, {all.begin(), all.end()}));
}

// An option of another command is known by its name; otherwise an option of `command` (null: of the
// program) may be spelled almost the same.
std::string unknown_option(const std::string& given, const Command* command,
                           const std::vector<Command>& commands) {
  std::vector<std::string> names =
      option_names(command != nullptr ? command->options : OptionList{});
  if (command == nullptr) names.emplace_back("--version");
  const std::string_view near = near_name(given, {names.begin(), names.end()});
  const std::string others = commands_with(given, commands);
  if (others.empty() && !near.empty()) return unknown_name("option", given, {near});
  std::string words = fmt::format("unknown option {}", in_quotes(given));
  if (command != nullptr) words += fmt::format(" of `{}`", command->name);
  if (others.empty()) {
    const std::string elsewhere = near_option(given, commands);
    if (!elsewhere.empty()) {
      return words +
             fmt::format(": did you mean '{}'? {}", elsewhere, commands_with(elsewhere, commands));
    }
    return words + fmt::format(": see `{} --help`",
                               command == nullptr ? "allport" : "allport " + command->name);
  }
  return words + ": " + others + (near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

}  // namespace

std::string one_too_many(const std::string& word, const std::string& command) {
  return fmt::format("{} is one argument too many for `{}`", in_quotes(word), command);
}

std::string missing_command(const std::vector<Command>& commands) {
  std::string names;
  for (const Command& command : commands) {
    names += (names.empty() ? "" : ", ") + std::string(command.name);
  }
  return "a command is missing: choose one of " + names + "; see `allport --help`";
}

std::string unknown_command(const std::string& word, const std::vector<Command>& commands) {
  std::vector<std::string_view> names;
  if (word != "help") names.emplace_back("help");
  for (const Command& command : commands) names.emplace_back(command.name);
  return unknown_name("command", word, names);
}

std::string unknown_argument(const std::string& word, const Command* command,
                             const std::vector<Command>& commands) {
  if (word.substr(0, 1) != "-" || word.size() == 1) {
    return command == nullptr ? unknown_command(word, commands) : one_too_many(word, command->name);
  }
  return unknown_option(word.substr(0, word.find('=')), command, commands);
}

}  // namespace allport
