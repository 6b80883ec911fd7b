// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/options/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/output_file.h"
#include "testbench/program/options/help.h"
#include "testbench/program/options/unknown_words.h"
#include "testbench/program/terminal/fold.h"
#include "testbench/program/terminal/version.h"

namespace allport {

namespace {

void add_flag(CLI::App& command, const OptionSpec& spec, Settings& settings) {
  const auto take = [&spec, &settings](std::int64_t times) {
    if (times > 1) throw std::invalid_argument(option_name(spec.key) + " is given twice");
    settings.push_back({&spec, "true", ""});
  };
  command.add_flag_function(option_name(spec.key), take)->disable_flag_override();
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
  const std::string letter = spec.letter != 0 ? std::string("-") + spec.letter + "," : "";
  command.add_option(letter + option_name(spec.key), take)
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

constexpr const char* help_flags = "-h,--help";

// `help` and `help COMMAND` are --help and COMMAND --help.
std::vector<std::string> help_as_option(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  if (words.size() > 2) throw std::invalid_argument(one_too_many(words[2], "help"));
  words.erase(words.begin());
  if (!words.empty() && words.front() == "help") words.clear();
  words.emplace_back("--help");
  return words;
}

// Gives an option whose name stands alone among `words` the value that it then has.
std::vector<std::string> with_bare_values(std::vector<std::string> words,
                                          const std::vector<Command>& commands) {
  for (const Command& command : commands) {
    if (words.empty() || command.name != words.front()) continue;
    for (const OptionSpec* spec : command.options) {
      if (spec->bare.empty()) continue;
      for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] != option_name(spec->key)) continue;
        const std::string next = i + 1 < words.size() ? words[i + 1] : "--";
        const bool is_number = next.size() > 1 && std::isdigit(static_cast<unsigned char>(next[1]));
        if (next[0] == '-' && !is_number) words[i].append("=").append(spec->bare);
      }
    }
  }
  return words;
}

// What the words must be before CLI11 reads them.
void require_command(const std::vector<Command>& commands, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    // CLI11 would take the next word as its value.
    if (word.substr(0, 2) == "--" && word.back() == '=') {
      throw std::invalid_argument(shown(word.substr(0, word.size() - 1), 100) +
                                  " needs a value after '='");
    }
  }
  if (words.empty()) throw std::invalid_argument(missing_command(commands));
  if (words.front() == "--version" && words.size() > 1) {
    throw std::invalid_argument(one_too_many(words[1], "allport --version"));
  }
  const bool is_known = std::any_of(commands.begin(), commands.end(), [&](const Command& command) {
    return command.name == words.front();
  });
  if (words.front().substr(0, 1) == "-" || is_known) return;
  throw std::invalid_argument(unknown_command(words.front(), commands));
}

// Only a command whose name is among `words` can be called, so only that has its options: making
// those of all commands takes longer than a small run.
void add_command(CLI::App& program, const Command& command, const std::vector<std::string>& words,
                 Invocation& given) {
  CLI::App& app = *program.add_subcommand(command.name);
  if (std::find(words.begin(), words.end(), command.name) == words.end()) return;
  app.set_help_flag(help_flags)->disable_flag_override();
  const Positional& positional = command.positional;
  if (!positional.name.empty()) {
    app.add_option(positional.name, given.arguments)
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
    throw std::invalid_argument(one_too_many(words[1], call.command->name));
  }
  if (std::find(words.begin(), words.end(), "") != words.end()) {
    throw std::invalid_argument(
        fmt::format("{} of `{}` is an empty word", positional.name, call.command->name));
  }
}

// Throws if CLI11 left a word out; `command`: the one that was called, null: none.
void require_no_rest(const CLI::App& program, const Command* command,
                     const std::vector<Command>& commands) {
  const std::vector<std::string> before = program.remaining();
  if (!before.empty()) {
    throw std::invalid_argument(unknown_argument(before.front(), nullptr, commands));
  }
  if (command == nullptr) return;
  const std::vector<std::string> left = program.get_subcommand(command->name)->remaining();
  if (left.empty()) return;
  throw std::invalid_argument(unknown_argument(left.front(), command, commands));
}

// What CLI11 could not read, in a sentence; of its own words only the name of the option is taken.
std::string in_words(const CLI::ParseError& error) {
  if (error.get_name() == "ArgumentMismatch") {
    const std::string name = error.what();
    const std::size_t flag = name.find(" was given a disallowed");
    if (flag != std::string::npos) return "--" + name.substr(0, flag) + " takes no value";
    return name.substr(0, name.find(':')) + " needs a value";
  }
  return "the command line cannot be read; `allport --help` shows how it begins, and the --help of a command what it takes";
}

}  // namespace

std::optional<Call> read_command_line(const std::vector<Command>& commands,
                                      const std::vector<std::string>& given) {
  const std::vector<std::string> words = with_bare_values(help_as_option(given), commands);
  require_command(commands, words);
  CLI::App program;
  program.set_help_flag(help_flags)->disable_flag_override();
  program.set_version_flag("--version", program_version)->disable_flag_override();
  program.require_subcommand(0, 1);
  Call call;
  for (const Command& command : commands) add_command(program, command, words, call.given);
  const auto called = [&] {
    for (const Command& command : commands) {
      if (program.got_subcommand(command.name)) return &command;
    }
    return static_cast<const Command*>(nullptr);
  };
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    const Command* const command = called();
    require_no_rest(program, command, commands);
    const std::size_t width = columns_of_stdout();
    print(command != nullptr ? command_help(*command, width) : program_help(commands, width));
    return std::nullopt;
  } catch (const CLI::Success&) {  // --version
    require_no_rest(program, called(), commands);
    print(fmt::format("allport {}", program_version));
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    require_no_rest(program, called(), commands);
    throw std::invalid_argument(in_words(error));
  }
  call.command = called();
  if (call.command != nullptr) {
    require_arguments(call);
    call.given.command = "allport";
    for (const std::string& word : given) call.given.command += " " + shell_word(word);
    return call;
  }
  throw std::invalid_argument(missing_command(commands));
}

}  // namespace allport
