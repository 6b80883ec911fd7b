// SPDX-License-Identifier: Apache-2.0
// The proof finds which pairs of unicasts share a channel without being ordered. All pairs are
// considered, but not one by one: an order is transitive, so all sends of a channel are in order if
// each comes before the next one. Where that fails, the pairs are counted and stored up to a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "traffic/proof/channel_users.h"
#include "traffic/proof/schedule_check.h"
#include "traffic/schedule/delivery_tree.h"

namespace allport {

/// A SendOrder is a partial order of the sends of a schedule: a comes before b if b cannot want a
/// channel of a's while a still holds it. Two sends that share a channel are a violation if neither
/// comes before the other.
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

struct ContentionFindings {
  Finding stepwise;
  Finding stepwise_vc;
  Finding definition4;
  Finding theorem1;
};

/// Violating pairs of sends, each once, up to a limit.
class PairSet {
 public:
  explicit PairSet(const CheckLimits& limits) : limits_(limits) {}

  /// Adds `a` and `b`, in any order. Once there are more pairs than the limit, nothing is added.
  void add(std::uint32_t a, std::uint32_t b);
  void add(const PairSet& others);
  bool is_full() const { return is_full_; }
  /// The pairs, ascending; at most one more than the limit.
  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& sorted() const;
  Finding finding(const Sends& sends, const ChannelUsers& users,
                  Shared what = Shared::channel) const;
  const CheckLimits& limits() const { return limits_; }

 private:
  void settle() const;

  CheckLimits limits_;
  mutable std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::size_t settled_at_ = 1024;  // distinct pairs are counted when there are that many
  bool is_full_ = false;
};

/// Judges all pairs of `sends`, sorted by step, u and order, of a message that goes down `tree`.
ContentionFindings find_contention(const Sends& sends, const DeliveryTree& tree,
                                   ChannelUsers& users, const CheckLimits& limits);

/// The pairs that no order can settle: those of one step (which share a channel, or one class of
/// its virtual channels), and those of one sender that go around a
/// ring in different directions and meet again.
PairSet find_meetings(const Sends& sends, const ChannelUsers& users, const CheckLimits& limits,
                      Shared what = Shared::channel);
PairSet find_remeetings(const Sends& sends, const ChannelUsers& users, const CheckLimits& limits);

/// Adds to `pairs` the pairs on a common channel in which neither send comes before the other in
/// `order`. Sorts `users` by its ranks.
void add_unordered(SendOrder& order, const Sends& sends, ChannelUsers& users, PairSet& pairs);

}  // namespace allport
