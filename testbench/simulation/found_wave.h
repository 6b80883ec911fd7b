// SPDX-License-Identifier: Apache-2.0
// A FoundWave says which cycles of which routers show a finding. A run without waves finds it; a
// second one, the same cycle by cycle, records them.
#pragma once

#include <optional>

#include "testbench/observe/monitors/passage_log.h"
#include "testbench/observe/waves/wave_findings.h"
#include "testbench/observe/waves/wave_recorder.h"
#include "testbench/plan/plan_run.h"
#include "testbench/results/message_name.h"
#include "testbench/results/results.h"
#include "testbench/simulation/simulation.h"
#include "testbench/simulation/wave_on.h"

namespace allport {

/// A finding of a run.
struct FoundWave {
  WaveOptions wave;  ///< its cycles and margins, and the routers concerned; without a path
  std::optional<WaveFocus> focus;  ///< none: the deadlock, which every wave shows
};

/// What became of the waves of a finding.
struct FoundWaveResults {
  std::optional<FoundWave> found;      ///< none: there is no such finding
  std::optional<MessageName> nearest;  ///< received message whose name is nearest to that asked for
  bool was_interrupted = false;        ///< whether the run that recorded them was
};

/// Looks for the finding `wanted` in a run of `simulation`, one trial or a pattern, by `plan` that
/// gave `results`. `passages`: those of all its messages.
FoundWaveResults find_wave(const WaveOn& wanted, const RunPlan& plan, const Simulation& simulation,
                           const Results& results, const PassageLog& passages);

}  // namespace allport
