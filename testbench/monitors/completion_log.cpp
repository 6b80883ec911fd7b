// SPDX-License-Identifier: Apache-2.0
#include "testbench/monitors/completion_log.h"

namespace allport {

void CompletionLog::begin_trial(const ProgramTable& programs, std::size_t nodes) {
  programs_ = &programs;
  nodes_ = nodes;
  missing_.assign(programs.collectives() * nodes, 0);
  for (std::size_t collective = 0; collective < programs.collectives(); ++collective) {
    for (std::size_t node = 0; node < nodes; ++node) {
      for (const PlannedSend& send : programs.sends(node_id(node), collective)) {
        if (send.is_wanted) ++missing(static_cast<int>(collective), send.destination);
      }
    }
  }
}

bool CompletionLog::receive(const MessageExtension& extension) {
  if (!programs_->sent(extension).is_wanted) return false;
  return --missing(extension.collective, extension.receiver) == 0;
}

}  // namespace allport
