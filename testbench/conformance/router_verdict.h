// SPDX-License-Identifier: Apache-2.0
// A router of the user's own put to the test: the conformance kit at its pins, a whole fabric of
// it, and lockstep with the SystemC router; the verdict sheet.
#pragma once

#include <functional>

#include "testbench/conformance/topology_verdict.h"

namespace allport {

/// A whole verdict.
struct RouterVerdict {
  RtlSource source;
  RouterDeclaration declared;
  Switching switching = Switching::wormhole;  ///< that it was tried with
  bool is_adaptive = false;                   ///< likewise
  std::vector<TopologyVerdict> topologies;

  bool is_broken() const;
  bool is_unknown() const;  ///< not broken, and on a topology it is not known
  bool keeps_contract() const { return !is_broken() && !is_unknown(); }
  bool is_twin() const;
};

/// Who hears of a verdict on the way to it.
struct VerdictHooks : SimulationHooks {
  /// Is told after each topology; the last one of the verdict is new.
  std::function<void(const RouterVerdict&)> on_topology;
};

/// Tries the router `rtl.files` on the fabric that `run` asks for, or on a small one that it
/// declares, with the traffic of `run` or uniform traffic; with `rtl.all_topologies` on all that it
/// declares. Throws std::invalid_argument for what cannot be tried at all.
RouterVerdict try_router(const RunRequest& run, const RtlRequest& rtl, const VerdictHooks& hooks);

}  // namespace allport
