// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/lockstep_report.h"

#include <fmt/format.h>

#include "testbench/program/report/report_lines.h"

namespace allport {

std::string lockstep_report(const LockstepResults& lockstep, const Style& style) {
  const std::size_t nodes = lockstep.nodes.size();
  const std::optional<Difference>& difference = lockstep.difference;
  const std::string compared = fmt::format("{} router{} in RTL, {} router-cycles compared", nodes,
                                           nodes == 1 ? "" : "s", lockstep.compared_cycles);
  const std::string verdict =
      difference ? style.bad("the twins differ") : style.good("no difference");
  std::string text = report_line("lockstep", compared + ": " + verdict, style);
  if (!difference) return text;
  const auto add = [&](const std::string& line) { text += std::string(12, ' ') + line + "\n"; };
  add(fmt::format("cycle {}, {}, field {}", difference->cycle, difference->place,
                  difference->field));
  add("SystemC  " + difference->systemc);
  add("RTL      " + difference->rtl);
  for (const PassedFlit& passed : difference->passed) {
    add(fmt::format("before, in cycle {}: {}", passed.cycle, flit_in_words(passed.flit)));
  }
  if (!lockstep.wave.empty()) add("waves of both: " + lockstep.wave);
  return text;
}

}  // namespace allport
