// SPDX-License-Identifier: Apache-2.0
// This header plans any collective among any nodes of any fabric, some of whose links may be
// missing. All messages go between neighbours, so that none waits for a channel behind another
// node's. Several plans are made, with messages of few and of many blocks, and the one with the
// least latency in theory is the plan.
//   all-gather, bcast   copies of blocks [Won24]
//   scatter, alltoall   each block one hop nearer to its node in a round
//   reduce-scatter, reduce, gather   an all-gather, bcast or scatter backwards
//   allreduce           a reduce-scatter and an all-gather, or as a barrier
//   barrier             a reduce and a bcast, or exchanges in pairs
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"
#include "traffic/theory/timing_model.h"

namespace allport {

/// Largest number of receptions of blocks that are planned, and of nodes of a fabric.
constexpr std::size_t max_synthesized = std::size_t{1} << 18;
constexpr std::size_t max_synthesis_nodes = 4096;

struct SynthesisRequest {
  const Routing& routing;
  int internal_ports;            ///< of a node
  const Collective& goal;        ///< blocks, parts counted one by one
  std::vector<Channel> missing;  ///< channels that are not to be used, sorted
  TimingParameters timing;       ///< of the run; `flits` of a block, a message or a vector
  std::uint64_t seed = 1;        ///< of the draws
};

/// Throws std::invalid_argument when there are too many receptions or nodes, and when no way leads
/// from a node to another one to which a block must go.
Schedule synthesize(const SynthesisRequest& request);

}  // namespace allport
