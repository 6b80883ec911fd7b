// SPDX-License-Identifier: Apache-2.0
// PlanLinks has the channels between neighbours over which a plan may send: those of a fabric
// without its missing ones. A plan that is made backwards goes over each channel from its end to
// its beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// A channel as a plan uses it: blocks go `from` one node `to` the other.
struct PlanLink {
  NodeId from{};
  NodeId to{};
  Unicast hop;                ///< message over the channel; backwards it leads from `to` to `from`
  std::size_t dimension = 0;  ///< dimension of the fabric
  std::size_t injection = 0;  ///< injection port of the message, among those of all nodes
  std::size_t ejection = 0;   ///< ejection port of the message, among those of all nodes
};

/// Indices of links.
using LinkIndices = std::vector<std::uint32_t>;

class PlanLinks {
 public:
  /// `missing` is sorted. The routing must outlive the links.
  PlanLinks(const Routing& routing, int internal_ports, const std::vector<Channel>& missing,
            bool is_backwards);

  std::size_t node_count() const { return into_.size(); }
  std::size_t internal_port_count() const { return internal_ports_ * node_count(); }
  /// By port, then node.
  const std::vector<PlanLink>& all() const { return links_; }
  const LinkIndices& into(NodeId node) const { return into_[index(node)]; }
  const LinkIndices& out_of(NodeId node) const { return out_of_[index(node)]; }

  /// The hops to `node` from each node; -1: no way leads there.
  std::vector<int> hops_to(NodeId node) const;
  /// The hops from `node` to each node; -1: no way leads there.
  std::vector<int> hops_from(NodeId node) const;

 private:
  std::size_t internal_ports_;  // of a node
  std::vector<PlanLink> links_;
  std::vector<LinkIndices> into_;
  std::vector<LinkIndices> out_of_;
};

}  // namespace allport
