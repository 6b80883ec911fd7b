// SPDX-License-Identifier: Apache-2.0
#include "testbench/plan/router_declaration.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "rtl_model/base/powers.h"
#include "rtl_model/base/words.h"
#include "testbench/plan/plan_run.h"

namespace allport {

namespace {

[[noreturn]] void refuse(const RouterDeclaration& declared, const std::string& asked,
                         const char* parameter, const std::string& value) {
  throw std::invalid_argument(
      fmt::format("{}: the router {} declares that it does not support it (parameter {} = {})",
                  asked, declared.top, parameter, value));
}

}  // namespace

bool RouterDeclaration::has(TopologyKind kind) const {
  const unsigned bit = kind == TopologyKind::hypercube ? 0 : kind == TopologyKind::mesh ? 2 : 1;
  return (topologies >> bit & 1U) != 0;
}

Switching RouterDeclaration::first_mode() const {
  return *std::find_if(switching_modes.begin(), switching_modes.end(),
                       [this](Switching mode) { return has(mode); });
}

int RouterDeclaration::default_ports(int external) const {
  return std::min(external, max_ports.value_or(1));
}

std::string cycles_in_words(const RouterDeclaration& declared) {
  if (declared.most_hop_cycles == declared.hop_cycles) {
    return counted(static_cast<std::uint64_t>(declared.hop_cycles), "cycle");
  }
  return fmt::format("{}..{} cycles", declared.hop_cycles, declared.most_hop_cycles);
}

void require_topology(const RouterDeclaration& declared, const Topology& topology) {
  const std::string asked = "--topology " + topology.name();
  if (!declared.has(topology.kind())) {
    refuse(declared, asked, "Topologies", std::to_string(declared.topologies));
  }
  if (declared.dimensions &&
      topology.dimension_count() > static_cast<std::size_t>(*declared.dimensions)) {
    refuse(declared, asked, "MaxDimensions", std::to_string(*declared.dimensions));
  }
  const std::vector<int>& sides = topology.sides();
  const auto [least, most] = std::minmax_element(sides.begin(), sides.end());
  if (declared.max_side && *most > *declared.max_side) {
    refuse(declared, asked, "MaxSide", std::to_string(*declared.max_side));
  }
  if (declared.is_square && *least != *most) refuse(declared, asked, "Square", "1");
}

void require_declared_fabric(const RouterDeclaration& declared, const RunPlan& plan) {
  require_topology(declared, plan.routing.topology());
  if (declared.max_ports && plan.router.internal_ports > *declared.max_ports) {
    refuse(declared, fmt::format("--ports {}", plan.router.internal_ports), "MaxInternalPorts",
           std::to_string(*declared.max_ports));
  }
  const int depth = plan.router.buffer_depth;
  if (declared.fixed_depth && depth != *declared.fixed_depth) {
    refuse(declared, fmt::format("--buffer-depth {}", depth), "FixedDepth",
           std::to_string(*declared.fixed_depth));
  }
  if (declared.has_power_of_two_depth && !is_power_of_two(depth)) {
    refuse(declared, fmt::format("--buffer-depth {}", depth), "PowerOfTwoDepth", "1");
  }
  if (!declared.has(plan.router.switching)) {
    refuse(declared, fmt::format("--switching {}", to_string(plan.router.switching)), "Modes",
           std::to_string(declared.modes));
  }
  if (plan.router.has_narrow_channels()) {
    throw std::invalid_argument(
        "--link-width, --link-attributes: a router of your own sends a flit in every cycle; the model systemc and the project's own router in RTL have narrower channels");
  }
  if (plan.routing.is_adaptive() && !declared.has_adaptive()) {
    refuse(declared, "--routing adaptive", "Routings", std::to_string(declared.routings));
  }
  for (std::size_t i = 0; i < pipeline_delays.size(); ++i) {
    const PipelineDelay& delay = pipeline_delays[i];
    const int cycles = plan.router.*delay.cycles;
    if (cycles == declared.delays[i]) continue;
    refuse(declared, fmt::format("{} {}", delay.option, cycles), delay.parameter,
           std::to_string(declared.delays[i]));
  }
  const TieBreak& ties = plan.routing.tie_break();
  if (!declared.has_ties && ties.rule != TieBreak::Rule::positive) {
    refuse(declared, "--ties " + ties.in_words(), "Ties", "0");
  }
}

namespace {

void require_declared_kind(const RouterDeclaration& declared, MessageKind kind) {
  if (declared.has(kind)) return;
  throw std::invalid_argument(fmt::format(
      "router {}: it declares that it does not support messages of the kind {}, which this traffic has (parameter Kinds = {}): choose another algorithm or schedule",
      declared.top, to_string(kind), declared.kinds));
}

}  // namespace

void require_declared_kinds(const RouterDeclaration& declared,
                            const std::vector<PlannedCollective>& collectives,
                            const Routing& routing) {
  for (const PlannedCollective& one : collectives) {
    if (one.is_one_message()) require_declared_kind(declared, one.kind);
    for (const Unicast& unicast : one.schedule.unicasts) {
      require_declared_kind(declared, unicast.kind);
      if (declared.has_ties || unicast.displacement.empty()) continue;
      if (routing.ties_of(unicast.u, unicast.v, unicast.displacement).value_or(0) == 0) continue;
      throw std::invalid_argument(fmt::format(
          "router {}: in this traffic the message {} > {} goes in the - direction of an exact tie, and the router declares that it does not heed ties (parameter Ties = 0): choose --ties positive, or an algorithm that leaves ties to it",
          declared.top, index(unicast.u), index(unicast.v)));
    }
  }
}

}  // namespace allport
