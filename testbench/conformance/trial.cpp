// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/standard_streams.h"

namespace allport {

namespace {

// Traffic that is not asked for. Adaptive routing shows where channels are busy only: there it is
// as much as shows a router that takes no detours.
struct Load {
  double rate;
  Cycle cycles;
};
constexpr Load default_load{0.1, 2000};
constexpr Load adaptive_load{2, 500};

// Small fabrics that between them have every kind of dimension, class and edge.
constexpr std::array all_topologies{"hypercube:3", "hypercube:1", "hypercube:2", "hypercube:4",
                                    "torus:4x4",   "torus:3x5",   "torus:3x3x2", "ring:5",
                                    "mesh:3x4",    "mesh:2x3x2"};

// The options for a fabric on `topology`; traffic that is not asked for is uniform.
Options options_on(const Options& given, std::shared_ptr<const Topology> topology) {
  Options options = given;
  options.run.fabric.topology = std::move(topology);
  const bool has_traffic = options.run.traffic.algorithm != nullptr ||
                           !options.run.traffic.schedule.empty() ||
                           !options.run.traffic.pattern.empty();
  if (has_traffic) return options;
  options.run.traffic.pattern = "uniform";
  const Load load =
      options.run.fabric.routing == RoutingOrder::adaptive ? adaptive_load : default_load;
  options.run.traffic.rate = load.rate;
  options.run.traffic.cycles = load.cycles;
  return options;
}

std::vector<std::shared_ptr<const Topology>> chosen_topologies(const Options& options,
                                                               const RouterClaims& claims) {
  std::vector<std::shared_ptr<const Topology>> chosen;
  if (options.run.fabric.topology) {
    if (!claims.has(options.run.fabric.topology->kind())) {
      throw std::invalid_argument(fmt::format(
          "--topology {}: the router {} declares that it is not for it (parameter Topologies = {})",
          options.run.fabric.topology->name(), options.cosim.top, claims.topologies));
    }
    chosen.push_back(options.run.fabric.topology);
  }
  for (const char* name : all_topologies) {
    if (!options.cosim.all_topologies && !chosen.empty()) break;
    const auto topology = parse_topology(name);
    const bool is_new = std::none_of(chosen.begin(), chosen.end(), [&](const auto& other) {
      return other->name() == topology->name();
    });
    if (is_new && claims.has(topology->kind())) chosen.push_back(topology);
  }
  return chosen;
}

}  // namespace

bool RouterTrial::is_broken() const {
  return std::any_of(topologies.begin(), topologies.end(),
                     [](const TopologyTrial& trial) { return trial.is_broken(); });
}

bool RouterTrial::is_unknown() const {
  return !is_broken() && std::any_of(topologies.begin(), topologies.end(),
                                     [](const TopologyTrial& trial) { return trial.is_unknown(); });
}

bool RouterTrial::is_twin() const {
  return std::all_of(topologies.begin(), topologies.end(), [](const TopologyTrial& trial) {
    return trial.is_twin() || trial.is_skipped();
  });
}

RouterTrial try_router(const Options& options, const TrialLog& log) {
  RouterTrial trial;
  trial.source.files = {options.cosim.files.begin(), options.cosim.files.end()};
  trial.source.top = options.cosim.top;
  trial.source.parameters = options.cosim.parameters;
  trial.source.randomizes_state = true;
  trial.source.has_assertions = options.cosim.assertions;
  for (const auto& file : trial.source.files) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) {
      throw std::invalid_argument(
          fmt::format("--rtl {}: there is no such file", shown_path(file.string())));
    }
  }
  trial.claims = read_claims(trial.source);
  trial.switching = options.run.router.switching;
  trial.is_adaptive = options.run.fabric.routing == RoutingOrder::adaptive;
  for (const auto& topology : chosen_topologies(options, trial.claims)) {
    say(fmt::format("{} on {}", options.cosim.top, topology->name()));
    const Options fabric = options_on(options, topology);
    trial.topologies.push_back(
        try_on_topology(fabric, trial.source, trial.claims, options.cosim.all_topologies));
    log(trial);
  }
  if (std::all_of(trial.topologies.begin(), trial.topologies.end(),
                  [](const TopologyTrial& one) { return one.is_skipped(); })) {
    throw std::invalid_argument("the router " + options.cosim.top +
                                " can be tried on no topology with these options: " +
                                trial.topologies.front().rows.front().detail);
  }
  return trial;
}

}  // namespace allport
