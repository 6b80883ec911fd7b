// SPDX-License-Identifier: Apache-2.0
// channel_uses() says what every channel does in every cycle of a run (docs/explain.md, section 5).
#pragma once

#include <cstddef>
#include <vector>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/observe/monitors/measurement_window.h"
#include "testbench/results/explanation.h"
#include "tlm/message/message_log.h"

namespace allport {

/// The place that `channel` is, seen from its sender; or that of a processor.
Resource resource_of(const FabricChannels& channels, FabricChannels::Number channel);

/// Most rows that channel_uses() gives.
constexpr std::size_t max_channel_uses = std::size_t{1} << 22;

/// The rows that channel_uses() would give.
std::size_t channel_use_count(const FabricChannels& channels, const MeasurementWindow& span,
                              Cycle every);

/// The use of every external, injection and ejection channel in the cycles of `span` of `trial`,
/// which has `cycles` cycles, in stretches of `every` cycles (0: one): by stretch, then channel. A
/// flit counts in the cycle in which it is sent.
std::vector<ChannelUse> channel_uses(const ExplainedTrial& trial, const MessageLog& log,
                                     Cycle cycles, const MeasurementWindow& span, Cycle every);

}  // namespace allport
