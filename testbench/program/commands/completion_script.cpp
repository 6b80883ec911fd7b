// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/completion_script.h"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace allport {

namespace {

std::string options_of(const Command& command) {
  std::string names;
  for (const OptionSpec* spec : command.options) names += option_name(spec->key) + " ";
  return names + "--help ";
}

std::string option_cases(const std::vector<Command>& commands) {
  std::string cases;
  for (const Command& command : commands) {
    cases += fmt::format("    {}) names=\"{}\" ;;\n", command.name, options_of(command));
  }
  return cases;
}

std::string first_words(const std::vector<Command>& commands) {
  std::string words;
  for (const Command& command : commands) words += command.name + " ";
  return words + "--help --version ";
}

// Options that take words offer them, by command, for commands differ in what they take; options
// that take anything else offer files.
std::string word_cases(const std::vector<Command>& commands) {
  std::map<std::pair<std::string, std::string>, std::string> places;  // by option and its words
  for (const Command& command : commands) {
    for (const OptionSpec* spec : command.options) {
      if (spec->words == nullptr) continue;
      const std::string words = fmt::format("{}", fmt::join(spec->words(), " "));
      std::string& place = places[{option_name(spec->key), words}];
      if (!place.empty()) place += "|";
      place += fmt::format("\"{} {}\"", command.name, option_name(spec->key));
    }
  }
  std::string cases;
  for (const auto& [option, place] : places) {
    cases += fmt::format("    {}) words=\"{}\" ;;\n", place, option.second);
  }
  return cases;
}

constexpr const char* script =
    R"SCRIPT(# bash completion of allport: eval "$(allport completion bash)"
_allport() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" last="${{COMP_WORDS[COMP_CWORD-1]}}" names words=""
  COMPREPLY=()
  case "${{COMP_WORDS[1]}}" in
{}    *) names="{}" ;;
  esac
  case "${{COMP_WORDS[1]}} $last" in
{}  esac
  if [[ -n "$words" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    [[ "${{COMPREPLY[0]}}" == *: ]] && compopt -o nospace
  elif [[ "$word" == -* || $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "$names" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _allport allport
)SCRIPT";

}  // namespace

std::string bash_completion(const std::vector<Command>& commands) {
  return fmt::format(script, option_cases(commands), first_words(commands), word_cases(commands));
}

}  // namespace allport
