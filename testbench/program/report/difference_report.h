// SPDX-License-Identifier: Apache-2.0
// The first difference between the twins in words and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/lockstep/difference.h"
#include "testbench/program/report/report.h"
#include "testbench/program/report/results_json.h"

namespace allport {

/// One sentence: cycle, node, port, VC, field, both values.
std::string in_words(const Difference& difference);

/// Lines for people. `wave`: the file that shows the difference, or empty.
std::string lockstep_report(std::size_t nodes, std::uint64_t compared_cycles,
                            const std::optional<Difference>& difference, const std::string& wave,
                            const Style& style);

Json lockstep_json(const std::vector<NodeId>& nodes, std::uint64_t compared_cycles,
                   const std::optional<Difference>& difference, const std::string& wave);

}  // namespace allport
