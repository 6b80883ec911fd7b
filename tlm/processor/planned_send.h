// SPDX-License-Identifier: Apache-2.0
// A ProgramTable has the messages that each node sends in each collective of a run, and when it
// starts.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tlm/message/message.h"
#include "tlm/processor/pair_table.h"
#include "traffic/schedule/schedule.h"

namespace allport {

/// One message of a node's program.
struct PlannedSend : MessageHeader {
  NodeId destination{};
  Cycle jitter = 0;  ///< delay at the injection port
  /// The unicast that it performs, if that carries blocks; null: it carries the whole message.
  const Unicast* unicast = nullptr;
  /// In a collective with joins: its step, and the receptions of earlier steps for which it waits.
  StepIndex step = 0;
  int awaits = 0;
};

class ProgramTable {
 public:
  ProgramTable(std::size_t nodes, std::size_t collectives, PairPlaces places = PairPlaces::all);
  /// Adds `send` to the program of `node`, in the collective that its header names.
  PlannedSend& add(NodeId node, const PlannedSend& send);
  std::vector<PlannedSend>& sends(NodeId node, std::size_t collective);
  const std::vector<PlannedSend>& sends(NodeId node, std::size_t collective) const;
  std::size_t nodes() const { return nodes_; }
  std::size_t collectives() const { return collectives_; }
  /// Which pairs of node and collective have a place in it, and should have one in other tables.
  PairPlaces places() const { return sends_.places(); }
  /// Lets each node start in its cycle of `starts`, by number; without a call all start in cycle 0.
  void start_at(std::vector<Cycle> starts) { starts_ = std::move(starts); }
  /// The cycle before which `node` prepares nothing.
  Cycle start_of(NodeId node) const { return starts_.empty() ? 0 : starts_[index(node)]; }
  /// The latest of these cycles among the nodes that send.
  Cycle last_start() const;
  /// From now on the sends of `collective`, one with joins, have steps.
  void set_steps(std::size_t collective) { has_steps_[collective] = true; }
  /// Whether they have.
  bool has_steps(std::size_t collective) const { return has_steps_[collective]; }
  /// The message to which `extension` belongs, in its sender's program (which is in order).
  const PlannedSend& sent(const MessageExtension& extension) const;

 private:
  std::size_t nodes_;
  std::size_t collectives_;
  PairTable<std::vector<PlannedSend>> sends_;
  std::vector<Cycle> starts_;  // by node; empty: all 0
  std::vector<bool> has_steps_;
};

}  // namespace allport
