// SPDX-License-Identifier: Apache-2.0
// The project's own RTL takes the places of the routers of a run; it is built when it is first
// needed.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/observe/lockstep/rtl_nodes.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/rtl_request.h"

namespace allport {

/// Number of places in the headers of `plan` for destinations other than the first. There are only
/// a few sizes, so that runs share their libraries.
int max_via(const RunPlan& plan);

/// The nodes that --rtl-nodes chooses; where all or a share of them are, switches are among them.
/// Throws std::invalid_argument, one sentence.
std::vector<NodeId> rtl_nodes(const NodeChoice& choice, std::uint64_t seed,
                              const Topology& topology);

class RtlFabric {
 public:
  RtlFabric(const RunPlan& plan, bool with_assertions, const BuildHooks& hooks);

  RtlNodes& nodes() { return nodes_; }

 private:
  ModelLibrary library_;
  RtlNodes nodes_;
};

}  // namespace allport
