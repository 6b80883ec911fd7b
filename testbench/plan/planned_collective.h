// SPDX-License-Identifier: Apache-2.0
// A PlannedCollective is what is planned for a collective of a run: who has the message, who must
// receive it, and what is sent.
#pragma once

#include <memory>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/topology/message_kind.h"
#include "traffic/proof/sound_schedule.h"
#include "traffic/schedule/address_fields.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// A collective and the plan that carries it out.
struct PlannedCollective {
  std::vector<NodeId> sources;       ///< nodes that hold the message from the start; usually one
  std::vector<NodeId> destinations;  ///< nodes whose latency counts
  Schedule schedule;
  /// Tree or path: it is sent as one worm of that kind, and the schedule lists the worm's edges;
  /// otherwise the schedule lists the messages.
  MessageKind kind = MessageKind::unicast;
  /// Whether it is a barrier of messages that follows a collective of the run (barrier_messages).
  bool is_barrier = false;
  /// The goal of a schedule whose unicasts carry blocks; none: they carry the whole message.
  std::shared_ptr<const Collective> goal{};
  DimensionMask free = 0;  ///< tree: the free dimensions of its group; 0: all
  /// Of a collective by joins, which has no blocks: what it achieves. (Otherwise that of the goal,
  /// or a multicast.)
  Operation operation = Operation::bcast;
  Cycle start = 0;  ///< of a load: the cycle in which it starts
  /// Of a load: whether it is a message of the pattern beside the collectives.
  bool is_background = false;
  /// Of a schedule file that is checked: what is wrong with the lines that are not in the schedule.
  std::shared_ptr<const LeftOut> left_out{};
  /// What lists of destinations add to its messages, which then carry the whole message.
  AddressFields address_fields{};

  /// Whether some of its messages are joins: every sender has a message of its own from the start,
  /// and sends what stands in a step only when it has received all of the earlier steps.
  bool has_joins() const;

  /// Whether one tree or path message carries it out, not those of its schedule.
  bool is_one_message() const { return goes_to_all(kind); }
};

}  // namespace allport
