// SPDX-License-Identifier: Apache-2.0
#include "testbench/conformance/topology_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "testbench/conformance/circular_logic.h"
#include "testbench/conformance/model_process.h"
#include "testbench/plan/verdict.h"
#include "testbench/simulation/run_session.h"
#include "tlm/message/wide_payloads.h"

namespace allport {

namespace {

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

/// The stages on the way to a verdict. The model runs unless the row `model` says otherwise.
class Stages {
 public:
  Stages(const RunRequest& run, const RtlRequest& rtl, const RtlSource& source,
         const RouterDeclaration& declared, const SimulationHooks& hooks)
      : rtl_(rtl),
        source_(source),
        declared_(declared),
        hooks_(hooks),
        plan_(allport::plan(run)),
        nodes_(rtl_nodes(rtl.nodes, run.traffic.seed, plan_.routing.topology())),
        payload_bits_(8 * carried_bytes(plan_.simulation.flit_bytes)),
        max_via_(room_for_lists()),
        process_(rtl.timeout, hooks.build.stop) {}

  TopologyVerdict run(bool is_one_of_many) {
    try {
      build();
      fit_pins(is_one_of_many);
      if (!is_over()) test_at_pins();
      if (!is_over()) test_fabric();
      if (!is_over()) test_lockstep();
      if (!is_over()) {
        model_ = {"model", Verdict::passed, "no crash, no hang, no end of the simulation"};
      }
    } catch (const RtlRefused& refusal) {
      if (!is_one_of_many) throw;
      end(Verdict::failed, refusal.what());
    } catch (const std::invalid_argument& problem) {  // of a tool, a folder
      if (!is_one_of_many) throw;
      end(Verdict::unknown, problem.what());
    }
    result_.rows.insert(result_.rows.begin(), model_);
    return result_;
  }
  /// The places of circular logic in the models of run().
  std::vector<std::string> circles() const {
    return libraries_ ? libraries_->circles() : std::vector<std::string>{};
  }

 private:
  void add(const char* check, Verdict verdict, const std::string& detail) {
    result_.rows.push_back({check, verdict, detail});
  }
  bool is_over() const { return !model_.check.empty(); }
  /// Notes that the model has ended.
  void end(Verdict verdict, const std::string& detail) {
    model_ = {"model", verdict, detail};
    skip_rest("model");
  }
  /// Marks the checks without a row as not reached, for the reason in the row `cause`.
  void skip_rest(const std::string& cause) {
    const std::string reason = "not reached, see the row " + cause;
    std::vector<SheetRow> rest = unreached_rows(reason);
    rest.push_back({"fabric", Verdict::skipped, reason});
    rest.push_back({"lockstep", Verdict::skipped, reason});
    result_.rows.insert(result_.rows.end(),
                        rest.begin() + static_cast<std::ptrdiff_t>(result_.rows.size()),
                        rest.end());
  }

  // A router that supports multidestination or label worms is tried with some, whatever the traffic
  // is.
  int room_for_lists() const {
    constexpr int least = 3;
    const bool has_lists =
        declared_.has(MessageKind::multidestination) || declared_.has(MessageKind::label);
    return has_lists ? std::max(max_via(plan_), least) : 0;
  }

  void build() {
    const Topology& topology = plan_.routing.topology();
    std::vector<NodeId> used = tried_nodes(topology);
    used.insert(used.end(), nodes_.begin(), nodes_.end());
    libraries_.emplace(fitted(source_, declared_, plan_.router, plan_.routing,
                              payload_bits_ + PinLayout::message_bits, max_via_),
                       parameters_by_node(declared_, topology, used), hooks_.build);
    for (ModelLibrary& library : libraries_->all()) {
      library.rest_after_reset(declared_.reset_cycles);
    }
  }

  void fit_pins(bool is_one_of_many) {
    try {
      data_width_ = check_pins(*libraries_, source_.top, plan_.router, plan_.routing, payload_bits_,
                               max_via_);
    } catch (const RtlRefused& refusal) {
      if (!is_one_of_many) throw;
      model_ = {"model", Verdict::passed, "Verilator and the compiler accept it"};
      add("pins", Verdict::failed, refusal.what());
      skip_rest("pins");
    }
  }

  /// The result of `work` in a process of its own; null when the model or the process has ended, as
  /// the row `model` then says.
  Json in_child(const char* stage, const std::function<Json(ModelWatch&)>& work) {
    ModelOutcome outcome = process_.run(*libraries_, work);
    if (!outcome.failure.empty()) {
      end(Verdict::unknown,
          fmt::format("in `{}` {}: this is not a verdict on the router", stage, outcome.failure));
    } else if (!outcome.stop.empty()) {
      end(Verdict::failed, fmt::format("in `{}` it ended the simulation: {}", stage, outcome.stop));
    }
    return std::move(outcome.json);
  }

  void test_at_pins() {
    const Json rows = in_child("pins", [&](ModelWatch&) {
      const RouterUnderTest router{*libraries_,   declared_,   plan_.router, plan_.routing,
                                   payload_bits_, data_width_, max_via_,     plan_.simulation.seed};
      return rows_json(test_router(router));
    });
    if (!is_over()) result_.rows = rows_from(rows);
  }

  SessionRequest session_request() const {
    SessionRequest request;
    request.progress = hooks_.progress;
    request.stop = hooks_.build.stop;
    return request;
  }

  RtlNodes rtl_nodes_of(ModelWatch& watch) {
    watch.expect_traffic(plan_.router, nodes_.size() == plan_.routing.topology().node_count());
    return {*libraries_, plan_.router, plan_.routing, payload_bits_, data_width_, max_via_, 1};
  }

  void test_fabric() {
    const Json json = in_child("fabric", [&](ModelWatch& watch) -> Json {
      RtlNodes nodes = rtl_nodes_of(watch);
      const RtlPart part{nodes, nodes_, false, 1};
      const Results results = run_session(plan_, &part, session_request()).results;
      return {{"problem", fault(results)},
              {"messages", results.messages},
              {"latency", static_cast<double>(results.traffic ? results.traffic->latency.max
                                              : results.tasks ? results.tasks->makespan
                                                              : results.latency.max)},
              {"digest", results.digest}};
    });
    if (is_over()) return;
    const auto problem = json["problem"].get<std::string>();
    if (!problem.empty()) {
      add("fabric", Verdict::failed, problem);
      return;
    }
    add("fabric", Verdict::passed,
        fmt::format("{} messages delivered, latency max {:.0f} cycles, digest {}",
                    json["messages"].get<std::uint64_t>(), json["latency"].get<double>(),
                    json["digest"].get<std::string>()));
  }

  Json run_in_lockstep(ModelWatch& watch) {
    RtlNodes nodes = rtl_nodes_of(watch);
    const RtlPart part{nodes, nodes_, true, 1};
    SessionRequest request = session_request();
    request.difference_wave = rtl_.difference_file();
    request.may_run_again = [&] { return watch.stopped().empty(); };
    const SessionResults session = run_session(plan_, &part, request);
    Json json = lockstep_json(*session.lockstep);
    json["words"] = "";
    json["end"] = fault(session.results);
    if (const std::optional<Difference>& difference = session.lockstep->difference) {
      const std::string& problem = session.wave_problem;
      json["words"] = in_words(*difference);
      const std::string wave = problem.empty() ? session.lockstep->wave : problem;
      if (!wave.empty())
        json["words"] = in_words(*difference) + "; " + (problem.empty() ? "waves: " : "") + wave;
    }
    return json;
  }

  void test_lockstep() {
    if (!declared_.has_our_time() && !rtl_.lockstep) {
      add("lockstep", Verdict::skipped,
          fmt::format("a router of {} a hop is not a twin of ours; --lockstep compares them",
                      cycles_in_words(declared_)));
      return;
    }
    const KeptWave kept(rtl_.difference_file());
    const Json json =
        in_child("lockstep", [&](ModelWatch& watch) { return run_in_lockstep(watch); });
    if (is_over()) {
      kept.restore();
      return;
    }
    result_.lockstep = json;
    const auto words = json["words"].get<std::string>();
    const auto last = json["end"].get<std::string>();
    result_.lockstep.erase("words");
    result_.lockstep.erase("end");
    if (!words.empty()) {
      add("lockstep", Verdict::failed, words);
    } else {
      add("lockstep", Verdict::passed,
          fmt::format("identical on this traffic: {} router-cycles without a difference{}",
                      json["compared_cycles"].get<std::uint64_t>(),
                      last.empty() ? "" : ", to the end: " + last));
    }
  }

  const RtlRequest& rtl_;
  const RtlSource& source_;
  const RouterDeclaration& declared_;
  const SimulationHooks& hooks_;
  RunPlan plan_;
  std::vector<NodeId> nodes_;
  int payload_bits_;
  int max_via_;
  std::optional<NodeLibraries> libraries_;
  int data_width_ = 0;
  ModelProcess process_;
  SheetRow model_;
  TopologyVerdict result_;
};

}  // namespace

Json rows_json(const std::vector<SheetRow>& rows) {
  Json json = Json::array();
  for (const SheetRow& row : rows) {
    json.push_back(
        {{"check", row.check}, {"verdict", to_string(row.verdict)}, {"detail", row.detail}});
  }
  return json;
}

bool TopologyVerdict::has(const std::string& check, Verdict verdict) const {
  return std::any_of(rows.begin(), rows.end(), [&](const SheetRow& row) {
    return row.check == check && row.verdict == verdict;
  });
}

bool TopologyVerdict::is_broken() const {
  return std::any_of(rows.begin(), rows.end(), [](const SheetRow& row) {
    return row.check != "lockstep" && row.verdict == Verdict::failed;
  });
}

bool TopologyVerdict::is_unknown() const { return !is_broken() && has("model", Verdict::unknown); }

bool TopologyVerdict::is_skipped() const { return has("model", Verdict::skipped); }

TopologyVerdict try_on_topology(const RunRequest& run, const RtlRequest& rtl,
                                const RtlSource& source, const RouterDeclaration& declared,
                                const SimulationHooks& hooks) {
  TopologyVerdict result;
  try {
    Stages stages(run, rtl, source, declared, hooks);
    result = stages.run(rtl.all_topologies);
    if (const auto circles = stages.circles(); !circles.empty()) {
      RtlSource plain = source;
      plain.is_plain = true;
      const TopologyVerdict beside =
          Stages(run, rtl, plain, declared, hooks).run(rtl.all_topologies);
      result.rows = judged_beside(result.rows, beside.rows, circles);
    }
  } catch (const std::invalid_argument& problem) {
    if (!rtl.all_topologies) throw;
    result.rows = {{"model", Verdict::skipped, problem.what()}};
  }
  result.topology = run.fabric.topology->name();
  result.kind = run.fabric.topology->kind();
  return result;
}

}  // namespace allport
