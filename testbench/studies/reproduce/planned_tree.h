// SPDX-License-Identifier: Apache-2.0
// A PlannedTree is a multicast as an algorithm plans it, with everything that is needed to judge
// it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

struct PlannedTree {
  Routing routing;
  int internal_ports;
  Multicast goal;
  Schedule schedule;

  ScheduleReport checked() const;
  /// The nodes that receive without being destinations, in binary; `none` if there are none.
  std::string relays_in_words(int address_bits) const;
  /// Whether no two unicasts of a sender have the same first channel.
  bool has_distinct_first_channels() const;
};

/// `algorithm` on a `dimensions`-cube with descending routing.
PlannedTree planned_tree(const char* algorithm, int dimensions, int internal_ports,
                         std::size_t source, const std::vector<std::size_t>& destinations);
/// `algorithm`'s broadcast from node 0 of `topology`, on all ports.
PlannedTree planned_broadcast(const char* algorithm, const std::string& topology);

/// Whether `moved` is `origin` with `by` added (XOR) to every node.
bool is_moved(const PlannedTree& origin, const PlannedTree& moved, std::size_t by);

}  // namespace allport
