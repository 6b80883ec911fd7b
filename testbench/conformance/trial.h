// SPDX-License-Identifier: Apache-2.0
// A router of the user's own put to the test: the conformance kit at its pins, a whole fabric of
// it, and lockstep with the SystemC router; the verdict sheet.
#pragma once

#include "testbench/conformance/router_kit.h"
#include "testbench/plan/plan_run.h"
#include "testbench/program/options/options.h"
#include "testbench/program/report/difference_report.h"

namespace allport {

/// What came of a router on one topology.
struct TopologyTrial {
  std::string topology;
  std::vector<SheetRow> rows;
  Json lockstep;  ///< as difference_report.h; null where it was not reached

  bool keeps_contract() const;  ///< no row but `lockstep` failed
  /// The contract is kept and lockstep saw no difference: its traffic need not have every kind of
  /// message, a broken contract is a difference by itself.
  bool is_twin() const;
};

/// A whole verdict.
struct RouterTrial {
  RtlSource source;
  RouterClaims claims;
  std::vector<TopologyTrial> topologies;

  bool keeps_contract() const;
  bool is_twin() const;
};

/// Tries the router that `options` name on the fabric that `options` ask for, or on a small one it
/// claims, with their traffic or uniform traffic; with --all-topologies on all it claims. Throws
/// std::invalid_argument for what cannot be tried at all.
RouterTrial try_router(const Options& options);

/// Check, verdict and detail of each row.
Json rows_json(const std::vector<SheetRow>& rows);
std::string verdict_sheet(const RouterTrial& trial, const Style& style);
Json verdict_json(const RouterTrial& trial);

}  // namespace allport
