// SPDX-License-Identifier: Apache-2.0
// A LowerBound is what no schedule of a collective can beat on a fabric: the cycles that its
// busiest ports, all channels together, the channels between two halves, the distance or the
// start-ups need at least (docs/timing.md, lower bounds).
#pragma once

#include <string_view>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "traffic/schedule/collective.h"
#include "traffic/theory/timing_model.h"

namespace allport {

struct LowerBound {
  Cycle cycles = 0;
  std::string_view binds;  ///< ports, channels, cut, distance or start-ups
};

/// The part of a latency, in cycles, that the bound is: 1 at best.
inline double efficiency(const LowerBound& bound, Cycle latency) {
  return latency == 0 ? 1 : static_cast<double>(bound.cycles) / static_cast<double>(latency);
}

struct BoundRequest {
  const Topology& topology;
  const Collective& goal;
  int internal_ports = 1;  ///< of a node
  /// ts, tr and d count; `flits` is the length of one block, of a bcast or a sum that of the whole.
  /// The pairs of an alltoall may have lengths of their own.
  TimingParameters timing;
  /// Whether one message may be received by several nodes: then start-ups bound nothing.
  bool has_worms = false;
  /// External channels that no message may cross.
  std::vector<Channel> missing = {};
};

/// The largest of them. A collective among one node needs nothing.
LowerBound lower_bound(const BoundRequest& request);

}  // namespace allport
