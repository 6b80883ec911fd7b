// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/file_kind.h"

#include <algorithm>
#include <cctype>

#include "rtl_model/base/text_encoding.h"
#include "traffic/tasks/simgrid_action.h"

namespace allport {

std::string_view first_line(std::string_view text, std::uint32_t& number) {
  number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t word = line.find_first_not_of(" \t\r");
    const std::string_view rest = word == std::string_view::npos ? "" : line.substr(word);
    if (rest.substr(0, 2) == "/*") {
      const std::size_t close = std::min(text.find("*/", begin + word + 2), text.size());
      number += static_cast<std::uint32_t>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                     text.begin() + static_cast<std::ptrdiff_t>(close), '\n'));
      begin = std::min(close + 2, text.size());
      --number;
      continue;
    }
    if (!rest.empty() && rest.front() != '#' && rest.substr(0, 2) != "//") return rest;
    begin = end + 1;
  }
  return {};
}

bool is_goal(std::string_view line) {
  const auto words = SimgridAction::words_of(line);
  return !words.empty() && (words.front() == "num_ranks" || words.front() == "rank");
}

bool is_simgrid(std::string_view line) {
  const auto words = SimgridAction::words_of(line);
  return words.size() >= 2 &&
         std::all_of(words[0].begin(), words[0].end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; }) &&
         std::isalpha(static_cast<unsigned char>(words[1].front())) != 0;
}

namespace {

bool has(std::string_view text, std::string_view key) {
  return text.find('"' + std::string(key) + '"') != std::string_view::npos;
}

// What an object of JSON is, told by its keys.
std::string_view object_in_words(std::string_view line, std::string_view text) {
  if (is_execution_plan(text)) {
    return "an execution plan of MSCCL++, which `allport run --schedule` and `allport check` read";
  }
  if (has(line, "u") && has(line, "step")) {
    return "a schedule, which `allport run --schedule` and `allport check` read";
  }
  if (has(line, "node")) return tasks_in_words();
  return "";
}

}  // namespace

std::string_view tasks_in_words() {
  return "a file of tasks, which `allport replay` and `run --tasks` read";
}

bool is_execution_plan(std::string_view text) {
  return has(text, "gpus") && (has(text, "threadblocks") || has(text, "protocol"));
}

std::string kind_in_words(std::string_view text) {
  if (is_wide_text(text)) return std::string(wide_text_in_words);
  std::uint32_t number = 0;
  const std::string_view head = first_line(text, number);
  if (is_goal(head)) return "a GOAL file, which `allport replay` reads";
  if (is_simgrid(head)) return "a trace of SimGrid, which `allport replay` reads";
  if (head.substr(0, 1) == "<") {
    return "XML, as of MSCCL, which `allport run --schedule` and `allport check` read";
  }
  if (head.substr(0, 1) == "{") return std::string(object_in_words(head, text));
  const bool is_table = head.size() > 2 && head.front() == '[' && head.find(']') < head.size() &&
                        std::isalpha(static_cast<unsigned char>(head[1])) != 0;
  if (is_table)
    return "a scenario or a grid (TOML), which `allport run FILE` and `sweep FILE` read";
  return "";
}

}  // namespace allport
