// SPDX-License-Identifier: Apache-2.0
// A SendOrder is a partial order of the sends of a schedule: a comes before b if b cannot want a
// channel of a's while a still holds it. Two sends that share a channel are a violation if neither
// comes before the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/proof/channel_users.h"

namespace allport {

class SendOrder {
 public:
  SendOrder() = default;
  virtual ~SendOrder() = default;
  SendOrder(const SendOrder&) = delete;
  SendOrder& operator=(const SendOrder&) = delete;

  /// Largest number of sends that are selected at once.
  static constexpr std::size_t most_selected = 512;

  /// A number for each send; a send that comes after another has a larger number.
  virtual const std::vector<std::uint32_t>& ranks() const = 0;
  /// Whether every two sends of one sender by one first channel are in order.
  virtual bool orders_queues() const { return false; }
  /// Selects the sends, at most most_selected, on which precedes() answers from now on.
  virtual void select(const SendList& firsts) { firsts_ = firsts; }
  /// Whether selected send number `i` comes before `second`, which has a larger rank.
  virtual bool precedes(std::size_t i, std::uint32_t second) = 0;

  /// The selected send of number `i`.
  std::uint32_t selected(std::size_t i) const { return firsts_[i]; }
  std::size_t selected_count() const { return firsts_.size(); }

 private:
  SendList firsts_;
};

}  // namespace allport
