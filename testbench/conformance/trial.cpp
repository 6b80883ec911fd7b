// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "rtl_model/base/quote.h"
#include "testbench/files/standard_streams.h"
#include "testbench/plan/verdict.h"
#include "testbench/processes/child_process.h"
#include "testbench/processes/interrupt.h"
#include "testbench/program/commands/simulate.h"
#include "testbench/simulation/rtl_fabric.h"

namespace allport {

namespace {

// A router that was interrupted has not failed.
ChildResult in_child(const std::function<Json()>& work) {
  ChildResult result = run_in_child(work, catch_interrupts());
  give_up_if_interrupted();
  return result;
}

constexpr const char* difference_wave = "cosim-difference.fst";
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

std::vector<SheetRow> rows_from(const Json& json) {
  std::vector<SheetRow> rows;
  for (const Json& row : json) {
    const auto verdict = row["verdict"].get<std::string>();
    rows.push_back({row["check"],
                    verdict == "passed"   ? Verdict::passed
                    : verdict == "failed" ? Verdict::failed
                                          : Verdict::skipped,
                    row["detail"]});
  }
  return rows;
}

/// The stages of a trial on one topology; each simulation in a process of its own.
class Trial {
 public:
  Trial(const Options& options, const RtlSource& source, const RouterClaims& claims)
      : options_(options),
        claims_(claims),
        plan_(allport::plan(options.run)),
        nodes_(rtl_nodes(options.cosim.nodes, options.run.traffic.seed,
                         require_declared(plan_).routing.topology())),
        payload_bits_(8 * plan_.simulation.flit_bytes),
        max_via_(room_for_lists()),
        library_(build_library(fitted(source, claims, plan_.router, plan_.routing,
                                      payload_bits_ + PinLayout::message_bits, max_via_),
                               {say, catch_interrupts()})),
        data_width_(check_pins(library_, source.top, plan_.router, plan_.routing, payload_bits_,
                               max_via_)) {}

  TopologyTrial run() {
    result_.topology = plan_.routing.topology().name();
    add("pins", Verdict::passed, fmt::format("all there, {} data bits", data_width_));
    test_at_pins();
    test_fabric();
    test_lockstep();
    return result_;
  }

 private:
  void add(const char* check, Verdict verdict, const std::string& detail) {
    result_.rows.push_back({check, verdict, detail});
  }

  // A router that has multidestination worms is tried with some, whatever the traffic.
  int room_for_lists() const {
    constexpr int least = 3;
    return claims_.has(MessageKind::multidestination) ? std::max(max_via(plan_), least) : 0;
  }

  // Before anything is built.
  const RunPlan& require_declared(const RunPlan& plan) const {
    require_claimed(claims_, options_.cosim.top, plan.router, plan.routing);
    for (const auto& collectives : plan.trials) {
      for (const PlannedCollective& one : collectives) {
        bool is_declared = !one.is_worm() || claims_.has(one.worm);
        for (const Unicast& unicast : one.schedule.unicasts) {
          is_declared = is_declared && claims_.has(unicast.kind);
        }
        if (is_declared) continue;
        throw std::invalid_argument(fmt::format(
            "router {}: declares that it has not the kind of message of this traffic (parameter "
            "Kinds = {}): choose another algorithm or schedule",
            options_.cosim.top, claims_.kinds));
      }
    }
    return plan;
  }

  void test_at_pins() {
    const RouterUnderTest router{library_,      claims_,     plan_.router, plan_.routing,
                                 payload_bits_, data_width_, max_via_,     plan_.simulation.seed};
    const ChildResult child = in_child([&] { return rows_json(test_router(router)); });
    if (!child.problem.empty()) {
      add("progress", Verdict::failed, child.problem);
      return;
    }
    for (const SheetRow& row : rows_from(child.json)) result_.rows.push_back(row);
  }

  void test_fabric() {
    const ChildResult child = in_child([&]() -> Json {
      RtlNodes nodes(library_, plan_.router, plan_.routing, payload_bits_, data_width_, max_via_);
      SimulationExtras extras;
      extras.equip = [&](Fabric& fabric) { nodes.replace(fabric, nodes_, 1); };
      const Results results = simulate(options_, plan_, extras).results;
      return {{"problem", fault(results)},
              {"messages", results.messages},
              {"latency", results.traffic ? static_cast<double>(results.traffic->latency.max)
                                          : static_cast<double>(results.latency.max)},
              {"digest", results.digest}};
    });
    const std::string problem =
        child.problem.empty() ? child.json["problem"].get<std::string>() : child.problem;
    if (!problem.empty()) {
      add("fabric", Verdict::failed, problem);
      return;
    }
    add("fabric", Verdict::passed,
        fmt::format("{} messages delivered, latency max {:.0f} cycles, digest {}",
                    child.json["messages"].get<std::uint64_t>(),
                    child.json["latency"].get<double>(), child.json["digest"].get<std::string>()));
  }

  void test_lockstep() {
    const ChildResult child = in_child([&]() -> Json {
      RtlNodes nodes(library_, plan_.router, plan_.routing, payload_bits_, data_width_, max_via_);
      SimulationExtras extras;
      extras.equip = [&](Fabric& fabric) { nodes.shadow(fabric, nodes_, 1); };
      extras.dress = [&](WaveRecorder& recorder) { nodes.show_in(recorder); };
      std::string wave;
      extras.rerun = [&](const Results&) -> std::optional<WaveRerun> {
        if (nodes.difference() == nullptr) return std::nullopt;
        wave = difference_wave;
        return difference_rerun(*nodes.difference(), wave);
      };
      const Simulated simulated = simulate(options_, plan_, extras);
      std::optional<Difference> difference;
      if (nodes.difference() != nullptr) difference = *nodes.difference();
      Json json = lockstep_json(nodes_, nodes.compared_cycles(), difference, wave);
      json["words"] = "";
      json["end"] = fault(simulated.results);
      if (difference) {
        const std::string& problem = simulated.wave_problem;
        json["words"] =
            in_words(*difference) + "; " + (problem.empty() ? "waves: " + wave : problem);
      }
      return json;
    });
    if (!child.problem.empty()) {
      add("lockstep", Verdict::failed, child.problem);
      return;
    }
    result_.lockstep = child.json;
    const auto words = child.json["words"].get<std::string>();
    const auto end = child.json["end"].get<std::string>();
    result_.lockstep.erase("words");
    result_.lockstep.erase("end");
    if (!words.empty()) {
      add("lockstep", Verdict::failed, words);
    } else {
      add("lockstep", Verdict::passed,
          fmt::format("identical on this traffic: {} router-cycles without a difference{}",
                      child.json["compared_cycles"].get<std::uint64_t>(),
                      end.empty() ? "" : ", to the end: " + end));
    }
  }

  const Options& options_;
  const RouterClaims& claims_;
  RunPlan plan_;
  std::vector<NodeId> nodes_;
  int payload_bits_;
  int max_via_;
  ModelLibrary library_;
  int data_width_;
  TopologyTrial result_;
};

}  // namespace

bool TopologyTrial::keeps_contract() const {
  return std::none_of(rows.begin(), rows.end(), [](const SheetRow& row) {
    return row.check != "lockstep" && row.verdict == Verdict::failed;
  });
}

bool TopologyTrial::is_twin() const {
  return keeps_contract() && std::any_of(rows.begin(), rows.end(), [](const SheetRow& row) {
           return row.check == "lockstep" && row.verdict == Verdict::passed;
         });
}

bool RouterTrial::keeps_contract() const {
  return std::all_of(topologies.begin(), topologies.end(),
                     [](const TopologyTrial& trial) { return trial.keeps_contract(); });
}

bool RouterTrial::is_twin() const {
  return std::all_of(topologies.begin(), topologies.end(),
                     [](const TopologyTrial& trial) { return trial.is_twin(); });
}

RouterTrial try_router(const Options& options) {
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
  for (const auto& topology : chosen_topologies(options, trial.claims)) {
    say(fmt::format("{} on {}", options.cosim.top, topology->name()));
    const Options fabric = options_on(options, topology);
    trial.topologies.push_back(Trial(fabric, trial.source, trial.claims).run());
  }
  return trial;
}

}  // namespace allport
