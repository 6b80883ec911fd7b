// SPDX-License-Identifier: Apache-2.0
// Verdicts are what `check` prints, and what it writes with --json.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "testbench/files/output_file.h"
#include "testbench/files/standard_streams.h"
#include "testbench/program/commands/outputs.h"
#include "testbench/program/options/options.h"
#include "testbench/program/report/results_json.h"
#include "testbench/program/terminal/style.h"

namespace allport {

class Verdicts {
 public:
  explicit Verdicts(const Options& options)
      : json_(wanted_file(options.observe.json)), has_text_(options.observe.json != "-") {}

  void line(std::string_view label, const std::string& words) {
    text_ += style_.label(fmt::format("{:<14}", label)) + words + "\n";
  }
  void add(const std::string& text) { text_ += text; }
  const Style& style() const { return style_; }
  /// Writes both; returns `of_check`, the status of the check, unless one could not be written.
  int commit(const Json& json, int of_check) {
    Outputs outputs;
    if (has_text_) outputs.attempt([&] { print(text_); });
    if (json_) outputs.attempt([&] { json_->commit(json_text(json)); });
    return outputs.status(of_check);
  }

 private:
  const Style style_ = style_of_stdout();
  std::optional<OutputFile> json_;
  bool has_text_;
  std::string text_;
};

}  // namespace allport
