// SPDX-License-Identifier: Apache-2.0
// [CasanovaSlides], Gray codes: rings, tori and meshes whose sides are powers of two, placed on a
// hypercube so that neighbours stay neighbours. Each coordinate i becomes its binary-reflected Gray
// code i xor (i >> 1); the first coordinate has the highest bits.
#pragma once

#include <memory>
#include <vector>

#include "traffic/algorithms/algorithms.h"

namespace allport {

class Embedding {
 public:
  /// Throws std::invalid_argument unless `host` is a hypercube, and `guest` a ring, torus or mesh
  /// with as many nodes and sides that are powers of two.
  Embedding(const std::shared_ptr<const Topology>& guest, const Routing& host);

  const Routing& guest() const { return guest_; }
  /// The place of a node of the guest on the hypercube, and the other way round.
  NodeId on_host(NodeId guest) const { return on_host_[index(guest)]; }
  NodeId on_guest(NodeId host) const { return on_guest_[index(host)]; }

  /// Plans `goal`, a goal on the host, on the guest, and places the schedule on the host. The guest
  /// has all ports if the host has all, and otherwise at most the host's internal ports.
  /// Displacements vanish. The steps are kept if they obey the host's port rule; otherwise each
  /// unicast gets the first step, after what it waits for, in which its injection port is free.
  /// Throws as plan() does.
  /// `parts` as in PlanRequest.
  Schedule plan(const Algorithm& algorithm, const Multicast& goal, int internal_ports,
                int parts = 0) const;

 private:
  Multicast guest_goal(const Multicast& goal) const;
  BlockId block_on_host(BlockId block, Operation operation) const;
  void place(Schedule& schedule, Operation operation, BlockId parts) const;
  bool keeps_port_rule(const Schedule& schedule, int internal_ports) const;
  void assign_steps(Schedule& schedule, const Collective& collective, int internal_ports) const;

  Routing guest_;
  const Routing& host_;
  std::vector<NodeId> on_host_;
  std::vector<NodeId> on_guest_;
};

}  // namespace allport
