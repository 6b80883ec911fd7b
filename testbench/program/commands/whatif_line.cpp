// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/commands/whatif_line.h"

#include <algorithm>

#include "testbench/program/commands/whatif_runs.h"

namespace allport {

bool is_tried(const OptionSpec& spec) {
  const bool is_shown = spec.table == "observe" && spec.key != "model" && spec.key != "no_static" &&
                        spec.key != "max_violations";
  const auto& own_router = custom_router_keys();
  const bool is_own_router =
      spec.key == "rtl" || std::count(own_router.begin(), own_router.end(), spec.key) > 0;
  return !is_shown && !is_own_router && !spec.is_output;
}

std::string whatif_line(const Invocation& given) {
  WhatifTarget target{"whatif", given.arguments, {}, {}};
  for (const Setting& one : given.settings) {
    if (is_tried(*one.spec)) target.given.push_back(one);
  }
  return WhatifRuns(target, 0, {}).command_line({});
}

}  // namespace allport
