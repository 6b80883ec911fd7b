// SPDX-License-Identifier: Apache-2.0
// draw_traces() draws space-time diagrams of schedules on a unidirectional ring, for a slide: a
// line for each processor, beginning with the source, time to the right in steps, and an arrow for
// each message in the colour of the block that it carries. A dot marks a block that has reached its
// processor.
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
  bool ends_at_block =
      false;  ///< whether block b is for processor b alone; otherwise it is for all
};

std::string draw_traces(const std::string& title, const std::vector<TracePanel>& panels,
                        int processors);

}  // namespace allport
