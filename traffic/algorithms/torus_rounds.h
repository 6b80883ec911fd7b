// SPDX-License-Identifier: Apache-2.0
// These broadcasts on a two-dimensional torus go in rounds: in each round every node that has the
// message sends by the same displacements, scaled by the unit of the round. Phases fix the steps.
#pragma once

#include <vector>

#include "rtl_model/topology/grid.h"
#include "rtl_model/topology/routing.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// A displacement in units.
struct Offset {
  int x;
  int y;
};

/// Whether `topology` is a two-dimensional torus with both sides the same power of two.
bool is_power_of_two_torus(const Topology& topology);

/// The routing of the N x N torus of side `side`.
Routing square_torus(int side);

class TorusRounds {
 public:
  /// `routing` must be the routing of a two-dimensional torus.
  TorusRounds(const Routing& routing, NodeId source);

  /// All nodes that have the message, in the order of the planned sends.
  const std::vector<NodeId>& holders() const { return holders_; }
  /// The node `offset` times `unit` away from `node`.
  NodeId at(NodeId node, Offset offset, int unit) const;
  /// Plans a send of `from` by `offset` times `unit` and returns the receiver, which has the
  /// message from now on. A message half around the torus goes by the sign of its offset.
  NodeId send(NodeId from, Offset offset, int unit, StepIndex step);
  /// In `step`, every node that has the message sends by each of `offsets`, in this order.
  void send_from_all(const std::vector<Offset>& offsets, int unit, StepIndex step);
  /// The schedule planned so far, sorted.
  Schedule take();

 private:
  const Routing& routing_;
  const Grid& torus_;
  std::vector<NodeId> holders_;
  std::vector<int> orders_;  // messages in each node's program so far
  Schedule schedule_;
};

}  // namespace allport
