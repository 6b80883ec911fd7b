// SPDX-License-Identifier: Apache-2.0
// An CustomFabric has a router of the user's own as the routers of a whole fabric, for runs that
// are no test of it.
#pragma once

#include <memory>
#include <vector>

#include "rtl_model/verilated/model_library.h"
#include "testbench/conformance/custom_router.h"
#include "testbench/conformance/fitted_router.h"
#include "testbench/conformance/model_watch.h"
#include "testbench/simulation/run_session.h"

namespace allport {

/// `run` on the router of `rtl`, which declares `declared`: what was left open is as it declares.
RunRequest run_of_custom(RunRequest run, const RtlRequest& rtl,
                         std::shared_ptr<const RouterDeclaration> declared);

/// The RTL at every node of a plan's fabric.
class CustomFabric {
 public:
  /// Builds the library for the fabric of `plan`, whose request has the declaration, with `max_via`
  /// places for further destinations; `watch` looks after its models and must outlive it. Throws
  /// std::invalid_argument as ModelLibrary and check_pins() do.
  CustomFabric(const RunPlan& plan, const RtlSource& source, int max_via, ModelWatch& watch,
               const BuildHooks& hooks);

  /// The part of a session that it is.
  RtlPart part();

 private:
  std::vector<NodeId> all_;
  NodeLibraries libraries_;
  RtlNodes nodes_;
};

/// The places for further destinations that the messages of `plan` need in headers.
int places_for(const RunPlan& plan);

}  // namespace allport
