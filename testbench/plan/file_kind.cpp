// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "rtl_model/base/text_encoding.h"
#include "traffic/tasks/workload_format.h"

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

namespace {

bool has(std::string_view text, std::string_view key) {
  return text.find('"' + std::string(key) + '"') != std::string_view::npos;
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

// A kind, and what a file of it is, with who reads it.
struct KindInWords {
  FileKind kind = FileKind::unknown;
  std::string words{};
};

// What a file is that begins with `text`; unknown: it cannot be told.
KindInWords kind_of(std::string_view text) {
  if (is_wide_text(text)) return {FileKind::wide_text, std::string(wide_text_in_words)};
  constexpr std::string_view mark = "\xef\xbb\xbf";  // of UTF-8
  if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
  std::uint32_t number = 0;
  const std::string_view line = first_line(text, number);
  if (line.substr(0, 1) == "<") {
    return {FileKind::xml,
            "XML, as of MSCCL, which `allport run --schedule` and `allport check` read"};
  }
  if (line.substr(0, 1) == "{" && is_execution_plan(text)) {
    return {
        FileKind::execution_plan,
        "an execution plan of MSCCL++, which `allport run --schedule` and `allport check` read"};
  }
  if (line.substr(0, 1) == "{" && has(line, "u") && has(line, "step")) {
    return {FileKind::schedule,
            "a schedule, which `allport run --schedule` and `allport check` read"};
  }
  for (const WorkloadFormat& format : workload_formats()) {
    if (!format.begins(line, text)) continue;
    const bool is_tasks = format.name == tasks_format().name;
    return {is_tasks ? FileKind::tasks : FileKind::trace,
            fmt::format("a {}, which `allport replay` {}", format.file,
                        is_tasks ? "and `run --tasks` read" : "reads")};
  }
  if (is_toml(line)) {
    return {FileKind::toml,
            "a scenario or a grid (TOML), which `allport run FILE` and `sweep FILE` read"};
  }
  if (is_table(line)) {
    return {FileKind::table, "a table (CSV), as `run --flows` and `run --counts` read"};
  }
  return {};
}

}  // namespace

bool is_execution_plan(std::string_view text) {
  return has(text, "gpus") && (has(text, "threadblocks") || has(text, "protocol"));
}

void require_kind(std::string_view text, FileKind expected, const std::string& place,
                  std::string_view what) {
  const KindInWords found = kind_of(text);
  if (found.kind == expected || found.kind == FileKind::unknown) return;
  throw std::invalid_argument(fmt::format("{}: this is no {} but {}", place, what, found.words));
}

}  // namespace allport
