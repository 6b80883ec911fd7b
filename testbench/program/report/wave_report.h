// SPDX-License-Identifier: Apache-2.0
// These functions put the waves of a finding into words.
#pragma once

#include <string>

#include "testbench/program/terminal/style.h"
#include "testbench/simulation/run_session.h"

namespace allport {

/// What the file `path` shows of the finding.
std::string wave_report(const FoundWave& found, const std::string& path, const Topology& topology,
                        const Style& style);

/// Why there are no waves of the finding `wanted`, which the run of `session` does not have.
std::string without_wave(const WaveOn& wanted, const SessionResults& session,
                         const Topology& topology);

}  // namespace allport
