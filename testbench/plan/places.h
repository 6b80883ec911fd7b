// SPDX-License-Identifier: Apache-2.0
// These functions find the groups of a run, and the nodes on which the ranks of a collective sit.
// Everything here throws std::invalid_argument with one sentence naming option, value and range.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "testbench/plan/resolve.h"
#include "testbench/plan/run_request.h"
#include "traffic/planning/groups.h"
#include "traffic/planning/placement.h"

namespace allport {

/// The root of a collective and the group that carries it out; null: all nodes.
struct Party {
  NodeId source{};
  std::shared_ptr<const NodeGroup> group{};
};

/// Those of the groups of `request`; empty: it names none.
std::vector<std::shared_ptr<const NodeGroup>> node_groups(
    const RunRequest& request, const std::shared_ptr<const Topology>& topology,
    GroupUse use = GroupUse::collective);

/// Throws unless `source` is a member of the group.
void require_member(NodeId source, const RunRequest& request, const NodeGroup& group);

/// The collectives of a trial: one for each source, or one for each group of a partition.
std::vector<Party> parties_of(const RunRequest& request, const Topology& topology,
                              const std::vector<std::shared_ptr<const NodeGroup>>& groups);

/// The goal of a collective of a trial, and its group.
struct PartyGoal {
  Multicast goal;
  std::shared_ptr<const NodeGroup> group{};
};

/// The goals of the collectives, trial after trial: each group has its own destinations.
class PartyGoals {
 public:
  PartyGoals(const RunRequest& request, const Topology& topology,
             const std::vector<std::shared_ptr<const NodeGroup>>& groups);
  std::vector<PartyGoal> next_trial();

 private:
  std::vector<Party> parties_;
  std::vector<GoalSource> destinations_;  // by party
};

/// The fabric on which `algorithm` is planned: that of the ranks, or `topology` itself. Null: it is
/// for none that the request leaves open.
std::shared_ptr<const Topology> planned_on(const Algorithm& algorithm, const RunRequest& request,
                                           const std::shared_ptr<const Topology>& topology,
                                           const NodeGroup* group);

/// Where the ranks of `algorithm` sit; none: it is planned on the fabric as it is, which is so too
/// where each rank of a fabric like it sits on its own node.
std::optional<Placement> placement_of(const Algorithm& algorithm, const RunRequest& request,
                                      const std::shared_ptr<const Topology>& topology,
                                      const NodeGroup* group);

/// Whether `nodes`, of ranks, are all of `topology` in their order.
bool is_identity(const std::vector<NodeId>& nodes, const Topology& topology);

/// Who exchanges blocks with whom in `operation` among the nodes of `group` (null: all) that no
/// algorithm places: neighbours in its shape, those of a list in a ring. Null: it is no exchange.
std::shared_ptr<const NeighbourBlocks> neighbours_among(
    Operation operation, const std::shared_ptr<const Topology>& topology, const NodeGroup* group);

/// Where the ranks of a program sit that no algorithm places: on nodes_of_ranks(). Their fabric is
/// `ranks` of `request`, else a ring along a tour, and otherwise the shape of the nodes.
Placement placement_of_ranks(const RunRequest& request,
                             const std::shared_ptr<const Topology>& topology,
                             const NodeGroup* group);

/// The nodes of ranks that no algorithm places: those of `group` (null: all) in the order that
/// `place` and `ranks` of `request` make of them.
std::vector<NodeId> nodes_of_ranks(const RunRequest& request,
                                   const std::shared_ptr<const Topology>& topology,
                                   const NodeGroup* group);

}  // namespace allport
