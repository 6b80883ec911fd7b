// SPDX-License-Identifier: Apache-2.0
// draw_trees() draws multicast trees for a slide: time runs downwards, with a row for each
// message-passing step; an arrow per unicast, in the colour of its step, ends at the row in which
// its destination has the message. Source, destinations and relays look different.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "testbench/studies/reproduce/drawing/svg.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// One tree of a drawing.
struct TreePanel {
  std::string caption;
  Schedule schedule;  ///< schedule in which every node receives once
  Multicast goal;
};

/// Draws the panels under `title`, `per_row` in a row. Nodes carry their addresses of
/// `address_bits` bits; `row_name` says what a row is, `step` or `level`.
std::string draw_trees(const std::string& title, const std::vector<TreePanel>& panels,
                       std::size_t per_row, int address_bits, const std::string& row_name);

/// `0101`.
std::string binary(NodeId node, int bits);

}  // namespace allport
