// SPDX-License-Identifier: Apache-2.0
// Collectives are a load here: those that start at random become the collectives of one trial, each
// with the cycle of its start. Everything here throws std::invalid_argument with one sentence.
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/plan/plan_run.h"

namespace allport {

/// The most messages that the collectives of a load may plan.
constexpr std::size_t max_load_messages = std::size_t{1} << 22;

/// Requires that `request`, if it has a collective rate, has what belongs to it and nothing that
/// does not.
void require_load(const RunRequest& request);

/// The nodes that start collectives: the sources of `request`, or all nodes.
std::vector<NodeId> load_sources(const RunRequest& request, const Topology& topology);

/// Fills `plan`, whose request has a collective rate, with its collectives, by start, and with the
/// messages of the pattern beside them, if it has one.
void plan_load(RunPlan& plan);

}  // namespace allport
