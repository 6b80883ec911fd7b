// SPDX-License-Identifier: Apache-2.0
#include "tlm/processor/planned_send.h"

#include <algorithm>

namespace allport {

ProgramTable::ProgramTable(std::size_t nodes, std::size_t collectives, PairPlaces places)
    : nodes_(nodes),
      collectives_(collectives),
      sends_(nodes, collectives, places),
      has_steps_(collectives) {}

PlannedSend& ProgramTable::add(NodeId node, const PlannedSend& send) {
  return sends(node, static_cast<std::size_t>(send.collective)).emplace_back(send);
}

std::vector<PlannedSend>& ProgramTable::sends(NodeId node, std::size_t collective) {
  return sends_.at(node, collective);
}

const std::vector<PlannedSend>& ProgramTable::sends(NodeId node, std::size_t collective) const {
  return sends_.of(node, collective);
}

Cycle ProgramTable::last_start() const {
  Cycle last = 0;
  for (std::size_t node = 0; node < starts_.size(); ++node) {
    for (std::size_t i = 0; i < collectives_; ++i) {
      if (!sends(node_id(node), i).empty()) last = std::max(last, starts_[node]);
    }
  }
  return last;
}

const PlannedSend& ProgramTable::sent(const MessageExtension& extension) const {
  const auto& program = sends(extension.source, static_cast<std::size_t>(extension.collective));
  return *std::partition_point(program.begin(), program.end(), [&](const PlannedSend& send) {
    return send.order < extension.order;
  });
}

}  // namespace allport
