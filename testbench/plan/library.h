// SPDX-License-Identifier: Apache-2.0
// A program may ask two things about a plan: is it proved correct, and what does theory predict?
// With plan() of plan_run.h and simulate() of testbench/simulation/simulate.h this is the library
// (docs/library.md).
#pragma once

#include <optional>

#include "testbench/plan/plan_theory.h"
#include "testbench/plan/verdict.h"

namespace allport {

/// What `allport check` says about the last trial of `plan`.
inline StaticVerdict check(const RunPlan& plan) {
  return check_statically(plan, Results{}, nullptr);
}

/// Latencies without contention, the largest over destinations and trials, in cycles.
struct Theory {
  /// By the papers' timing model; none where channels are narrower than a flit.
  std::optional<Cycle> latency;
  /// The same if messages wait at their injection ports, as they do in the fabric; none unless
  /// every trial is one multicast by unicasts from one source.
  std::optional<Cycle> with_ports;
};

/// The prediction that is compared with the simulation of `plan`; for collectives only.
inline Theory theory(const RunPlan& plan) {
  return {predicted_latency(plan), predicted_latency_with_ports(plan)};
}

}  // namespace allport
