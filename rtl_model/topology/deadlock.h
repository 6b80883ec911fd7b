// SPDX-License-Identifier: Apache-2.0
// These functions find the cycles of the channel dependency graph of all unicast routes (both
// directions on exact ties): a routing whose graph is acyclic cannot deadlock on unicasts
// [DallySeitz87].
#pragma once

#include <string>
#include <vector>

#include "rtl_model/topology/routing.h"

namespace allport {

/// A vertex of the graph: one class of virtual channel of one external channel.
struct ChannelClass {
  Channel channel{};
  VcClass vc_class = VcClass::h_or_l;

  friend bool operator==(const ChannelClass& a, const ChannelClass& b) {
    return a.channel == b.channel && a.vc_class == b.vc_class;
  }
};

/// A cycle of the channel dependency graph, each channel waiting for the next and the last for the
/// first; empty if the graph is acyclic. `classes`: whether p and h/l have virtual channels of
/// their own (a ring or torus with at least two per channel); else they are one vertex. It uses the
/// product structure of dimension-ordered routes, not all pairs of nodes, so that a 16-cube takes
/// well under a second.
std::vector<ChannelClass> find_dependency_cycle(const Routing& routing, bool classes);

/// A cycle of what is called `names`, in words: each name, and the first one again; the middle of
/// long ones is left out.
std::string cycle_in_words(const std::vector<std::string>& names);

/// The cycle in words: `0 -> 1 (+x), 1 -> 2 (+x), .., 0 -> 1 (+x)`.
std::string describe_cycle(const Topology& topology, const std::vector<ChannelClass>& cycle,
                           bool classes);

}  // namespace allport
