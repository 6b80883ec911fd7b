// SPDX-License-Identifier: Apache-2.0
// Carries out points on this machine, each as a run of this program in a process of its own.
#pragma once

#include "testbench/sweep/executor.h"

namespace allport {

/// Runs up to `jobs` points at once and stores each result as it comes. A run that fails or is
/// killed is a result as well. Throws SweepStopped, or std::runtime_error when a result cannot be
/// stored; runs that have not ended by then are killed.
void run_here(const Work& work, unsigned jobs);

}  // namespace allport
