// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/completion_log.h"

#include "traffic/schedule/block_flow.h"

namespace allport {

void CompletionLog::begin_trial(const std::vector<PlannedCollective>& collectives,
                                const ProgramTable& programs, const Routing& routing) {
  collectives_ = &collectives;
  programs_ = &programs;
  missing_ = {routing.topology().node_count(), collectives.size(), programs.places(), 0};
  counts_.assign(collectives.size(), false);
  for (std::size_t i = 0; i < collectives.size(); ++i) {
    if (collectives[i].has_joins()) expect_all(static_cast<int>(i), routing);
    if (collectives[i].goal == nullptr) continue;
    counts_[i] = true;
    for (const Unicast& unicast : collectives[i].schedule.unicasts) {
      for (const NodeId node : receivers_of(unicast)) {
        if (is_wanted(unicast, node, *collectives[i].goal)) ++missing(static_cast<int>(i), node);
      }
    }
  }
}

// In a collective with joins every message of its schedule is wanted.
void CompletionLog::expect_all(int collective, const Routing& routing) {
  counts_[static_cast<std::size_t>(collective)] = true;
  for (const Unicast& unicast :
       (*collectives_)[static_cast<std::size_t>(collective)].schedule.unicasts) {
    if (is_join(unicast.kind) && unicast.u != unicast.v) continue;  // the root's stands for all
    for (const NodeId node : receivers(unicast, routing)) ++missing(collective, node);
  }
}

bool CompletionLog::receive(const MessageExtension& extension) {
  const auto at = static_cast<std::size_t>(extension.collective);
  if ((*collectives_)[at].goal == nullptr) {
    return --missing(extension.collective, extension.receiver) == 0;
  }
  const Unicast& unicast = *programs_->sent(extension).unicast;
  if (!is_wanted(unicast, extension.receiver, *(*collectives_)[at].goal)) return false;
  return --missing(extension.collective, extension.receiver) == 0;
}

}  // namespace allport
