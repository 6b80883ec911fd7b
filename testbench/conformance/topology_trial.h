// SPDX-License-Identifier: Apache-2.0
// A router of the user's own on one topology: model, pins, fabric, lockstep. Each simulation is in
// a process of its own: what crashes or hangs there is told in the row `model`, and is no verdict.
#pragma once

#include "testbench/conformance/router_kit.h"
#include "testbench/plan/plan_run.h"
#include "testbench/program/options/options.h"
#include "testbench/program/report/difference_report.h"

namespace allport {

/// What came of a router on one topology.
struct TopologyTrial {
  std::string topology;
  TopologyKind kind = TopologyKind::hypercube;
  std::vector<SheetRow> rows;
  Json lockstep;  ///< as difference_report.h; null where it was not reached

  bool has(const std::string& check, Verdict verdict) const;
  bool is_broken() const;   ///< a row but `lockstep` failed
  bool is_unknown() const;  ///< no row failed, and the rest is not known
  bool is_skipped() const;  ///< the options do not go with this topology
  bool keeps_contract() const { return !is_broken() && !is_unknown() && !is_skipped(); }
  /// The contract is kept and lockstep saw no difference: its traffic need not have every kind of
  /// message, a broken contract is a difference by itself.
  bool is_twin() const { return keeps_contract() && has("lockstep", Verdict::passed); }
};

/// Tries `source` on the fabric and with the traffic of `options`. With `is_one_of_many` what
/// cannot be tried is a row of the sheet, else it throws std::invalid_argument.
TopologyTrial try_on_topology(const Options& options, const RtlSource& source,
                              const RouterClaims& claims, bool is_one_of_many);

}  // namespace allport
