// SPDX-License-Identifier: Apache-2.0
// What every channel does in every cycle of a run (docs/explain.md, section 5).
#pragma once

#include <vector>

#include "testbench/explain/history.h"
#include "testbench/results/explanation.h"
#include "tlm/message/message_log.h"

namespace allport {

/// The place that `channel` is, seen from its sender; or that of a processor.
Spot spot_of(const FabricChannels& channels, FabricChannels::Number channel);

/// The use of every external, injection and ejection channel in the cycles 0 .. `cycles` - 1, in
/// stretches of `every` cycles (0: one): by stretch, then channel. A flit counts in the cycle in
/// which it is sent.
std::vector<ChannelUse> channel_uses(const History& history, const MessageLog& log, Cycle cycles,
                                     Cycle every);

}  // namespace allport
