// SPDX-License-Identifier: Apache-2.0
// A PartPlan makes plans whose blocks go in parts, each part its own way through the fabric: a node
// sends by step, and in a step by part.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/collective.h"
#include "traffic/schedule/schedule.h"

namespace allport {

class PartPlan {
 public:
  /// `routing` must outlive the plan.
  PartPlan(const Routing& routing, int internal_ports, int parts)
      : routing_(routing), internal_ports_(internal_ports), parts_(parts) {}

  /// The parts turn: what goes the way of part q is part (q + turns[b]) mod Q of the block b. Where
  /// the first parts are longer ones, no way then has all of these.
  void turn_parts(std::vector<std::size_t> turns) { turns_ = std::move(turns); }

  int parts() const { return parts_; }
  /// Makes room for `messages` more that carry `blocks` blocks together. Throws
  /// std::invalid_argument when there are too many of either.
  void reserve(std::size_t messages, std::size_t blocks);
  /// Part `part`, 0 .. parts - 1, of `blocks`, or what goes its way where the parts turn.
  OneOrMore<BlockId> carried(int part, const std::vector<std::size_t>& blocks) const;
  /// A message that takes `route`'s u, v and displacement. It has `carried` of part `part`, which
  /// the receiver adds to its own if `adds` says so. A node has one message for each step and part.
  void send(const Unicast& route, StepIndex step, int part, OneOrMore<BlockId> carried, bool adds);
  /// The same with what is carried of `blocks`.
  void send(const Unicast& route, StepIndex step, int part, const std::vector<std::size_t>& blocks,
            bool adds = false);
  /// The same with what is carried of one block.
  void send(const Unicast& route, StepIndex step, int part, std::size_t block, bool adds = false);
  /// Hands over the plan, of `operation` over a vector of `vector_blocks` blocks if it is over a
  /// vector; the plan is empty then. Messages get later steps than
  /// they were given if an injection port is taken twice.
  Schedule take(Operation operation, NodeId root, std::size_t vector_blocks = 1);

 private:
  BlockId part_of(std::size_t block, int part) const {
    const auto parts = static_cast<std::size_t>(parts_);
    const std::size_t way = static_cast<std::size_t>(part) + (turns_.empty() ? 0 : turns_[block]);
    return static_cast<BlockId>(block * parts + way % parts);
  }

  const Routing& routing_;
  int internal_ports_;
  int parts_;
  std::vector<std::size_t> turns_;  // by block; empty: none turns
  std::size_t carried_ = 0;         // blocks, of all messages that there is room for
  Schedule schedule_;
};

}  // namespace allport
