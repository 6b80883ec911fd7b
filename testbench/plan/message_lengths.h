// SPDX-License-Identifier: Apache-2.0
// MessageLengths says how many flits each message of a planned collective has: all that count flits
// ask it.
#pragma once

#include <cstdint>
#include <optional>

#include "rtl_model/topology/topology.h"
#include "testbench/plan/planned_collective.h"
#include "testbench/plan/run_request.h"
#include "testbench/plan/simulation_config.h"
#include "traffic/schedule/block_lengths.h"

namespace allport {

struct RunPlan;

/// The lengths of the blocks of `collective`, which has a goal.
BlockLengths block_lengths(const PlannedCollective& collective, const SimulationConfig& config);

class MessageLengths {
 public:
  /// `collective` must outlive it.
  MessageLengths(const PlannedCollective& collective, const SimulationConfig& config);

  /// The flits of the message of `unicast`, one of the collective's.
  std::int64_t flits_of(const Unicast& unicast) const;
  /// Those of the longest message; of a collective that is one message, of that.
  std::int64_t longest() const;

 private:
  const PlannedCollective& collective_;
  std::optional<BlockLengths> blocks_;  // none: messages are whole
  std::int64_t whole_ = 0;
};

/// Gives the messages of `planned`, by `algorithm` or, if that is null, of a schedule file, the
/// lists of destinations that `request` asks for. Throws std::invalid_argument, one sentence, if
/// they are no multicast by unicasts that needs lists, each of which carries the message whole.
void add_address_fields(PlannedCollective& planned, const Algorithm* algorithm,
                        const RunRequest& request, const Topology& topology);

/// Throws std::invalid_argument, one sentence, if lists of destinations make messages of `plan`,
/// which has its model, longer than the model moves.
void require_lists_fit(const RunPlan& plan);

}  // namespace allport
