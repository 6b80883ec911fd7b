// SPDX-License-Identifier: Apache-2.0
// These functions lead from an algorithm, or a schedule file, to the plan of one collective:
// embedded, in pieces, or made of blocks. Everything here throws std::invalid_argument with one
// sentence.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "testbench/plan/places.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/plan/run_request.h"
#include "testbench/plan/simulation_config.h"

namespace allport {

/// What becomes of blocks of a vector, or parts of blocks, that have no flit at the run's length.
enum class EmptyBlocks {
  left_out,  ///< they are not sent
  kept,      ///< they are sent as the others are, as where lengths are not known yet
};

/// What planning needs of a run.
struct PlanContext {
  const RunRequest& request;
  const Routing& routing;
  int internal_ports;
  const NodeGroup* group = nullptr;               ///< nodes that take part; null: all
  const std::vector<Channel>* missing = nullptr;  ///< missing links, sorted; null: all are there
  EmptyBlocks empty_blocks = EmptyBlocks::left_out;
};

/// What planning knows of the times of a run.
TimingParameters timing_of(const RunRequest& request);

/// `algorithm`'s plan for `goal`. It depends on the options that place ranks, on `pieces` and,
/// where the best number of pieces is wanted, on those that determine how long a hop takes. Throws
/// also if a route crosses a missing link.
PlannedCollective plan_goal(const Algorithm& algorithm, const Multicast& goal,
                            const PlanContext& context);

/// The schedule of whole messages for `goal`: on the fabric, or by ranks that are placed on it.
Schedule plan_whole(const Algorithm& algorithm, const Multicast& goal, const PlanContext& context);

/// The collective that `schedule`, read from a file, carries out; none if its unicasts carry the
/// whole message. `sources` hold the message or are the root; `destinations` are those of a bcast;
/// the collective is among the nodes of `group`; null: all. Of a program, the GPUs are on
/// `nodes_of_ranks`, if these are not in order.
std::shared_ptr<const Collective> goal_of_schedule(
    const Schedule& schedule, const RunRequest& request, const std::vector<NodeId>& sources,
    const std::vector<NodeId>& destinations, const std::shared_ptr<const Topology>& topology,
    const NodeGroup* group = nullptr, const std::vector<NodeId>& nodes_of_ranks = {});

/// The barrier of messages of a hypercube: up the spanning binomial tree to node 0 and down again.
PlannedCollective plan_message_barrier(const Routing& routing, int internal_ports);

/// Makes all senders of a schedule with joins its sources, for each has a message of its own, and
/// all receivers its destinations; all routes must be valid. Throws std::invalid_argument, naming
/// the line, if one carries blocks.
void take_all_senders(PlannedCollective& planned, const Routing& routing);

}  // namespace allport
