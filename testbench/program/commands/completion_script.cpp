// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/completion_script.h"

#include <fmt/format.h>

#include "testbench/program/options/options.h"

namespace allport {

namespace {

std::string names_of(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : app.get_subcommands({})) names += command->get_name() + " ";
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names += "--" + name + " ";
  }
  return names;
}

std::string command_cases(const CLI::App& program) {
  std::string cases;
  for (const CLI::App* command : program.get_subcommands({})) {
    cases += fmt::format("    {}) names=\"{}\" ;;\n", command->get_name(), names_of(*command));
  }
  return cases;
}

// Options that take words offer them; those that take anything else offer files.
std::string word_cases() {
  std::string cases;
  for (const auto* table : {&option_table(), &sweep_option_table()}) {
    for (const OptionSpec& spec : *table) {
      if (spec.words == nullptr) continue;
      std::string words;
      for (const std::string_view word : spec.words()) words += std::string(word) + " ";
      cases += fmt::format("    {}) words=\"{}\" ;;\n", option_name(spec.key), words);
    }
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
  case "$last" in
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

std::string bash_completion(const CLI::App& program) {
  return fmt::format(script, command_cases(program), names_of(program), word_cases());
}

}  // namespace allport
