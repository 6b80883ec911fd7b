// SPDX-License-Identifier: Apache-2.0
// write_fill() writes how many flits are in a buffer, as a counter of the timeline.
#pragma once

#include <string>

#include "testbench/observe/explain/history.h"
#include "testbench/show/timeline/lanes.h"

namespace allport {

/// Writes the fill of the buffer behind `channel`, which is external or an injection channel,
/// unless it is never used, or the format has no counters.
void write_fill(const History& history, FabricChannels::Number channel, const std::string& name,
                NodeProcess& process);

}  // namespace allport
