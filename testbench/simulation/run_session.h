// SPDX-License-Identifier: Apache-2.0
// A run from its plan to its results, with its waves and with routers in RTL: what `allport run`,
// `allport cosim`, simulate() and the conformance kit have in common.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/lockstep/lockstep_results.h"
#include "testbench/lockstep/rtl_nodes.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/rtl_request.h"
#include "testbench/results/progress.h"
#include "testbench/results/results.h"
#include "testbench/simulation/rtl_fabric.h"
#include "testbench/waves/wave_recorder.h"

namespace allport {

/// Routers in RTL at some nodes of a fabric.
struct RtlPart {
  RtlNodes& routers;
  std::vector<NodeId> nodes;
  bool in_lockstep = false;  ///< whether they run beside the SystemC routers, or in their places
  std::uint32_t seed = 0;    ///< of registers that no reset sets; 0: they begin as zeros
};

/// What is wanted of a run beside its plan.
struct SessionRequest {
  std::optional<WaveOptions> wave;  ///< waves of the run; none: no waves
  /// File of the waves that lead to a difference, for which the run is repeated; empty: none.
  std::string difference_wave;
  std::function<bool()> may_run_again;      ///< asked before it is repeated; empty: it may be
  Progress progress;                        ///< is told how far the run is; may be empty
  const std::atomic<bool>* stop = nullptr;  ///< set when the run is to end; null: never
};

struct SessionResults {
  Results results;
  std::optional<LockstepResults> lockstep;  ///< none: no router ran in lockstep
  std::string wave_problem;                 ///< why the waves are not whole; empty: they are
};

/// Runs `plan` with the routers of `part` in RTL; null: with none. Throws std::invalid_argument,
/// one sentence, when a wave file cannot be written.
SessionResults run_session(const RunPlan& plan, const RtlPart* part, const SessionRequest& request);

/// The same with the project's own RTL: at every node for the model rtl, at `rtl.nodes` in lockstep
/// for the model cosim, else nowhere. Throws as rtl_nodes() and build_library() do, too.
SessionResults run_session(const RunPlan& plan, const RtlRequest& rtl,
                           const SessionRequest& request, const BuildHooks& hooks);

}  // namespace allport
