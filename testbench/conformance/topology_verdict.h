// SPDX-License-Identifier: Apache-2.0
// A router of the user's own on one topology: model, pins, fabric, lockstep. Each simulation is in
// a process of its own: what crashes or hangs there is told in the row `model`, and is no verdict.
#pragma once

#include "testbench/conformance/router_kit.h"
#include "testbench/plan/plan_run.h"
#include "testbench/plan/rtl_request.h"
#include "testbench/results/json.h"
#include "testbench/results/progress.h"
#include "testbench/simulation/rtl_fabric.h"

namespace allport {

/// What came of a router on one topology.
struct TopologyVerdict {
  std::string topology;
  TopologyKind kind = TopologyKind::hypercube;
  std::vector<SheetRow> rows;
  Json lockstep;  ///< as lockstep_json() tells it; null where it was not reached

  bool has(const std::string& check, Verdict verdict) const;
  bool is_broken() const;   ///< a row but `lockstep` failed
  bool is_unknown() const;  ///< no row failed, and the rest is not known
  bool is_skipped() const;  ///< the options do not go with this topology
  bool keeps_contract() const { return !is_broken() && !is_unknown() && !is_skipped(); }
  /// The contract is kept and lockstep saw no difference: its traffic need not have every kind of
  /// message, a broken contract is a difference by itself.
  bool is_twin() const { return keeps_contract() && has("lockstep", Verdict::passed); }
};

/// Who hears of the simulations, and ends them.
struct SimulationHooks {
  Progress progress;
  BuildHooks build;
};

/// Check, verdict and detail of each row.
Json rows_json(const std::vector<SheetRow>& rows);

/// Tries `source`, which declares `declared`, on the fabric and with the traffic of `run`. With
/// `rtl.all_topologies` what cannot be tried is a row of the sheet, else it throws
/// std::invalid_argument.
TopologyVerdict try_on_topology(const RunRequest& run, const RtlRequest& rtl,
                                const RtlSource& source, const RouterDeclaration& declared,
                                const SimulationHooks& hooks);

}  // namespace allport
