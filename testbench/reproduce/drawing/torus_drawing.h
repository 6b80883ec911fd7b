// SPDX-License-Identifier: Apache-2.0
// Schedules on a two-dimensional torus for a slide: nodes on a grid, x to the right, y upwards, and
// the route of every unicast as an arrow in the colour of its step. Arrows keep to the right, each
// in a lane of its own, so that those that share a channel stand side by side.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/reproduce/drawing/svg.h"
#include "traffic/schedule/schedule.h"

namespace allport {

struct TorusPanel {
  std::string caption;
  Schedule schedule;
  NodeId source{};
  /// Around the source, as the displacements lead, instead of on the torus with its wraparound
  /// channels.
  bool is_unrolled = false;
  StepIndex step = 0;      ///< arrows of this step only; 0: of all
  bool has_order = false;  ///< arrows carry their place in the sender's program, from 1
  std::map<NodeId, std::string> names;  ///< of nodes; others carry their coordinates
};

/// The panels side by side under `title`.
std::string draw_torus(const std::string& title, const std::vector<TorusPanel>& panels,
                       const Routing& routing);

}  // namespace allport
