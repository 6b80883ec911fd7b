// SPDX-License-Identifier: Apache-2.0
// This header has what a request, a plan and the machine that carries it out require of each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/router/switching.h"
#include "rtl_model/topology/routing.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/plan/run_request.h"
#include "testbench/plan/simulation_config.h"
#include "traffic/patterns/synthetic_traffic.h"

namespace allport {

struct RunPlan;

/// The bytes of a message of `collective`, which carries no blocks: one flit for a barrier by
/// joins.
std::size_t message_bytes(const PlannedCollective& collective, const SimulationConfig& config);

/// The flits of the longest message of `collective`.
std::int64_t longest_message(const PlannedCollective& collective, const SimulationConfig& config);

/// Throws std::invalid_argument, one sentence, unless the numbers of `request` are within the
/// limits of range.h that the fabric does not check.
void require_bounds(const RunRequest& request);

/// Throws std::invalid_argument unless the warm-up leaves cycles to measure in.
void require_warmup(const RunRequest& request);

/// The same for a pattern: its rate, warm-up and lengths must fit each other.
void require_pattern(const RunRequest& request, const TrafficRequest& traffic);

/// The same for the number of nodes, which the model limits.
void require_model(const RunRequest& request, const Topology& topology);

/// Throws std::invalid_argument, one sentence, when what is measured or explained of `plan` is not
/// known under its node model.
void require_node_model(const RunPlan& plan);

/// Throws std::invalid_argument, one sentence, when processors shall start at random in a run that
/// says by itself when they send.
void require_skew(const RunPlan& plan);

/// Throws std::invalid_argument, one sentence, when the model of `plan` cannot carry it out, or
/// when its label worms could deadlock.
void require_movable(const RunPlan& plan);

/// Throws std::invalid_argument, one sentence, when a run without joins shall combine operands in
/// another order than the default.
void require_combined(const RunPlan& plan);

/// Decides whether the messages of `plan`, which has its model, carry symbols. Throws
/// std::invalid_argument, one sentence, if they must carry more bytes than the limit.
void settle_payload(RunPlan& plan);

/// Throws std::invalid_argument, one sentence, unless the switching mode and the routing take every
/// kind of message in `collectives`.
void require_kinds(const std::vector<PlannedCollective>& collectives, Switching switching,
                   const Routing& routing);

/// Throws std::invalid_argument, one sentence, unless joins can compute on the lanes of their
/// flits, and share no virtual channel with other messages than it is safe to.
void require_joins(const RunPlan& plan);

/// Throws std::invalid_argument, one sentence with both numbers, unless the routers take the
/// longest message of `collectives`, and a buffer holds it, if the switching mode needs whole
/// messages in buffers.
void require_room(const std::vector<PlannedCollective>& collectives,
                  const SimulationConfig& config);

/// Throws std::invalid_argument, one sentence, unless `trials` from number `first` on can be run as
/// they are: each has a collective, its nodes are nodes of `topology`, every collective has a
/// source, and barriers of messages stand where `config` wants them.
void require_trials(const std::vector<std::vector<PlannedCollective>>& trials, std::size_t first,
                    const SimulationConfig& config, const Topology& topology);

/// Throws std::invalid_argument unless the processors can run `plan`, which is made of blocks, and
/// end up with all blocks that they must have.
void require_achieved(const PlannedCollective& plan, const Routing& routing);

/// Throws std::invalid_argument unless a message of `flits` flits can go in `pieces` pieces.
void require_pieces(std::size_t pieces, int flits);

/// Throws when the messages of `plan`, which is made of blocks, are too long in total.
void require_size(const PlannedCollective& plan, const SimulationConfig& config,
                  const Topology& topology);

}  // namespace allport
