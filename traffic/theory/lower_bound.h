// SPDX-License-Identifier: Apache-2.0
// A LowerBound is what no schedule of a collective can beat on a fabric: the cycles that its
// busiest ports, all channels together, the channels between two halves, the distance or the
// start-ups need at least (docs/timing.md, lower bounds).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rtl_model/topology/topology.h"
#include "traffic/schedule/collective.h"
#include "traffic/theory/timing_model.h"

namespace allport {

/// The cycles of a bound, by what takes them.
struct BoundCycles {
  Cycle startups = 0;
  Cycle receipts = 0;
  Cycle hops = 0;
  Cycle flits = 0;  ///< that follow one another, the first one too

  Cycle total() const { return startups + receipts + hops + flits; }
};

/// The ports or channels that the flits of a bound must go through. Where distance or start-ups
/// bind, it is what the bound by ports counts.
struct Bottleneck {
  enum class Kind : std::uint8_t {
    last_receiver,  ///< the ports of a receiver: of a run that which receives last
    node,           ///< those of `node`
    nodes,          ///< those by which all nodes that take part send
    channels,       ///< all external channels
    cut,            ///< those that lead away from the routers `near`
  };
  Kind kind = Kind::last_receiver;
  long double rate = 1;  ///< the flits that they carry per cycle
  bool sends =
      false;  ///< whether those by which a node sends count, not those by which it receives
  NodeId node{};
  std::vector<bool> near{};  ///< by router; empty: it is no cut
};

struct LowerBound {
  Cycle cycles = 0;
  std::string_view binds;  ///< ports, channels, cut, distance or start-ups
  BoundCycles of{};        ///< which are `cycles` in all
  Bottleneck through{};
};

/// The part of a latency, in cycles, that the bound is: 1 at best.
inline double efficiency(const LowerBound& bound, Cycle latency) {
  return latency == 0 ? 1 : static_cast<double>(bound.cycles) / static_cast<double>(latency);
}

struct BoundRequest {
  const Topology& topology;
  const Collective& goal;
  int internal_ports = 1;  ///< of a node
  /// ts, tr and d count, and a, v and x; `flits` is the length of one block, of a bcast or a sum
  /// that of the whole. The pairs of an alltoall may have lengths of their own. `vcs` are all of an
  /// external channel; 0: any number.
  TimingParameters timing;
  /// Whether one message may be received by several nodes: then start-ups bound nothing.
  bool has_worms = false;
  /// External channels that no message may cross.
  std::vector<Channel> missing = {};
};

/// The largest of them. A collective among one node needs nothing.
LowerBound lower_bound(const BoundRequest& request);

}  // namespace allport
