// SPDX-License-Identifier: Apache-2.0
// From an algorithm, or a schedule file, to the plan of one collective: embedded, in pieces, or of
// blocks. Everything here throws std::invalid_argument with one sentence.
#pragma once

#include <memory>

#include "testbench/plan/planned_collective.h"
#include "testbench/plan/run_request.h"
#include "testbench/plan/simulation_config.h"

namespace allport {

/// What planning needs of a run.
struct PlanContext {
  const RunRequest& request;
  const Routing& routing;
  int internal_ports;
};

/// Most bytes that the messages of a collective of blocks have together.
constexpr std::size_t max_block_bytes = std::size_t{1} << 31;
/// Most pieces of a message, whose flits are no more.
constexpr std::size_t max_pieces = 1'000'000;

/// `algorithm`'s plan for `goal`. Of the options `embed` and `pieces` count, and where the pieces
/// are to be the best ones those that tell how long a hop takes.
PlannedCollective plan_goal(const Algorithm& algorithm, const Multicast& goal,
                            const PlanContext& context);

/// The collective that `schedule`, read from a file, is to achieve; none where its unicasts carry
/// the whole message. `sources` have what there is to have, `destinations` are those of a bcast.
std::shared_ptr<const Collective> goal_of_schedule(const Schedule& schedule,
                                                   const RunRequest& request,
                                                   const std::vector<NodeId>& sources,
                                                   const std::vector<NodeId>& destinations,
                                                   std::size_t nodes);

/// Throws unless the processors can run `plan`, of blocks, and have what they must have in the end.
void require_achieved(const PlannedCollective& plan, const Routing& routing);

/// Throws unless a message of `flits` flits can go in `pieces` pieces.
void require_pieces(std::size_t pieces, int flits);

/// Throws when the messages of `plan`, of blocks, are too long together.
void require_size(const PlannedCollective& plan, const SimulationConfig& config);

/// The barrier of messages of a hypercube: up the spanning binomial tree to node 0 and down again.
PlannedCollective plan_message_barrier(const Routing& routing, int internal_ports);

}  // namespace allport
