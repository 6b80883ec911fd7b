// SPDX-License-Identifier: Apache-2.0
// A partial order of the sends of a schedule: a comes before b when b cannot want a channel of a's
// while a still holds it. Two sends that share a channel and of which neither comes before the
// other are a violation.
#pragma once

#include <cstdint>

#include "traffic/proof/channel_users.h"

namespace allport {

class SendOrder {
 public:
  SendOrder() = default;
  virtual ~SendOrder() = default;
  SendOrder(const SendOrder&) = delete;
  SendOrder& operator=(const SendOrder&) = delete;

  /// Most sends that are selected at once.
  static constexpr std::size_t most_selected = 512;

  /// A number for each send: one that comes after another has a larger number.
  virtual std::vector<std::uint32_t> ranks() const = 0;
  /// From now on precedes() is asked of these sends, at most most_selected.
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
