// SPDX-License-Identifier: Apache-2.0
// `allport diff` says what differs between two results.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "rtl_model/base/text_encoding.h"
#include "testbench/files/output_file.h"
#include "testbench/files/whole_file.h"
#include "testbench/plan/option_values.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/options/command_files.h"
#include "testbench/program/report/diff_report.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

const std::vector<OptionSpec>& own_options() {
  static const std::vector<OptionSpec> table{
      {"", "json", "FILE", "", "write what differs as JSON; - is stdout",
       [](Options& o, std::string_view t) { o.observe.json = parse_path(t); }},
      {"", "report", "FILE", "", "write it as an HTML page, FILE.html",
       [](Options& o, std::string_view t) { o.observe.report = page_file(t); }}};
  return table;
}

Json read_result(const std::string& path) {
  constexpr std::size_t most = std::size_t{1} << 30;
  const std::optional<std::string> text = whole_input(path, most);
  if (!text) {
    throw std::invalid_argument(
        fmt::format("the file {} cannot be read: {}; give what --json has written",
                    shown_input(path), reading_fault(errno, most)));
  }
  if (is_wide_text(*text)) {
    throw std::invalid_argument(fmt::format("{}: it is {}", shown_input(path), wide_text_in_words));
  }
  Json json = Json::parse(*text, nullptr, false);
  if (json.is_discarded()) {
    throw std::invalid_argument(
        fmt::format("{} is no JSON text; give what --json has written", shown_input(path)));
  }
  return json;
}

int diff(const Invocation& given) {
  Options own;
  for (const Setting& one : given.settings) apply(one, own);
  if (given.arguments.size() != 2) {
    throw std::invalid_argument(
        fmt::format("diff compares two results, and there {} {}: give A.json and B.json",
                    given.arguments.size() == 1 ? "is" : "are", given.arguments.size()));
  }
  const std::string& path_a = given.arguments.front();
  const std::string& path_b = given.arguments.back();
  require_own_files(own, "", {}, {{"the first result", path_a}, {"the second result", path_b}});
  std::optional<OutputFile> json = wanted_file(own.observe.json);
  std::optional<OutputFile> page = wanted_file(own.observe.report);
  const Json a = read_result(path_a);
  const Json b = read_result(path_b);
  DiffedFiles files{shown_input(path_a), shown_input(path_b), {}};
  files.diff = diff_of(a, b, files.name_a, files.name_b);
  Outputs outputs;
  if (own.observe.json != "-") outputs.attempt([&] { print(diff_report(files)); });
  if (json) outputs.attempt([&] { json->commit(json_text(diff_json(files))); });
  if (page) outputs.attempt([&] { page->commit(diff_page(files, given.command)); });
  return outputs.status(files.diff.is_empty() ? exit_clean : exit_finding);
}

}  // namespace

Command diff_command() {
  Command command;
  command.name = "diff";
  command.summary = "say what differs between two results";
  command.words =
      "A.json and B.json are what --json has written, of runs, comparisons or other commands, both of one command. It says what differs in the configuration, in the numbers (and whether beyond their intervals), in the causes of latencies and in the waiting for channels, where the results have these (`run --explain`), and which options have changed their meaning between two versions. The exit status is 0 if nothing differs, and 1 if something does.";
  command.examples = {"allport diff before.json after.json",
                      "allport diff before.json after.json --report diff.html"};
  command.page = "guide/diff.md";
  for (const OptionSpec& spec : own_options()) command.options.push_back(&spec);
  command.positional = {"FILE", "a result, JSON; - is stdin", true};
  command.run = diff;
  return command;
}

}  // namespace allport
