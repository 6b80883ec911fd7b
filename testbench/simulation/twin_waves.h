// SPDX-License-Identifier: Apache-2.0
// These functions show routers in lockstep beside their twins in the waves.
#pragma once

#include "testbench/observe/lockstep/rtl_nodes.h"
#include "testbench/observe/waves/wave_recorder.h"

namespace allport {

/// The RTL beside a SystemC router, for a wave. `pair` must live as long as the fabric runs.
RouterTwin twin_of(LockstepRouter& pair);

/// Shows the RTL of each pair of `routers` in the waves. Must be called before the first cycle.
void show_twins(const RtlNodes& routers, WaveRecorder& recorder);

}  // namespace allport
