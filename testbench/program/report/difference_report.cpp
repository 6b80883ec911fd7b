// SPDX-License-Identifier: Apache-2.0
#include "testbench/program/report/difference_report.h"

#include <fmt/format.h>

#include <sstream>

namespace allport {

namespace {

std::string flit_text(const Flit& flit) {
  std::ostringstream text;
  text << flit;
  return text.str();
}

std::string place(const Difference& difference) {
  return fmt::format("node {} {} {} vc {}", index(difference.node),
                     difference.is_credit ? "input" : "output", difference.port, difference.vc);
}

}  // namespace

std::string in_words(const Difference& difference) {
  return fmt::format("the twins differ in cycle {}: {}: {} is {} in SystemC, {} in the RTL",
                     difference.cycle, place(difference), difference.field, difference.systemc,
                     difference.rtl);
}

std::string lockstep_report(std::size_t nodes, std::uint64_t compared_cycles,
                            const std::optional<Difference>& difference, const std::string& wave,
                            const Style& style) {
  std::string text = style.label(fmt::format("{:<12}", "lockstep"));
  const std::string compared = fmt::format("{} router{} in RTL, {} router-cycles compared", nodes,
                                           nodes == 1 ? "" : "s", compared_cycles);
  if (!difference) return text + compared + ": " + style.good("no difference") + "\n";
  text += compared + ": " + style.bad("the twins differ") + "\n";
  const auto add = [&](const std::string& line) { text += std::string(12, ' ') + line + "\n"; };
  add(fmt::format("cycle {}, {}, field {}", difference->cycle, place(*difference),
                  difference->field));
  add("SystemC  " + difference->systemc);
  add("RTL      " + difference->rtl);
  for (const PassedFlit& passed : difference->passed) {
    add(fmt::format("before, in cycle {}: {}", passed.cycle, flit_text(passed.flit)));
  }
  if (!wave.empty()) add("waves of both: " + wave);
  return text;
}

Json lockstep_json(const std::vector<NodeId>& nodes, std::uint64_t compared_cycles,
                   const std::optional<Difference>& difference, const std::string& wave) {
  Json json{{"rtl_nodes", Json::array()}, {"compared_cycles", compared_cycles}};
  for (const NodeId node : nodes) json["rtl_nodes"].push_back(index(node));
  json["difference"] = nullptr;
  if (!difference) return json;
  Json passed = Json::array();
  for (const PassedFlit& flit : difference->passed) {
    passed.push_back({{"cycle", flit.cycle}, {"flit", flit_text(flit.flit)}});
  }
  json["difference"] = {{"cycle", difference->cycle},
                        {"trial", difference->trial},
                        {"node", index(difference->node)},
                        {"side", difference->is_credit ? "input" : "output"},
                        {"port", difference->port},
                        {"vc", difference->vc},
                        {"field", difference->field},
                        {"systemc", difference->systemc},
                        {"rtl", difference->rtl},
                        {"passed", std::move(passed)},
                        {"wave", wave}};
  return json;
}

}  // namespace allport
