// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"

namespace allport {

namespace {

std::string group_of(const OptionSpec& spec) {
  std::string group = spec.table.empty() ? "Options" : std::string(spec.table);
  group[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(group[0])));
  return group;
}

void add_flag(CLI::App& command, const OptionSpec& spec, Settings& settings) {
  command
      .add_flag_callback(
          option_name(spec.key),
          [&spec, &settings] {
            settings.push_back({&spec, "true", ""});
          },
          std::string(spec.help))
      ->disable_flag_override()
      ->group(group_of(spec));
}

void add_option(CLI::App& command, const OptionSpec& spec, Settings& settings) {
  const auto take = [&spec, &settings](const CLI::results_t& texts) {
    const std::string name = option_name(spec.key);
    if (texts.size() > 1 && !spec.may_repeat) {
      throw std::invalid_argument(name + " is given twice");
    }
    for (const std::string& text : texts) {
      if (text.substr(0, 2) == "--") {
        throw std::invalid_argument(
            fmt::format("{} needs a value, but {} follows", name, shown(text, 100)));
      }
      settings.push_back({&spec, text, ""});
    }
    return true;
  };
  std::string text(spec.value);
  if (!spec.default_value.empty()) text += fmt::format(" [{}]", spec.default_value);
  command.add_option(option_name(spec.key), take, std::string(spec.help))
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->option_text(text)
      ->group(group_of(spec));
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The commands that have the option, in words: `run`, `check` and `sweep`.
std::string commands_with(const std::string& option, const CLI::App& program) {
  std::vector<std::string> commands;
  for (const CLI::App* command : program.get_subcommands({})) {
    const std::vector<std::string> names = option_names(*command);
    if (std::find(names.begin(), names.end(), option) == names.end()) continue;
    commands.push_back(fmt::format("`{}`", command->get_name()));
  }
  std::string words;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    words += (i == 0 ? "" : i + 1 == commands.size() ? " and " : ", ") + commands[i];
  }
  return commands.empty() ? "" : words + (commands.size() == 1 ? " has it" : " have it");
}

// An option of another command is known by its name; otherwise an option of this command may be
// spelled almost the same.
std::string unknown_option(const std::string& given, const CLI::App& command,
                           const CLI::App& program) {
  const std::vector<std::string> names = option_names(command);
  const std::string_view near = nearest_name(given, {names.begin(), names.end()});
  const bool is_near = is_slip(given, near);
  const std::string others = commands_with(given, program);
  if (others.empty() && is_near) return unknown_name("option", given, {near});
  std::string words = fmt::format("unknown option {}", in_quotes(given));
  if (&command != &program) words += fmt::format(" of `{}`", command.get_name());
  if (others.empty()) {
    return words + fmt::format(": see `{} --help`",
                               &command == &program ? "allport" : "allport " + command.get_name());
  }
  return words + ": " + others + (is_near ? fmt::format("; did you mean '{}'?", near) : "");
}

std::string unknown_argument(const std::string& word, const CLI::App& command,
                             const CLI::App& program) {
  if (word.substr(0, 1) != "-" || word.size() == 1) {
    return fmt::format("{} is one argument too many for `{}`", in_quotes(word), command.get_name());
  }
  return unknown_option(word.substr(0, word.find('=')), command, program);
}

class HelpLayout final : public CLI::Formatter {
 public:
  HelpLayout() { column_width(34); }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return "\n" + CLI::Formatter::make_usage(app, std::move(name)) + "\n";
  }
  std::string make_positionals(const CLI::App* app) const override {
    const std::string text = CLI::Formatter::make_positionals(app);
    return text.empty() ? text : text + "\n";
  }
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options))
        .substr(1);
  }
};

}  // namespace

std::shared_ptr<CLI::Formatter> help_layout() { return std::make_shared<HelpLayout>(); }

void add_options(CLI::App& command, const OptionList& options, Settings& settings) {
  for (const OptionSpec* spec : options) {
    spec->value.empty() ? add_flag(command, *spec, settings) : add_option(command, *spec, settings);
  }
}

void require_command(const CLI::App& program, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    // CLI11 would take the next word as its value.
    if (word.substr(0, 2) == "--" && word.back() == '=') {
      throw std::invalid_argument(shown(word.substr(0, word.size() - 1), 100) +
                                  " needs a value after '='");
    }
  }
  if (words.empty()) throw std::invalid_argument("a command is missing, see `allport --help`");
  if (words.front().substr(0, 1) == "-") return;
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) {
    names.push_back(command->get_name());
    if (names.back() == words.front()) return;
  }
  throw std::invalid_argument(unknown_name("command", words.front(), {names.begin(), names.end()}));
}

std::string in_words(const CLI::ParseError& error, const CLI::App& program) {
  const CLI::App* command = &program;
  for (const CLI::App* given : program.get_subcommands()) command = given;
  const std::vector<std::string> left = command->remaining();
  const std::vector<std::string> before = program.remaining();
  if (!before.empty()) return unknown_argument(before.front(), program, program);
  if (!left.empty()) return unknown_argument(left.front(), *command, program);
  if (error.get_name() == "ArgumentMismatch") {
    const std::string name = error.what();
    const std::size_t flag = name.find(" was given a disallowed");
    if (flag != std::string::npos) return "--" + name.substr(0, flag) + " takes no value";
    return name.substr(0, name.find(':')) + " needs a value";
  }
  return error.what();
}

}  // namespace allport
