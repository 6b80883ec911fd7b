// SPDX-License-Identifier: Apache-2.0
// These functions say what theory knows of a planned run before it is simulated: latencies, lower
// bounds, bandwidths.
#pragma once

#include <cstdint>
#include <optional>

#include "testbench/plan/plan_run.h"
#include "traffic/theory/bandwidth.h"
#include "traffic/theory/lower_bound.h"

namespace allport {

/// What theory knows of the times of a planned run.
TimingParameters timing_of(const RunPlan& plan);

/// The latency of the contention-free timing model: the largest over destinations and trials. None
/// where channels are narrower than a flit: the model does not know how messages queue there; none
/// under a NodeModel that is not the default one, as it knows ts and tr only; and none for a router
/// that takes more than one cycle a hop.
std::optional<Cycle> predicted_latency(const RunPlan& plan);

/// The flits of the longest message of the run's collectives; 0 for a pattern.
std::int64_t longest_message(const RunPlan& plan);

/// The same if a message also waits for the previous one on its injection port, as it does in the
/// fabric; none where predicted_latency() has none, and unless every trial is one multicast by
/// unicasts, of the whole message and from one source. For collectives of blocks,
/// predicted_latency() includes that wait already.
std::optional<Cycle> predicted_latency_with_ports(const RunPlan& plan);

/// The external channel that carries the messages of a trial for the most cycles, the first of
/// equals.
struct BusiestLink {
  Channel channel{};
  Cycle cycles = 0;
};

/// None for a pattern, for trees and joins, and with adaptive routing, whose ways are not known
/// before the run.
std::optional<BusiestLink> busiest_link_of(const RunPlan& plan);

/// The bandwidths of the run's collective if its largest latency is `latency`; of several at once,
/// those of each, if all are alike. None for a pattern, collectives one after another, a barrier,
/// and no latency.
std::optional<Bandwidth> bandwidth_of(const RunPlan& plan, Cycle latency);

/// What no schedule of the run's collectives can beat on this fabric: the largest over trials and
/// collectives. None for a pattern, and for a schedule with several sources.
std::optional<LowerBound> lower_bound_of(const RunPlan& plan);
/// That of one of them; none: joins, a schedule with several sources, or a NodeModel that is not
/// the default one.
std::optional<LowerBound> lower_bound_of(const RunPlan& plan, const PlannedCollective& one);

}  // namespace allport
