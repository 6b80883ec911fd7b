// SPDX-License-Identifier: Apache-2.0
// The project's own RTL for the routers of a run, built when it is first needed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "testbench/lockstep/rtl_nodes.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/rtl_request.h"

namespace allport {

/// Callbacks during the build of a model library, which takes seconds to minutes.
struct BuildHooks {
  std::function<void(const std::string&)> say;  ///< called when it has to be built; may be empty
  const std::atomic<bool>* stop = nullptr;      ///< set when building must end; null: never
};

/// A model library of `source`. Throws std::invalid_argument, one sentence, when it cannot be
/// built, and Interrupted once it is stopped.
ModelLibrary build_library(const RtlSource& source, const BuildHooks& hooks);

/// Number of places in the headers of `plan` for destinations other than the first. There are only
/// a few sizes, so that runs share their libraries.
int max_via(const RunPlan& plan);

/// The nodes that --rtl-nodes chooses; throws std::invalid_argument, one sentence.
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
