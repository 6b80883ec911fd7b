// SPDX-License-Identifier: Apache-2.0
// The project's own RTL for the routers of a run: built when it is first wanted, saying so on
// stderr.
#pragma once

#include <vector>

#include "testbench/lockstep/rtl_nodes.h"
#include "testbench/plan/plan_run.h"

namespace allport {

/// A model library of `source`; says on stderr when it has to be built.
ModelLibrary build_library(const RtlSource& source);

/// Room for destinations in the headers of `plan` behind the first: a few sizes, so that runs share
/// their libraries.
int max_via(const RunPlan& plan);

/// The nodes that --rtl-nodes chooses; throws std::invalid_argument, one sentence.
std::vector<NodeId> rtl_nodes(const Options& options, const Topology& topology);

class RtlFabric {
 public:
  RtlFabric(const RunPlan& plan, bool with_assertions);

  /// RTL alone, everywhere.
  void replace_all(Fabric& fabric);
  /// RTL beside SystemC at `nodes`.
  void shadow(Fabric& fabric, const std::vector<NodeId>& nodes) { nodes_.shadow(fabric, nodes); }

  const RtlNodes& nodes() const { return nodes_; }

 private:
  ModelLibrary library_;
  RtlNodes nodes_;
};

}  // namespace allport
