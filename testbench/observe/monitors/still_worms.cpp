// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/still_worms.h"

#include <algorithm>

namespace allport {

const WormRouter& StillWorms::state(NodeId node) const {
  const auto found = routers_.find(node);
  if (found != routers_.end()) return found->second;
  return routers_.try_emplace(node, store_, node).first->second;
}

std::vector<QuiescentFabric::Queued> StillWorms::queue(NodeId node, int port,
                                                       int message_class) const {
  std::vector<Queued> messages;
  for (const WormQueued& one : engine_.queued(node, port, message_class)) {
    messages.push_back({one.message, one.is_at_head, one.start});
  }
  return messages;
}

Cycle StillWorms::still_since(NodeId node, Cycle otherwise) const {
  const Cycle end = deadlock_cycle();  // a credit may still come then, which moves nothing
  return std::min(state(node).still_since().value_or(otherwise), end);
}

void StillWorms::settle_waits(ContentionMonitor& monitor) const {
  const Cycle end = deadlock_cycle() + 1;
  for (const Passage& passage : store_.passages) {
    if (!passage.is_waiting || passage.held_by == no_message) continue;
    const Loss loss{node_id(passage.node), passage.output, passage.message, passage.held_by};
    const Cycle first = passage.waiting_since;
    if (!monitor.count(store_.config, loss, first, end - first)) {
      monitor.remember(store_.config, loss, passage.input_vc, first);
    }
  }
}

}  // namespace allport
