// SPDX-License-Identifier: Apache-2.0
// A collective of a run, planned: who has the message, who is to have it, and what is sent.
#pragma once

#include <memory>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/topology/message_kind.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// A collective and the plan that carries it out.
struct PlannedCollective {
  std::vector<NodeId> sources;       ///< hold the message from the start; usually one
  std::vector<NodeId> destinations;  ///< whose latency counts
  Schedule schedule;
  /// Tree or path: sent as one worm of that kind from the source; the schedule is its edges.
  MessageKind worm = MessageKind::unicast;
  /// A barrier of messages: not a collective of the run, but behind one of them (barrier_messages).
  bool is_barrier = false;
  /// The goal of a schedule whose unicasts carry blocks; none: they carry the whole message.
  std::shared_ptr<const Collective> goal{};

  bool is_worm() const { return worm != MessageKind::unicast; }
};

}  // namespace allport
