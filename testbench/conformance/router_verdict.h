// SPDX-License-Identifier: Apache-2.0
// A router of the user's own is tested by the conformance kit at its pins, in a whole fabric of
// such routers, and in lockstep with the SystemC router; the result is the verdict sheet.
#pragma once

#include <functional>
#include <vector>

#include "testbench/conformance/topology_verdict.h"

namespace allport {

/// A whole verdict.
struct RouterVerdict {
  RtlSource source;
  RouterDeclaration declared;
  Switching switching = Switching::wormhole;  ///< switching mode with which it was tried
  bool is_adaptive = false;                   ///< whether it was tried with adaptive routing
  std::vector<TopologyVerdict> topologies;

  bool is_broken() const;
  bool is_unknown() const;  ///< whether it is not broken, but unknown on some topology
  bool keeps_contract() const { return !is_broken() && !is_unknown(); }
  /// Whether lockstep came to a verdict on some topology.
  bool was_compared() const;
  bool is_twin() const;
};

/// What observes a verdict while it is being reached.
struct VerdictHooks : SimulationHooks {
  /// Called after each topology; the last topology of the verdict is new.
  std::function<void(const RouterVerdict&)> on_topology;
};

/// Tries the router `rtl.files` on the fabric that `run` asks for, or on a small one that it
/// declares, with the traffic of `run` or uniform traffic; with `rtl.all_topologies`, on all that
/// it declares. Throws std::invalid_argument if it cannot be tried at all.
RouterVerdict try_router(const RunRequest& run, const RtlRequest& rtl, const VerdictHooks& hooks);

}  // namespace allport
