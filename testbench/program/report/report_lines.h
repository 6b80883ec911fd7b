// SPDX-License-Identifier: Apache-2.0
// A report for people is lines with a label in front of them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbench/program/terminal/style.h"

namespace allport {

/// Lines of the report and their labels, which are empty for further lines.
using ReportLines = std::vector<std::pair<const char*, std::string>>;

inline std::string report_line(std::string_view label, const std::string& words,
                               const Style& style) {
  return style.label(fmt::format("{:<12}", label)) + words + "\n";
}

inline std::string report_text(const ReportLines& lines, const Style& style) {
  std::string text;
  for (const auto& [label, words] : lines) text += report_line(label, words, style);
  return text;
}

}  // namespace allport
