// SPDX-License-Identifier: Apache-2.0
// The results of a run as text for people: what ran, what came out, theory beside it, verdicts.
#pragma once

#include <string>

#include "rtl_model/base/words.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/verdict.h"
#include "testbench/results/results.h"

namespace allport {

/// Colours of a terminal, or nothing.
class Style {
 public:
  explicit Style(bool is_terminal) : is_terminal_(is_terminal) {}
  std::string good(const std::string& text) const { return painted("32", text); }
  std::string bad(const std::string& text) const { return painted("31", text); }
  std::string label(const std::string& text) const { return painted("1", text); }

 private:
  std::string painted(const char* colour, const std::string& text) const {
    return is_terminal_ ? std::string("\x1b[") + colour + "m" + text + "\x1b[0m" : text;
  }
  bool is_terminal_;
};

/// What ran and what came out, before the static check.
std::string report_of_results(const RunPlan& plan, const Results& results, const Style& style);
/// What follows: the verdict, and how the run ended.
std::string report_of_verdict(const RunPlan& plan, const Results& results,
                              const StaticVerdict& verdict, const Style& style);

}  // namespace allport
