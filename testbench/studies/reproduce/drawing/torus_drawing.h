// SPDX-License-Identifier: Apache-2.0
// draw_torus() draws schedules on a two-dimensional torus for a slide: nodes on a grid, x to the
// right, y upwards, and the route of every unicast as an arrow in the colour of its step. Arrows
// keep to the right, each in a lane of its own, so that arrows that share a channel are side by
// side.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/studies/reproduce/drawing/svg.h"
#include "traffic/schedule/schedule.h"

namespace allport {

struct TorusPanel {
  std::string caption;
  Schedule schedule;
  NodeId source{};
  /// Whether nodes are placed around the source, as the displacements lead, instead of on the torus
  /// with its wraparound channels.
  bool is_unrolled = false;
  StepIndex step = 0;      ///< the step whose arrows are drawn; 0: all steps
  bool has_order = false;  ///< whether arrows carry their place in the sender's program, from 1
  std::map<NodeId, std::string> names;  ///< names of nodes; others carry their coordinates
};

/// Draws the panels side by side under `title`.
std::string draw_torus(const std::string& title, const std::vector<TorusPanel>& panels,
                       const Routing& routing);

}  // namespace allport
