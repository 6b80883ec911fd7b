// SPDX-License-Identifier: Apache-2.0
// A router of the user's own put to the test: the conformance kit at its pins, a whole fabric of
// it, and lockstep with the SystemC router; the verdict sheet.
#pragma once

#include <functional>

#include "testbench/conformance/topology_trial.h"

namespace allport {

/// A whole verdict.
struct RouterTrial {
  RtlSource source;
  RouterClaims claims;
  Switching switching = Switching::wormhole;  ///< that it was tried with
  bool is_adaptive = false;                   ///< likewise
  std::vector<TopologyTrial> topologies;

  bool is_broken() const;
  bool is_unknown() const;  ///< not broken, and on a topology it is not known
  bool keeps_contract() const { return !is_broken() && !is_unknown(); }
  bool is_twin() const;
};

/// Told after each topology; the trial's last one is new.
using TrialLog = std::function<void(const RouterTrial&)>;

/// Tries the router that `options` name on the fabric that `options` ask for, or on a small one it
/// claims, with their traffic or uniform traffic; with --all-topologies on all it claims. Throws
/// std::invalid_argument for what cannot be tried at all.
RouterTrial try_router(const Options& options, const TrialLog& log);

/// Check, verdict and detail of each row.
Json rows_json(const std::vector<SheetRow>& rows);
/// What the router declares; the rows of one topology; what follows from all.
std::string sheet_head(const RouterTrial& trial, const Style& style);
std::string topology_sheet(const TopologyTrial& topology, const Style& style);
std::string sheet_verdict(const RouterTrial& trial, const Style& style);
Json verdict_json(const RouterTrial& trial);

}  // namespace allport
