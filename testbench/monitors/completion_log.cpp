// SPDX-License-Identifier: Apache-2.0
#include "testbench/monitors/completion_log.h"

#include "traffic/schedule/block_flow.h"

namespace allport {

void CompletionLog::begin_trial(const std::vector<PlannedCollective>& collectives,
                                const ProgramTable& programs, std::size_t nodes) {
  collectives_ = &collectives;
  programs_ = &programs;
  nodes_ = nodes;
  missing_.assign(collectives.size() * nodes, 0);
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    if (collectives[i].goal == nullptr) continue;
    for (const Unicast& unicast : collectives[i].schedule.unicasts) {
      for (const NodeId node : receivers_of(unicast)) {
        if (is_wanted(unicast, node, *collectives[i].goal)) ++missing(static_cast<int>(i), node);
      }
    }
  }
}

bool CompletionLog::receive(const MessageExtension& extension) {
  const auto at = static_cast<std::size_t>(extension.collective);
  const Unicast& unicast = *programs_->sent(extension).unicast;
  if (!is_wanted(unicast, extension.receiver, *(*collectives_)[at].goal)) return false;
  return --missing(extension.collective, extension.receiver) == 0;
}

}  // namespace allport
