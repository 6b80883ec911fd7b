// SPDX-License-Identifier: Apache-2.0
// Cost models are made from these measurements, by simulations of point-to-point messages: a single
// message, a stream of messages, and single messages over every distance, at several sizes.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "testbench/plan/plan_run.h"
#include "testbench/studies/cost_models/cost_models.h"

namespace allport {

/// The pair of nodes that is measured.
struct CostPair {
  NodeId source{};
  NodeId destination{};
};

/// Fabric and nodes with messages of `flits` flits; throws as plan_fabric() does.
RunPlan plan_size(const RunRequest& request, int flits);

/// The nodes that options name; without a destination the first of the farthest nodes. Throws
/// std::invalid_argument, one sentence.
CostPair cost_pair(const RunRequest& request, const Routing& routing);

/// Simulates `sizes`, ascending, in flits, each in a process of its own; `on_size` is called before
/// each. Throws std::invalid_argument before anything is simulated, std::runtime_error, one
/// sentence, when a simulation is not complete.
CostSamples measure_costs(const RunRequest& request, const CostPair& pair,
                          const std::vector<int>& sizes,
                          const std::function<void(std::size_t done)>& on_size);

}  // namespace allport
