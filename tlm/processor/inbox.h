// SPDX-License-Identifier: Apache-2.0
// An Inbox has what the nodes of collectives with joins have received, by step: a message waits for
// the receptions of earlier steps, and carries the bytes of the last of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <tlm>
#include <tuple>
#include <utility>
#include <vector>

#include "tlm/processor/planned_send.h"

namespace allport {

class Inbox {
 public:
  /// Keeps `message`, which `node` has in cycle `now` and which was sent as `sent`.
  void receive(NodeId node, const PlannedSend& sent, tlm::tlm_generic_payload& message, Cycle now) {
    message.acquire();
    receptions_[{node, sent.collective}].push_back(
        {sent.step, message_extension(message)->source, sent.order, now, &message});
  }
  /// Whether `node` has received all that `send` waits for.
  bool can_send(NodeId node, const PlannedSend& send) const {
    int count = 0;
    for_each(node, send, [&](const Reception&) { ++count; });
    return count >= send.awaits;
  }
  /// The bytes that `send` carries: those of the reception of the latest step before its own, of
  /// several that of the highest source and place; null: those that the node had from the start.
  tlm::tlm_generic_payload* payload_of(NodeId node, const PlannedSend& send) const {
    const Reception* last = nullptr;
    for_each(node, send, [&](const Reception& one) {
      const auto place = [](const Reception& r) { return std::tie(r.step, r.source, r.order); };
      if (last == nullptr || place(*last) < place(one)) last = &one;
    });
    return last == nullptr ? nullptr : last->message;
  }
  /// The cycle in which the last of them came; 0: there are none.
  Cycle complete_since(NodeId node, const PlannedSend& send) const {
    Cycle last = 0;
    for_each(node, send, [&](const Reception& one) { last = std::max(last, one.cycle); });
    return last;
  }
  void clear() {
    for (auto& [place, receptions] : receptions_) {
      for (const Reception& one : receptions) one.message->release();
    }
    receptions_.clear();
  }

 private:
  struct Reception {
    StepIndex step = 0;
    NodeId source{};
    int order = 0;
    Cycle cycle = 0;
    tlm::tlm_generic_payload* message = nullptr;  // acquired
  };

  template <class Action>
  void for_each(NodeId node, const PlannedSend& send, Action action) const {
    const auto found = receptions_.find({node, send.collective});
    if (found == receptions_.end()) return;
    for (const Reception& one : found->second) {
      if (one.step < send.step) action(one);
    }
  }

  std::map<std::pair<NodeId, int>, std::vector<Reception>> receptions_;  // by node, collective
};

}  // namespace allport
