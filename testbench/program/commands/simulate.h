// SPDX-License-Identifier: Apache-2.0
// Runs what was planned, with its waves, a progress bar and Ctrl-C.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "testbench/lockstep/difference.h"
#include "testbench/plan/plan_run.h"
#include "testbench/program/options/options.h"
#include "testbench/results/results.h"
#include "testbench/simulation/simulation.h"
#include "testbench/waves/wave_recorder.h"

namespace allport {

struct Simulated {
  Results results;
  std::string wave_problem;  ///< empty, or why the waves are not whole
};

/// A second run of one trial, for its waves.
struct WaveRerun {
  WaveOptions wave;
  std::size_t trial = 0;
};

/// The last few hundred cycles of the router at which the twins differ, into the file `path`.
WaveRerun difference_rerun(const Difference& difference, const std::string& path);

/// What is added to a plain run.
struct SimulationExtras {
  Equip equip;                               ///< puts other models in the places of routers
  std::function<void(WaveRecorder&)> dress;  ///< adds to what a recorder records
  std::function<std::optional<WaveRerun>(const Results&)>
      rerun;  ///< asked when a run without waves has ended
};

/// Simulates `plan`. Throws std::invalid_argument, one sentence, when a wave file cannot be
/// written.
Simulated simulate(const Options& options, const RunPlan& plan,
                   const SimulationExtras& extras = {});

}  // namespace allport
