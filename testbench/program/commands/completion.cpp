// SPDX-License-Identifier: Apache-2.0
// `allport completion SHELL` prints a completion for the shell, which is made of the program's own
// command line so that it cannot drift.
#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "testbench/files/output_file.h"
#include "testbench/plan/option_values.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

std::string options_of(const Command& command) {
  std::string names;
  for (const OptionSpec* spec : command.options) names += option_name(spec->key) + " ";
  return names + "--help ";
}

// The options of each command, and the words that its other words may be.
std::string command_cases(const std::vector<Command>& commands) {
  std::string cases;
  std::string names;
  for (const Command& command : commands) {
    const std::string arguments =
        command.positional.words == nullptr
            ? ""
            : fmt::format(" arguments=\"{}\"", fmt::join(command.positional.words(), " "));
    cases +=
        fmt::format("    {}) names=\"{}\"{} ;;\n", command.name, options_of(command), arguments);
    names += command.name + " ";
  }
  return cases + fmt::format("    help) arguments=\"{}\" ;;\n", names);
}

std::string first_words(const std::vector<Command>& commands) {
  std::string words;
  for (const Command& command : commands) words += command.name + " ";
  return words + "help --help --version ";
}

// What the script sets for a value of the option: the words that it offers, and whether they may
// stand in a list; files for anything else.
std::string value_of(const OptionSpec& spec) {
  if (spec.words == nullptr) return "is_file=1";
  const bool is_list = spec.value.find(",..") != std::string_view::npos;
  return fmt::format("offered=\"{}\"{}", fmt::join(spec.words(), " "), is_list ? " is_list=1" : "");
}

// By command, for commands differ in what their options take.
std::string value_cases(const std::vector<Command>& commands) {
  std::map<std::pair<std::string, std::string>, std::string> places;  // by option and its words
  for (const Command& command : commands) {
    for (const OptionSpec* spec : command.options) {
      if (spec->value.empty()) continue;
      std::string& place = places[{option_name(spec->key), value_of(*spec)}];
      if (!place.empty()) place += "|";
      place += fmt::format("\"{} {}\"", command.name, option_name(spec->key));
    }
  }
  std::string cases;
  for (const auto& [option, place] : places) {
    cases += fmt::format("    {}) {} ;;\n", place, option.second);
  }
  return cases;
}

// Readline breaks a command line at `=` too, so that --model=worm is three words, unless the user
// has told it otherwise.
constexpr const char* bash_script =
    R"SCRIPT(# bash completion of allport: eval "$(allport completion bash)"
_allport() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" last="${{COMP_WORDS[COMP_CWORD-1]}}" before=""
  local names="" offered="" arguments="" is_file="" is_list=""
  if [[ "$word" == "=" ]]; then
    word=""
  elif [[ "$last" == "=" ]]; then
    last="${{COMP_WORDS[COMP_CWORD-2]}}"
  elif [[ "$word" == --*=* ]]; then
    last="${{word%%=*}}" before="${{word%%=*}}=" word="${{word#*=}}"
  fi
  COMPREPLY=()
  case "${{COMP_WORDS[1]}}" in
{}    *) names="{}" ;;
  esac
  case "${{COMP_WORDS[1]}} $last" in
{}  esac
  if [[ -n "$is_list" && "$word" == *,* ]]; then
    before+="${{word%,*}}," word="${{word##*,}}"
  fi
  if [[ -n "$offered" ]]; then
    COMPREPLY=($(compgen -P "$before" -W "$offered" -- "$word"))
    [[ "${{COMPREPLY[0]}}" == *: ]] && compopt -o nospace
  elif [[ -n "$is_file" ]]; then
    COMPREPLY=($(compgen -P "$before" -f -- "$word"))
  elif [[ "$word" == -* || $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "$names" -- "$word"))
  elif [[ -n "$arguments" ]]; then
    COMPREPLY=($(compgen -W "$arguments" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _allport allport
)SCRIPT";

// Words that end in a colon are the beginning of a value, so no blank follows them.
constexpr const char* zsh_script =
    R"SCRIPT(#compdef allport
# zsh completion of allport: eval "$(allport completion zsh)" after compinit
_allport() {{
  local last="${{words[CURRENT-1]}}"
  local names="" offered="" arguments="" is_file="" is_list=""
  if [[ "$PREFIX" == --*=* ]]; then
    last="${{PREFIX%%=*}}"
    compset -P '*='
  fi
  case "${{words[2]}}" in
{}    *) names="{}" ;;
  esac
  case "${{words[2]}} $last" in
{}  esac
  if [[ -n "$is_list" ]]; then compset -P '*,'; fi
  if [[ -n "$offered" ]]; then
    local -a list=(${{=offered}})
    compadd -- ${{list:#*:}}
    compadd -S '' -- ${{(M)list:#*:}}
  elif [[ -n "$is_file" ]]; then
    _files
  elif [[ "$PREFIX" == -* || $CURRENT -eq 2 ]]; then
    compadd -- ${{=names}}
  elif [[ -n "$arguments" ]]; then
    compadd -- ${{=arguments}}
  else
    _files
  fi
}}
if [[ "${{funcstack[1]}}" == _allport ]]; then _allport "$@"; else compdef _allport allport; fi
)SCRIPT";

std::string filled(const char* script, const std::vector<Command>& commands) {
  return fmt::format(fmt::runtime(script), command_cases(commands), first_words(commands),
                     value_cases(commands));
}

// A bash script that completes `commands`, their options, and words where an option of a command
// takes words.
std::string bash_completion(const std::vector<Command>& commands) {
  return filled(bash_script, commands);
}

// The same for zsh: a file `_allport` of its `fpath`, or text to be evaluated after compinit.
std::string zsh_completion(const std::vector<Command>& commands) {
  return filled(zsh_script, commands);
}

std::vector<std::string> shells() { return {"bash", "zsh"}; }

int completion(const Invocation& given) {
  if (given.argument().empty())
    throw std::invalid_argument("the shell is missing: give bash or zsh");
  const std::vector<std::string> words = shells();
  const std::string shell = parse_word("shell", given.argument(), {words.begin(), words.end()});
  print(shell == "zsh" ? zsh_completion(commands()) : bash_completion(commands()));
  return exit_clean;
}

}  // namespace

Command completion_command() {
  Command command;
  command.name = "completion";
  command.summary = "print a completion for the shell";
  command.words =
      "  eval \"$(allport completion bash)\"      in ~/.bashrc\n  eval \"$(allport completion zsh)\"       in ~/.zshrc, after compinit";
  command.page = "guide/install.md";
  command.positional = {"SHELL", "bash or zsh"};
  command.positional.words = shells;
  command.run = completion;
  return command;
}

}  // namespace allport
