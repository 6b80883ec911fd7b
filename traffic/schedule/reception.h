// SPDX-License-Identifier: Apache-2.0
// These functions find the step in which each node has the message: a node may send only in steps
// after the one in which it first received.
#pragma once

#include <string>
#include <vector>

#include "traffic/schedule/schedule.h"

namespace allport {

constexpr StepIndex held_from_start = 0;  ///< a source
constexpr StepIndex never_received = -1;

/// Step of the first reception of each node (or one of the two above); index is the node id.
/// `unicasts` are of any kind, on valid routes: the nodes on the way of a deposit worm receive, the
/// listed ones from a multidestination or label worm, and all nodes but its sender from a tree or
/// path worm.
std::vector<StepIndex> first_receptions(const std::vector<const Unicast*>& unicasts,
                                        const Routing& routing, const std::vector<NodeId>& sources);

/// Why `unicast` cannot be sent in its step, in one sentence; empty when its sender has the
/// message.
std::string causality_fault(const Unicast& unicast, const std::vector<StepIndex>& received,
                            const Topology& topology);

}  // namespace allport
