// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>
#include <stdexcept>

#include "rtl_model/base/names.h"
#include "rtl_model/base/quote.h"
#include "testbench/program/terminal/version.h"

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
  const std::string near(nearest_name(given, {all.begin(), all.end()}));
  return is_slip(given, near) ? near : "";
}

// An option of another command is known by its name; otherwise an option of `command` (null: of the
// program) may be spelled almost the same.
std::string unknown_option(const std::string& given, const Command* command,
                           const std::vector<Command>& commands) {
  std::vector<std::string> names =
      option_names(command != nullptr ? command->options : OptionList{});
  if (command == nullptr) names.emplace_back("--version");
  const std::string_view near = nearest_name(given, {names.begin(), names.end()});
  const bool is_near = is_slip(given, near);
  const std::string others = commands_with(given, commands);
  if (others.empty() && is_near) return unknown_name("option", given, {near});
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
  return words + ": " + others + (is_near ? fmt::format("; did you mean '{}'?", near) : "");
}

std::string unknown_argument(const std::string& word, const Command* command,
                             const std::vector<Command>& commands) {
  if (word.substr(0, 1) != "-" || word.size() == 1) {
    return fmt::format("{} is one argument too many for `{}`", in_quotes(word),
                       command == nullptr ? "allport" : command->name);
  }
  return unknown_option(word.substr(0, word.find('=')), command, commands);
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

constexpr const char* description =
    "Cycle-accurate all-port wormhole routers and collective communication on hypercubes, tori,\n"
    "meshes and rings.";
constexpr const char* footer =
    "Each command has its own --help.\n"
    "Exit status: 0 done and clean, 1 a finding, 2 wrong use, 3 the simulation is not complete.";

// What the words must be before CLI11 reads them.
void require_command(const std::vector<Command>& commands, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    // CLI11 would take the next word as its value.
    if (word.substr(0, 2) == "--" && word.back() == '=') {
      throw std::invalid_argument(shown(word.substr(0, word.size() - 1), 100) +
                                  " needs a value after '='");
    }
  }
  if (words.empty()) throw std::invalid_argument("a command is missing, see `allport --help`");
  if (words.front().substr(0, 1) == "-") return;
  std::vector<std::string_view> names;
  for (const Command& command : commands) {
    names.emplace_back(command.name);
    if (names.back() == words.front()) return;
  }
  throw std::invalid_argument(unknown_name("command", words.front(), names));
}

void add_command(CLI::App& program, const Command& command, Given& given) {
  CLI::App& app = *program.add_subcommand(command.name, command.summary);
  app.footer(command.footer);
  const Positional& positional = command.positional;
  if (!positional.name.empty()) {
    app.add_option(positional.name, given.arguments, positional.help)
        ->option_text(" ")
        ->expected(1, CLI::detail::expected_max_vector_size);
  }
  for (const OptionSpec* spec : command.options) {
    if (spec->value.empty()) {
      add_flag(app, *spec, given.settings);
    } else {
      add_option(app, *spec, given.settings);
    }
  }
}

// CLI11 takes any number of words; a command says how many it takes.
void require_arguments(const Call& call) {
  const Positional& positional = call.command->positional;
  const std::vector<std::string>& words = call.given.arguments;
  if (words.size() > 1 && !positional.may_repeat) {
    throw std::invalid_argument(fmt::format("{} is one argument too many for `{}`",
                                            in_quotes(words[1]), call.command->name));
  }
  if (std::find(words.begin(), words.end(), "") != words.end()) {
    throw std::invalid_argument(
        fmt::format("{} of `{}` is an empty word", positional.name, call.command->name));
  }
}

// What CLI11 could not read, in a sentence; `command`: the one that was called, null: none.
std::string in_words(const CLI::ParseError& error, const CLI::App& program, const Command* command,
                     const std::vector<Command>& commands) {
  const std::vector<std::string> before = program.remaining();
  if (!before.empty()) return unknown_argument(before.front(), nullptr, commands);
  const std::vector<std::string> left =
      command == nullptr ? before : program.get_subcommand(command->name)->remaining();
  if (!left.empty()) return unknown_argument(left.front(), command, commands);
  if (error.get_name() == "ArgumentMismatch") {
    const std::string name = error.what();
    const std::size_t flag = name.find(" was given a disallowed");
    if (flag != std::string::npos) return "--" + name.substr(0, flag) + " takes no value";
    return name.substr(0, name.find(':')) + " needs a value";
  }
  return error.what();
}

}  // namespace

std::optional<Call> read_command_line(const std::vector<Command>& commands,
                                      const std::vector<std::string>& words) {
  require_command(commands, words);
  CLI::App program(description, "allport");
  program.formatter(std::make_shared<HelpLayout>());
  program.footer(footer);
  program.set_help_flag("-h,--help", "print this help");
  program.set_version_flag("--version", std::string("allport ") + program_version,
                           "print the version");
  program.require_subcommand(0, 1);
  Call call;
  for (const Command& command : commands) add_command(program, command, call.given);
  const auto called = [&] {
    for (const Command& command : commands) {
      if (program.got_subcommand(command.name)) return &command;
    }
    return static_cast<const Command*>(nullptr);
  };
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& request) {  // --help, --version
    program.exit(request);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(in_words(error, program, called(), commands));
  }
  call.command = called();
  if (call.command != nullptr) {
    require_arguments(call);
    return call;
  }
  throw std::invalid_argument("a command is missing, see `allport --help`");
}

}  // namespace allport
