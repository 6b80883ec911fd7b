// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/playground/playground.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "rtl_model/base/quote.h"
#include "testbench/plan/option_values.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/options/command_line.h"
#include "testbench/program/terminal/exit_status.h"
#include "testbench/program/terminal/version.h"

namespace allport {

namespace {

bool names_files(const OptionSpec& spec) {
  return spec.value.substr(0, 4) == "FILE" || spec.value.substr(0, 6) == "FOLDER";
}

constexpr std::string_view no_files =
    ": a page reads and writes no files; the program does, on a machine of one's own";
constexpr std::string_view no_rtl =
    ": a page has no Verilator, which builds RTL; its models are systemc, worm and auto";

// Why a page has not the option, whatever its value; empty: it has it.
std::string_view why_refused(const OptionSpec& spec) {
  if (spec.table == "model") return no_rtl;
  if (names_files(spec)) return no_files;
  if (spec.key == "faults") {
    return ": each loss is run in a process of its own, which a page has not; the program has";
  }
  return {};
}

[[noreturn]] void refuse(const std::string& name, std::string_view why) {
  throw std::invalid_argument(name + std::string(why));
}

void require_page(const Setting& setting) {
  const OptionSpec& spec = *setting.spec;
  if (const std::string_view why = why_refused(spec); !why.empty()) refuse(setting.name(), why);
  if (spec.key == "model" && (setting.text == "rtl" || setting.text == "cosim")) {
    refuse("--model " + setting.text, no_rtl);
  }
  if (spec.key != "topology" && spec.key != "routing") return;
  if (!files_read(spec, setting.text).empty()) {
    refuse(setting.name() + " " + shown(setting.text, 100), no_files);
  }
  if (setting.text.find(';') != std::string::npos) {
    refuse(
        "--topology",
        ": several fabrics are compared in processes of their own, which a page has not; name one");
  }
}

void require_page(const std::vector<std::string>& words) {
  if (words.empty() || words.front() == "help" || words.front().substr(0, 1) == "-") return;
  std::string names;
  for (const Command& command : page_commands()) {
    if (command.name == words.front()) return;
    names += (names.empty() ? "" : ", ") + command.name;
  }
  throw std::invalid_argument(
      fmt::format("{} is no command of a page, which has {}; the program has more",
                  in_quotes(words.front()), names));
}

void require_page(const Call& call) {
  const bool takes_file = call.command->positional.words == nullptr;
  if (takes_file && !call.given.arguments.empty()) {
    refuse(shown(call.given.arguments.front(), 100), no_files);
  }
  for (const Setting& setting : call.given.settings) require_page(setting);
}

// What the command writes of `part`, as options.
std::vector<std::string> outputs_of(const Command& command, const std::string& folder,
                                    PagePart part) {
  struct Output {
    std::string_view key;
    const char* file;
    PagePart last;  // the last part that it is of
  };
  static const std::vector<Output> all{{"json", "results.json", PagePart::results},
                                       {"report", "report.html", PagePart::report},
                                       {"timeline", "timeline.csv", PagePart::timeline}};
  std::vector<std::string> words;
  for (const Output& one : all) {
    const bool has_it = std::any_of(command.options.begin(), command.options.end(),
                                    [&](const OptionSpec* spec) { return spec->key == one.key; });
    if (!has_it || part > one.last) continue;
    words.push_back(option_name(one.key));
    words.push_back(folder + "/" + one.file);
  }
  return words;
}

Json option_json(const OptionSpec& spec) {
  Json json{{"name", option_name(spec.key)}, {"table", spec.table}, {"value", spec.value},
            {"default", spec.default_value}, {"help", spec.help},   {"is_output", spec.is_output}};
  if (spec.words != nullptr) {
    json["words"] = Json::array();
    for (const std::string_view word : spec.words()) {
      if (spec.key != "model" || (word != "rtl" && word != "cosim")) json["words"].push_back(word);
    }
    json["is_list"] = takes_list(spec);
  }
  return json;
}

}  // namespace

const std::vector<Command>& page_commands() {
  static const std::vector<Command> all{list_command(),    run_command(),  compare_command(),
                                        explain_command(), show_command(), schedule_command(),
                                        check_command(),   steps_command()};
  return all;
}

Json page_controls() {
  Json json{{"version", program_version}, {"commands", Json::array()}};
  for (const Command& command : page_commands()) {
    Json one{{"name", command.name}, {"summary", command.summary}, {"options", Json::array()}};
    if (command.positional.words != nullptr) one["words"] = command.positional.words();
    for (const OptionSpec* spec : command.options) {
      if (why_refused(*spec).empty()) one["options"].push_back(option_json(*spec));
    }
    json["commands"].push_back(std::move(one));
  }
  return json;
}

int run_in_page(const std::vector<std::string>& words, const std::string& folder, PagePart part) {
  require_page(words);
  const std::optional<Call> asked = read_command_line(page_commands(), words);
  if (!asked) return exit_clean;
  require_page(*asked);
  std::vector<std::string> all = words;
  for (const std::string& word : outputs_of(*asked->command, folder, part)) all.push_back(word);
  std::optional<Call> call = read_command_line(page_commands(), all);
  call->given.command = asked->given.command;
  return call->command->run(call->given);
}

}  // namespace allport
