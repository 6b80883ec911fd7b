// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/lockstep/lockstep_results.h"

#include <fmt/format.h>

#include <sstream>
#include <utility>

namespace allport {

std::string flit_in_words(const Flit& flit) {
  std::ostringstream text;
  text << flit;
  return text.str();
}

std::string in_words(const Difference& difference) {
  return fmt::format("the twins differ in cycle {}: {}: {} is {} in SystemC, {} in the RTL",
                     difference.cycle, difference.place, difference.field, difference.systemc,
                     difference.rtl);
}

Json lockstep_json(const LockstepResults& lockstep) {
  Json json{{"rtl_nodes", Json::array()}, {"compared_cycles", lockstep.compared_cycles}};
  for (const NodeId node : lockstep.nodes) json["rtl_nodes"].push_back(index(node));
  json["difference"] = nullptr;
  const std::optional<Difference>& difference = lockstep.difference;
  if (!difference) return json;
  Json passed = Json::array();
  for (const PassedFlit& flit : difference->passed) {
    passed.push_back({{"cycle", flit.cycle}, {"flit", flit_in_words(flit.flit)}});
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
                        {"wave", lockstep.wave}};
  return json;
}

}  // namespace allport
