// SPDX-License-Identifier: Apache-2.0
#include "testbench/simulation/run_session.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <variant>

#include "testbench/observe/waves/gtkw_file.h"
#include "testbench/plan/way_to_bound.h"
#include "testbench/simulation/simulation.h"
#include "testbench/simulation/twin_waves.h"

namespace allport {

namespace {

// The last few hundred cycles of the router at which the twins differ.
WaveOptions wave_of(const Difference& difference, const std::string& path) {
  constexpr Cycle cycles_before = 300;
  WaveOptions wave;
  wave.path = path;
  wave.nodes = {difference.node};
  wave.from = std::max(Cycle{0}, difference.cycle - cycles_before);
  wave.to = difference.cycle;
  return wave;
}

class RunSession {
 public:
  RunSession(const RunPlan& plan, const RtlPart* part, const SessionRequest& request)
      : plan_(plan),
        part_(part),
        request_(request),
        simulation_(plan.simulation, plan.routing,
                    part != nullptr ? replacement_with(*part) : RouterReplacement{}, request.stop) {
    if (request.progress) simulation_.on_progress(request.progress);
  }

  SessionResults run() {
    if (request_.wave_on) {
      simulation_.fabric().observe(passages_);
    } else if (request_.wave) {
      record(*request_.wave);
    }
    SessionResults session;
    session.results = simulation_.run(plan_.work);
    tell_way_to_bound(plan_, session.results, request_.stop);
    if (request_.show_trial) {
      simulation_.show_trial(
          [&](const ShownTrial& trial) { request_.show_trial(trial, session.results); });
    }
    if (part_ != nullptr && part_->in_lockstep) session.lockstep = lockstep();
    if (request_.wave_on) {
      show_finding(session);
    } else {
      session.wave_problem = finish_waves(session.results);
    }
    if (session.lockstep && session.lockstep->difference) show_difference(session);
    return session;
  }

 private:
  void record(WaveOptions wave) {
    wave.has_joins = has_joins(plan_);
    recorders_.push_back(std::make_unique<WaveRecorder>(
        simulation_.fabric(), wave, [this](MessageId id) { return simulation_.message_name(id); },
        [this](const Loss& loss) { return simulation_.is_contention(loss); }));
    if (part_ != nullptr && part_->in_lockstep) show_twins(part_->routers, *recorders_.back());
  }

  // Runs one trial once more; it ends as it did before.
  Results run_again(std::size_t trial) {
    const auto* const collectives = std::get_if<CollectiveWork>(&plan_.work);
    if (collectives == nullptr) return simulation_.run(plan_.work);
    const auto first = collectives->trials.begin();
    return simulation_.run({first, first + static_cast<std::ptrdiff_t>(trial) + 1}, trial);
  }

  // Why the waves of the run with `results` are not complete; empty if they are.
  std::string finish_waves(const Results& results, const std::optional<WaveFocus>& focus = {}) {
    try {
      if (!recorders_.empty()) finish_wave(*recorders_.back(), results, focus);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }

  LockstepResults lockstep() const {
    LockstepResults results;
    results.nodes = part_->nodes;
    results.compared_cycles = part_->routers.compared_cycles();
    if (part_->routers.difference() != nullptr) results.difference = *part_->routers.difference();
    return results;
  }

  // Runs once more to record the finding, if there is one.
  void show_finding(SessionResults& session) {
    simulation_.fabric().dismiss(passages_);
    session.found.emplace();
    if (session.results.was_interrupted) return;
    session.found = find_wave(*request_.wave_on, plan_, simulation_, session.results, passages_);
    if (!session.found->found) return;
    WaveOptions wave = session.found->found->wave;
    wave.path = request_.wave->path;
    record(wave);
    const Results again = run_again(0);
    session.found->was_interrupted = again.was_interrupted;
    session.wave_problem = finish_waves(again, session.found->found->focus);
  }

  void show_difference(SessionResults& session) {
    if (request_.wave && !request_.wave_on) {
      session.lockstep->wave = request_.wave->path;
      return;
    }
    if (request_.difference_wave.empty()) return;
    if (request_.may_run_again && !request_.may_run_again()) return;
    const Difference difference = *session.lockstep->difference;
    record(wave_of(difference, request_.difference_wave));
    const std::string problem = finish_waves(run_again(static_cast<std::size_t>(difference.trial)));
    if (!problem.empty()) session.wave_problem = problem;
    session.lockstep->wave = request_.difference_wave;
  }

  const RunPlan& plan_;
  const RtlPart* part_;
  const SessionRequest& request_;
  Simulation simulation_;
  std::vector<std::unique_ptr<WaveRecorder>> recorders_;  // the fabric knows them all
  PassageLog passages_;                                   // if waves of a finding are wanted
};

}  // namespace

RouterReplacement replacement_with(const RtlPart& part) {
  return [&routers = part.routers, nodes = part.nodes, in_lockstep = part.in_lockstep,
          seed = part.seed](Fabric& fabric) {
    if (in_lockstep) {
      routers.shadow(fabric, nodes, seed);
    } else {
      routers.replace(fabric, nodes, seed);
    }
  };
}

SessionResults run_session(const RunPlan& plan, const RtlPart* part,
                           const SessionRequest& request) {
  return RunSession(plan, part, request).run();
}

SessionResults run_session(const RunPlan& plan, const RtlRequest& rtl,
                           const SessionRequest& request, const BuildHooks& hooks) {
  const bool in_lockstep = plan.request.model == Model::cosim;
  if (plan.request.model != Model::rtl && !in_lockstep) return run_session(plan, nullptr, request);
  const std::vector<NodeId> nodes = rtl_nodes(in_lockstep ? rtl.nodes : NodeChoice{},
                                              plan.request.traffic.seed, plan.routing.topology());
  RtlFabric fabric(plan, rtl.assertions, hooks);
  const RtlPart part{fabric.nodes(), nodes, in_lockstep};
  return run_session(plan, &part, request);
}

}  // namespace allport
