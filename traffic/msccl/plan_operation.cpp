// SPDX-License-Identifier: Apache-2.0
#include "traffic/msccl/plan_operation.h"

#include <algorithm>
#include <array>

namespace allport {

namespace {

constexpr PlanRule control(std::string_view name, PlanControl what) { return {name, what}; }

constexpr PlanRule mover(std::string_view name) {
  return {name, PlanControl::none, true, false, -1, -1, false, false, false};
}

constexpr PlanRule adder(std::string_view name, int packets_from, int packets_to, bool sends) {
  return {name, PlanControl::none, true, true, packets_from, packets_to, sends, false, false};
}

// In the order of the documentation of MSCCL++.
constexpr std::array<PlanRule, 26> rules{{
    control("nop", PlanControl::none),
    control("barrier", PlanControl::barrier),
    control("signal", PlanControl::signal),
    control("rlxsignal", PlanControl::signal),
    control("wait", PlanControl::wait),
    control("rlxwait", PlanControl::wait),
    control("flush", PlanControl::flush),
    control("sem_acquire", PlanControl::acquire),
    control("sem_release", PlanControl::release),
    mover("copy"),
    mover("put"),
    {"pws", PlanControl::none, true, false, -1, -1, false, true, false},
    {"pwsf", PlanControl::none, true, false, -1, -1, false, true, true},
    mover("get"),
    {"cpkt", PlanControl::none, true, false, -1, 0, false, false, false},
    {"upkt", PlanControl::none, true, false, 0, -1, false, false, false},
    {"ppkt", PlanControl::none, true, false, -1, -1, true, false, false},
    {"rppkt", PlanControl::none, true, false, 0, -1, true, false, false},
    adder("re", -1, -1, false),
    adder("res", -1, -1, false),
    adder("rre", -1, -1, false),
    adder("rres", -1, -1, false),
    adder("repkt", 1, -1, false),
    adder("recpkt", 1, 1, false),
    adder("respkt", 1, -1, true),
    adder("recspkt", 1, 1, true),
}};
constexpr std::array<std::string_view, 4> of_switches{{"gstore", "gstorepkt", "glre", "glres"}};

}  // namespace

const PlanRule* plan_rule(std::string_view name) {
  const auto* const found = std::find_if(rules.begin(), rules.end(),
                                         [&](const PlanRule& one) { return one.name == name; });
  return found == rules.end() ? nullptr : &*found;
}

bool needs_switch(std::string_view name) {
  return std::find(of_switches.begin(), of_switches.end(), name) != of_switches.end();
}

std::vector<std::string_view> plan_operation_names() {
  std::vector<std::string_view> names;
  names.reserve(rules.size() + 1);
  for (const PlanRule& one : rules) names.push_back(one.name);
  names.emplace_back("pipeline");
  return names;
}

}  // namespace allport
