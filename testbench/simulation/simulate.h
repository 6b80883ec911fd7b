// SPDX-License-Identifier: Apache-2.0
// simulate() leads from a plan to its results: it simulates what `allport run` does, for C++
// programs (docs/library.md).
#pragma once

#include <atomic>

#include "testbench/plan/plan_run.h"
#include "testbench/results/progress.h"
#include "testbench/results/results.h"

namespace allport {

/// Simulates `plan` in a child process, because SystemC's kernel elaborates once in a process; it
/// may be called any number of times. Throws std::runtime_error, one sentence, when the child ended
/// without results. Its memory is freed with the child.
Results simulate(const RunPlan& plan);

/// The same in this process, once. The run ends at the next opportunity once `stop` is set;
/// `progress` is called now and then. Throws std::runtime_error, one sentence, when the model is
/// cosim and the twins differ, and when this process has simulated already, which is so for
/// simulate() as well.
Results simulate_here(const RunPlan& plan, const Progress& progress = {},
                      const std::atomic<bool>* stop = nullptr);

}  // namespace allport
