// SPDX-License-Identifier: Apache-2.0
// Space-time diagrams of schedules on a unidirectional ring, for a slide: a line for each
// processor, the source's first, time to the right in steps, an arrow for each message in the
// colour of the block it carries. A dot marks a block that has come to the processor it is for.
#pragma once

#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "traffic/schedule/schedule.h"

namespace allport {

struct TracePanel {
  std::string caption;
  Schedule schedule;  ///< every message goes to the next processor
  NodeId source{};
  bool ends_at_block = false;  ///< block b is for processor b alone; else for everybody
};

std::string draw_traces(const std::string& title, const std::vector<TracePanel>& panels,
                        int processors);

}  // namespace allport
