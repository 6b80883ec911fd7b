// SPDX-License-Identifier: Apache-2.0
// What a plan requires of the machine that carries it out.
#pragma once

#include <vector>

#include "rtl_model/topology/routing.h"
#include "rtl_model/topology/switching.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/plan/simulation_config.h"

namespace allport {

/// Throws std::invalid_argument, one sentence, unless the switching mode and the routing take every
/// kind of message in `collectives`.
void require_kinds(const std::vector<PlannedCollective>& collectives, Switching switching,
                   const Routing& routing);

/// Throws std::invalid_argument, one sentence with both numbers, unless a buffer holds the longest
/// message of `collectives`, if the switching mode needs whole messages in buffers.
void require_room(const std::vector<PlannedCollective>& collectives,
                  const SimulationConfig& config);

/// Throws std::invalid_argument, one sentence, unless `trials` from number `first` on can be run as
/// they are: each has a collective, its nodes are nodes of `topology`, every collective has a
/// source, and barriers of messages stand where `config` wants them.
void require_trials(const std::vector<std::vector<PlannedCollective>>& trials, std::size_t first,
                    const SimulationConfig& config, const Topology& topology);

}  // namespace allport
