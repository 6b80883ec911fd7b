// SPDX-License-Identifier: Apache-2.0
// These functions say what the cycles of a message come to: their sum by cause, and who was in the
// way.
#pragma once

#include <vector>

#include "testbench/observe/explain/explained_trial.h"
#include "testbench/results/explanation.h"

namespace allport {

CauseSum causes_of(const Waits::List& waits);

/// Who was in the way, by cause and message, the longest first; of a queue the last of those that
/// were before it, with their number.
std::vector<Blame> blames_of(const Waits::List& waits, const MessageLog& log);

/// The messages of a trial that were under way when it ended, in cycle `end`, a branch each: by
/// name and place. Those whose head has not been injected are not among them. `told`: as in
/// visit_under_way().
std::vector<UnfinishedMessage> unfinished_messages(ExplainedTrial& trial, const MessageLog& log,
                                                   Cycle end,
                                                   const std::vector<Reception>* told = nullptr);

}  // namespace allport
