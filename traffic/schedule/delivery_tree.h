// SPDX-License-Identifier: Apache-2.0
// A DeliveryTree says who got the message through whom: it is the forest of first receptions, laid
// out so that "the sender of b got the message through a" is one comparison of numbers. Every
// unicast has a position, in preorder; those of one sender stand by first channel, then place in
// its program, each followed by what its receiver sends. What a criterion asks of a pair is then a
// span of positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/schedule/sends.h"

namespace allport {

/// Positions begin .. end - 1.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool contains(std::uint32_t position) const { return begin <= position && position < end; }
};

class DeliveryTree {
 public:
  /// `sends` sorted by step; `received`: first_receptions() of the schedule. A reception counts
  /// when it is the node's first and its sender had the message before (or never receives at all).
  DeliveryTree(const Sends& sends, const std::vector<StepIndex>& received);

  std::uint32_t position(std::size_t send) const { return own_[send].begin; }
  /// The sends of the receiver of `send` and of those it reaches, and `send` itself.
  Span own(std::size_t send) const { return own_[send]; }
  /// The sends of its sender on the same first channel later in its program, after others of the
  /// same step, and what follows from them.
  Span later_on_channel(std::size_t send) const { return later_[send]; }
  /// The sends of its sender and of those it reaches.
  Span of_sender(std::size_t send) const { return of_sender_[send]; }

 private:
  class Programs;
  void number_from(NodeId root, const Sends& sends, const Programs& programs,
                   const std::vector<std::uint32_t>& edges);
  void set_spans(NodeId node, const Sends& sends, const Programs& programs);

  std::uint32_t positions_ = 0;  // positions assigned so far
  std::vector<Span> own_;
  std::vector<Span> later_;
  std::vector<Span> of_sender_;
};

}  // namespace allport
