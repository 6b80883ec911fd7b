// SPDX-License-Identifier: Apache-2.0
// `allport schema` prints the JSON Schemas of files and results.
#include "testbench/program/report/schemas.h"

#include <fmt/format.h>

#include <stdexcept>

#include "testbench/files/output_file.h"
#include "testbench/plan/option_values.h"
#include "testbench/program/commands/commands.h"
#include "testbench/program/terminal/exit_status.h"

namespace allport {

namespace {

std::vector<std::string> names() {
  std::vector<std::string> list;
  for (const SchemaName& one : schema_names()) list.emplace_back(one.name);
  return list;
}

int print_schema(const Invocation& given) {
  const std::vector<std::string> words = names();
  if (given.argument().empty()) {
    throw std::invalid_argument(
        fmt::format("the name of a schema is missing: give one of {}", fmt::join(words, ", ")));
  }
  print(json_text(schema(parse_word("schema", given.argument(), {words.begin(), words.end()}))));
  return exit_clean;
}

std::string words() {
  std::string text =
      "JSON Schema, draft 2020-12, of this version of the program: every key that it knows, and no other. NAME says what is described:\n";
  for (const SchemaName& one : schema_names()) {
    text += fmt::format("\n  {:<13}{}", one.name, one.summary);
  }
  return text;
}

}  // namespace

Command schema_command() {
  Command command;
  command.name = "schema";
  command.summary = "print the JSON Schema of a file or of results";
  command.words = words();
  command.examples = {"allport schema run > run.schema.json"};
  command.page = "guide/results.md";
  command.positional = {"NAME", "what is described"};
  command.positional.words = names;
  command.run = print_schema;
  return command;
}

}  // namespace allport
