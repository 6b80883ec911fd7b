// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/router_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "testbench/conformance/custom_fabric.h"

namespace allport {

namespace {

// The load of the default traffic. Adaptive routing shows only where channels are busy, so its load
// is high enough to expose a router that takes no detours.
struct Load {
  double rate;
  Cycle cycles;
};
constexpr Load default_load{0.1, 2000};
constexpr Load adaptive_load{2, 500};

// Small fabrics that together have every kind of dimension, class and edge.
constexpr std::array all_topologies{"hypercube:3", "hypercube:1", "hypercube:2", "hypercube:4",
                                    "torus:4x4",   "torus:3x5",   "torus:3x3x2", "ring:5",
                                    "mesh:3x4",    "mesh:2x3x2"};
// For routers that take square fabrics of few dimensions only.
constexpr const char* square_mesh = "mesh:4x4";

// The run on `topology`; the default traffic is uniform.
RunRequest request_on(const RunRequest& given, const RtlRequest& rtl,
                      const std::shared_ptr<const RouterDeclaration>& declared,
                      std::shared_ptr<const Topology> topology) {
  RunRequest run = given;
  run.fabric.topology = std::move(topology);
  run = run_of_custom(run, rtl, declared);
  const bool has_traffic = run.traffic.algorithm != nullptr || !run.traffic.schedule.empty() ||
                           !run.traffic.tasks.empty() || run.traffic.has_pattern();
  if (has_traffic) return run;
  run.traffic.pattern = "uniform";
  const Load load = run.fabric.routing == RoutingOrder::adaptive ? adaptive_load : default_load;
  run.traffic.rate = load.rate;
  run.traffic.cycles = load.cycles;
  return run;
}

bool supports(const RouterDeclaration& declared, const Topology& topology) {
  try {
    require_topology(declared, topology);
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

std::vector<std::shared_ptr<const Topology>> chosen_topologies(const RunRequest& run,
                                                               const RtlRequest& rtl,
                                                               const RouterDeclaration& declared) {
  std::vector<std::shared_ptr<const Topology>> chosen;
  if (run.fabric.topology) {
    require_topology(declared, *run.fabric.topology);
    chosen.push_back(run.fabric.topology);
  }
  for (const char* name : all_topologies) {
    if (!rtl.all_topologies && !chosen.empty()) break;
    const auto topology = parse_topology(name);
    const bool is_new = std::none_of(chosen.begin(), chosen.end(), [&](const auto& other) {
      return other->name() == topology->name();
    });
    if (is_new && supports(declared, *topology)) chosen.push_back(topology);
  }
  if (chosen.empty() && supports(declared, *parse_topology(square_mesh))) {
    chosen.push_back(parse_topology(square_mesh));
  }
  if (chosen.empty()) {
    throw std::invalid_argument(fmt::format(
        "the router {} declares none of the small fabrics on which it would be tried: name one with --topology",
        declared.top));
  }
  return chosen;
}

}  // namespace

bool RouterVerdict::is_broken() const {
  return std::any_of(topologies.begin(), topologies.end(),
                     [](const TopologyVerdict& one) { return one.is_broken(); });
}

bool RouterVerdict::is_unknown() const {
  return !is_broken() && std::any_of(topologies.begin(), topologies.end(),
                                     [](const TopologyVerdict& one) { return one.is_unknown(); });
}

bool RouterVerdict::was_compared() const {
  return std::any_of(topologies.begin(), topologies.end(), [](const TopologyVerdict& one) {
    return one.has("lockstep", Verdict::passed) || one.has("lockstep", Verdict::failed);
  });
}

bool RouterVerdict::is_twin() const {
  return std::all_of(topologies.begin(), topologies.end(),
                     [](const TopologyVerdict& one) { return one.is_twin() || one.is_skipped(); });
}

RouterVerdict try_router(const RunRequest& run, const RtlRequest& rtl, const VerdictHooks& hooks) {
  RouterVerdict verdict;
  verdict.source = own_source(rtl);
  verdict.source.randomizes_state = true;
  verdict.declared = read_declaration(verdict.source, rtl.declaration, hooks.build.stop);
  if (!rtl.difference_wave.empty() && !rtl.lockstep && !verdict.declared.has_our_time()) {
    throw std::invalid_argument(fmt::format(
        "--difference-wave needs --lockstep: the router {} takes {} a hop, and without it is not compared with ours",
        verdict.source.top, cycles_in_words(verdict.declared)));
  }
  const auto declared = std::make_shared<RouterDeclaration>(verdict.declared);
  const RunRequest own = run_of_custom(run, rtl, declared);
  verdict.switching = own.router.switching;
  verdict.is_adaptive = run.fabric.routing == RoutingOrder::adaptive;
  for (const auto& topology : chosen_topologies(run, rtl, verdict.declared)) {
    hooks.build.say(fmt::format("{} on {}", verdict.source.top, topology->name()));
    verdict.topologies.push_back(try_on_topology(request_on(run, rtl, declared, topology), rtl,
                                                 verdict.source, verdict.declared, hooks));
    hooks.on_topology(verdict);
  }
  if (std::all_of(verdict.topologies.begin(), verdict.topologies.end(),
                  [](const TopologyVerdict& one) { return one.is_skipped(); })) {
    throw std::invalid_argument("the router " + verdict.source.top +
                                " cannot be tried on any topology with these options: " +
                                verdict.topologies.front().rows.front().detail);
  }
  return verdict;
}

}  // namespace allport
