// SPDX-License-Identifier: Apache-2.0
// This is the contention-free timing model of the papers, run over a schedule: the theory with
// which a simulation is compared. A sender handles its unicasts one after another, in ts each; the
// i-th (from 1) enters the router at ready + i*ts, takes h*(1+d) + L cycles, then tr at the
// receiver [Hou98, sec. 6.1], and in routers with a pipeline (h+1)(a+v+x) more; where channels are
// narrow, it takes what docs/timing.md says of a message alone. In other switching modes it takes
// as long as docs/timing.md says.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "rtl_model/router/router_config.h"
#include "rtl_model/topology/routing.h"
#include "traffic/schedule/address_fields.h"
#include "traffic/schedule/schedule.h"

namespace allport {

struct TimingParameters : RouterChoice {
  Cycle ts = 0;
  Cycle tr = 0;
  int flits = 1;  ///< length L of the message
  /// Cycles for which a flit occupies a channel of each dimension; empty: one cycle.
  std::vector<int> phits{};

  TimingParameters() = default;
  TimingParameters(Cycle sender, Cycle receiver, int length, RouterChoice router = {},
                   std::vector<int> phits_by_dimension = {})
      : RouterChoice(std::move(router)),
        ts(sender),
        tr(receiver),
        flits(length),
        phits(std::move(phits_by_dimension)) {}

  Cycle delay_of(std::size_t dimension) const {
    return link_delays.empty() ? link_delay : link_delays[dimension];
  }
  int phits_of(std::size_t dimension) const { return phits.empty() ? 1 : phits[dimension]; }
  /// Those of an external channel of `topology`.
  Cycle delay_of(Channel channel, const Topology& topology) const {
    if (links == nullptr) return delay_of(topology.dimension_of(channel.port));
    return links->delays[links->place(channel.node, index(channel.port))];
  }
  int phits_of(Channel channel, const Topology& topology) const {
    if (links == nullptr) return phits_of(topology.dimension_of(channel.port));
    return 1 + links->further_phits[links->place(channel.node, index(channel.port))];
  }
  /// Whether some external channel carries less than a flit in a cycle.
  bool has_narrow_channels() const;
  /// The least link delay of all external channels.
  Cycle least_delay() const;
  /// The least cycles of a hop, over all external channels.
  Cycle least_hop() const;
};

/// The external channels of a route.
struct RouteLength {
  int hops = 0;     ///< number of them
  Cycle wires = 0;  ///< sum of their link delays
  Cycle phits = 0;  ///< sum of the cycles for which each carries a flit, beyond the first
  int slowest = 1;  ///< the most cycles for which one of them carries a flit

  /// Adds `channel`.
  void add(Channel channel, const Topology& topology, const TimingParameters& timing);
};

/// The way over `channels`.
RouteLength length_over(const std::vector<Channel>& channels, const Topology& topology,
                        const TimingParameters& timing);
/// The way of a unicast from `from` to `to`.
RouteLength length_between(NodeId from, NodeId to, const Routing& routing,
                           const TimingParameters& timing);
/// The way of `unicast`, whose route is valid.
RouteLength length_of(const Unicast& unicast, const Routing& routing,
                      const TimingParameters& timing);

/// Cycles from the head of a message on its injection channel until the processor at the end of
/// `way` has it.
Cycle transit(const RouteLength& way, const TimingParameters& timing);

/// Cycles from the head of a unicast on its injection channel until its tail is received by the
/// node at the end of `channels`, with buffers of any depth that the switching mode takes and
/// channels of any width (docs/timing.md, sections 2 and 7).
Cycle reception_alone(const std::vector<Channel>& channels, const Topology& topology,
                      const TimingParameters& timing);

/// Cycles for which a message holds its injection channel, or the front of the buffer behind it.
Cycle occupancy(const RouteLength& way, const TimingParameters& timing);

/// The cycle in which each node has the message (sources: 0; nodes that never receive: -1); the
/// index is the node id. The worms may be of any kind; a node waits for its first reception only,
/// whatever the steps are. `timing.flits` is the length without `fields`. Throws
/// std::invalid_argument on an invalid route.
std::vector<Cycle> predicted_latency(const Schedule& schedule, const Routing& routing,
                                     const std::vector<NodeId>& sources,
                                     const TimingParameters& timing,
                                     const AddressFields& fields = {});

/// The same for one worm of `kind`, tree or path, from `source`; `free`: the free dimensions of the
/// group of a tree, 0: all. A tree worm takes ts + h(1+d) + kr
/// + L + tr to depth h, where k routers replicate on the way: k = h, and one more unless the node
/// is a leaf. A path worm takes to the i-th node of its path as long as a deposit worm over i hops.
std::vector<Cycle> predicted_worm_latency(const Routing& routing, NodeId source, MessageKind kind,
                                          const TimingParameters& timing, DimensionMask free = 0);

}  // namespace allport
