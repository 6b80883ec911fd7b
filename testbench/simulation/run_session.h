// SPDX-License-Identifier: Apache-2.0
// run_session() leads from a plan to its results, with waves and with routers in RTL: it is what
// `allport run`, `allport cosim`, simulate() and the conformance kit have in common.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/observe/lockstep/lockstep_results.h"
#include "testbench/observe/lockstep/rtl_nodes.h"
#include "testbench/observe/waves/wave_recorder.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/rtl_request.h"
#include "testbench/results/progress.h"
#include "testbench/results/results.h"
#include "testbench/simulation/found_wave.h"
#include "testbench/simulation/rtl_fabric.h"

namespace allport {

/// Routers in RTL at some nodes of a fabric.
struct RtlPart {
  RtlNodes& routers;
  std::vector<NodeId> nodes;
  bool in_lockstep =
      false;  ///< whether they run beside the SystemC routers; otherwise they replace them
  std::uint32_t seed = 0;  ///< seed of registers that no reset sets; 0: they start as zeros
};

/// Puts the routers of `part` into a fabric.
RouterReplacement replacement_with(const RtlPart& part);

struct ShownTrial;

/// What a run may be asked for in addition to its plan.
struct SessionRequest {
  std::optional<WaveOptions> wave;  ///< waves of the run; none: no waves
  /// The finding that the waves are to show, for which the run is repeated; their cycles and nodes
  /// are those of the finding then. None: the waves are those of the run.
  std::optional<WaveOn> wave_on;
  /// File of the waves that lead to a difference, for which the run is repeated; empty: no file.
  std::string difference_wave;
  std::function<bool()>
      may_run_again;  ///< asked before the run is repeated; empty: it may be repeated
  /// Called with the trial that the run ended with and the results; empty: it is not. The request
  /// of the plan must ask for an explanation, or at least the movement.
  std::function<void(const ShownTrial&, const Results&)> show_trial;
  Progress progress;                        ///< called with the progress of the run; may be empty
  const std::atomic<bool>* stop = nullptr;  ///< set when the run must end; null: never
};

struct SessionResults {
  Results results;
  std::optional<LockstepResults> lockstep;  ///< none: no router ran in lockstep
  std::string wave_problem;                 ///< why the waves are not complete; empty: they are
  std::optional<FoundWaveResults> found;    ///< none: waves of a finding were not asked for
};

/// Runs `plan` with the routers of `part` in RTL; null: with none. Throws std::invalid_argument,
/// one sentence, when a wave file cannot be written.
SessionResults run_session(const RunPlan& plan, const RtlPart* part, const SessionRequest& request);

/// The same with the project's own RTL: at every node for the model rtl, at `rtl.nodes` in lockstep
/// for the model cosim, otherwise nowhere. It also throws as rtl_nodes() and ModelLibrary() do.
SessionResults run_session(const RunPlan& plan, const RtlRequest& rtl,
                           const SessionRequest& request, const BuildHooks& hooks);

}  // namespace allport
