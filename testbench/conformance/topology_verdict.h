// SPDX-License-Identifier: Apache-2.0
// This tests a router of the user's own on one topology: model, pins, fabric, lockstep. Each
// simulation runs in a process of its own: a crash or a hang is reported in the row `model` and is
// not a verdict.
#pragma once

#include <string>
#include <vector>

#include "testbench/conformance/router_kit.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/rtl_request.h"
#include "testbench/results/json.h"
#include "testbench/results/progress.h"
#include "testbench/simulation/rtl_fabric.h"

namespace allport {

/// The verdict on a router on one topology.
struct TopologyVerdict {
  std::string topology;
  TopologyKind kind = TopologyKind::hypercube;
  std::vector<SheetRow> rows;
  Json lockstep;  ///< the result of lockstep_json(); null if it was not reached

  bool has(const std::string& check, Verdict verdict) const;
  bool is_broken() const;   ///< whether a row other than `lockstep` failed
  bool is_unknown() const;  ///< whether no row failed, but some are not known
  bool is_skipped() const;  ///< whether the options do not suit this topology
  bool keeps_contract() const { return !is_broken() && !is_unknown() && !is_skipped(); }
  /// Whether the contract is kept and lockstep saw no difference. Its traffic need not have every
  /// kind of message, so a broken contract counts as a difference.
  bool is_twin() const { return keeps_contract() && has("lockstep", Verdict::passed); }
};

/// What observes the simulations, and ends them.
struct SimulationHooks {
  Progress progress;
  BuildHooks build;
};

/// Check, verdict and detail of each row.
Json rows_json(const std::vector<SheetRow>& rows);

/// Tries `source`, which declares `declared`, on the fabric and with the traffic of `run`. What
/// cannot be tried is a row of the sheet with `rtl.all_topologies`, and otherwise throws
/// std::invalid_argument.
TopologyVerdict try_on_topology(const RunRequest& run, const RtlRequest& rtl,
                                const RtlSource& source, const RouterDeclaration& declared,
                                const SimulationHooks& hooks);

}  // namespace allport
