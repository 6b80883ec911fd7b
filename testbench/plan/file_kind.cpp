// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

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
FileKind kind_of_object(std::string_view line, std::string_view text) {
  if (is_execution_plan(text)) return FileKind::execution_plan;
  if (has(line, "u") && has(line, "step")) return FileKind::schedule;
  if (has(line, "node")) return FileKind::tasks;
  for (const char* key : {"data_deps", "dataDeps", "ctrl_deps", "ctrlDeps"}) {
    if (has(text, key)) return FileKind::chakra;
  }
  return FileKind::unknown;
}

// Messages of protocol buffers, each behind its length; the first has the version, `0.0.4`.
bool is_binary_chakra(std::string_view text) {
  return text.size() > 3 && text[0] > 2 && text[1] == '\n' && text[2] == text[0] - 2 &&
         std::isdigit(static_cast<unsigned char>(text[3])) != 0;
}

// `[table]`, alone on its line.
bool is_toml(std::string_view line) {
  return line.size() > 2 && line.front() == '[' && line.find(']') < line.size() &&
         std::isalpha(static_cast<unsigned char>(line[1])) != 0;
}

// Cells of numbers, or the names of columns as a table of flows has them.
bool is_table(std::string_view line) {
  line = line.substr(0, line.find_first_of("\r\n"));
  if (line.find(',') == std::string_view::npos) return false;
  constexpr std::string_view of_numbers = "0123456789.,+-eE \t";
  return line.find_first_not_of(of_numbers) == std::string_view::npos ||
         line.find("source") != std::string_view::npos;
}

// What a file of the kind is, and who reads it.
std::string_view in_words(FileKind kind) {
  switch (kind) {
    case FileKind::unknown:
      break;
    case FileKind::wide_text:
      return wide_text_in_words;
    case FileKind::goal:
      return "a GOAL file, which `allport replay` reads";
    case FileKind::simgrid:
      return "a trace of SimGrid, which `allport replay` reads";
    case FileKind::chakra:
      return "a trace of Chakra, which `allport replay` reads";
    case FileKind::xml:
      return "XML, as of MSCCL, which `allport run --schedule` and `allport check` read";
    case FileKind::execution_plan:
      return "an execution plan of MSCCL++, which `allport run --schedule` and `allport check` read";
    case FileKind::schedule:
      return "a schedule, which `allport run --schedule` and `allport check` read";
    case FileKind::tasks:
      return "a file of tasks, which `allport replay` and `run --tasks` read";
    case FileKind::table:
      return "a table (CSV), as `run --flows` and `run --counts` read";
    case FileKind::toml:
      return "a scenario or a grid (TOML), which `allport run FILE` and `sweep FILE` read";
  }
  return "something else";
}

}  // namespace

bool is_execution_plan(std::string_view text) {
  return has(text, "gpus") && (has(text, "threadblocks") || has(text, "protocol"));
}

FileKind kind_of(std::string_view text) {
  if (is_wide_text(text)) return FileKind::wide_text;
  if (is_binary_chakra(text)) return FileKind::chakra;
  constexpr std::string_view mark = "\xef\xbb\xbf";  // of UTF-8
  if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
  std::uint32_t number = 0;
  const std::string_view line = first_line(text, number);
  if (is_goal(line)) return FileKind::goal;
  if (is_simgrid(line)) return FileKind::simgrid;
  if (line.substr(0, 1) == "<") return FileKind::xml;
  if (line.substr(0, 1) == "{") return kind_of_object(line, text);
  if (is_toml(line)) return FileKind::toml;
  return is_table(line) ? FileKind::table : FileKind::unknown;
}

void require_kind(std::string_view text, FileKind expected, const std::string& place,
                  std::string_view what) {
  const FileKind kind = kind_of(text);
  if (kind == expected || kind == FileKind::unknown) return;
  throw std::invalid_argument(fmt::format("{}: this is no {} but {}", place, what, in_words(kind)));
}

}  // namespace allport
