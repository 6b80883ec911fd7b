// SPDX-License-Identifier: Apache-2.0
// `allport compare --topology 'A;B'` runs the same collective on several fabrics: a comparison for
// each, in a process of its own because SystemC elaborates once, and one table of all.
#pragma once

#include <string>
#include <vector>

#include "testbench/program/options/settings.h"

namespace allport {

/// The settings of a scenario and of a command line.
struct FabricSettings {
  Settings scenario;
  Settings command_line;
};

/// Those for each fabric: a topology is a list with semicolons, and so may be a routing, which is
/// then one for each of the fabrics; an empty one is that which is usual there. Throws
/// std::invalid_argument, one sentence, for lists of different lengths and for an empty name.
std::vector<FabricSettings> by_fabric(const FabricSettings& all);

/// The exit status of the comparison on each of the fabrics, which `command` asked for. Algorithms
/// that one of them does not take are left out there. Throws std::invalid_argument, one sentence,
/// before anything is simulated.
int compare_fabrics(const std::vector<Options>& fabrics, const std::string& command);

}  // namespace allport
