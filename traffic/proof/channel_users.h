// SPDX-License-Identifier: Apache-2.0
// The index leads from a channel to the sends whose routes use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "traffic/schedule/sends.h"

namespace allport {

/// Largest number of hops of all routes together; the index takes 4 bytes for each.
constexpr std::size_t max_checked_hops = std::size_t{1} << 27;

/// Sends by their index.
using SendList = std::vector<std::uint32_t>;

/// The sends on a channel, in the order in which ChannelUsers has them.
struct UserRange {
  const std::uint32_t* first = nullptr;
  const std::uint32_t* last = nullptr;
  const std::uint32_t* begin() const { return first; }
  const std::uint32_t* end() const { return last; }
  std::size_t size() const { return static_cast<std::size_t>(last - first); }
  std::uint32_t operator[](std::size_t i) const { return first[i]; }
};

/// What two messages share: a channel, or one class of its virtual channels.
enum class Shared { channel, vc_class };

class ChannelUsers {
 public:
  /// `vcs` is the number of virtual channels of a channel, 0 for the topology's default. Throws
  /// std::invalid_argument when the routes have more than max_checked_hops hops in all.
  ChannelUsers(const Sends& sends, const Routing& routing, int vcs = 0);

  const Routing& routing() const { return routing_; }
  /// The sends that use `channel`: ascending, until sort().
  UserRange of(Channel channel) const;
  /// The channels that several sends use, in the order of the topology's: the others decide
  /// nothing.
  const std::vector<Channel>& shared() const { return shared_; }
  /// Whether two sends of one step use `channel`.
  bool has_meetings(Channel channel) const { return has_meetings_[number(channel)]; }
  /// Whether all sends on `channel` have one sender, and one first channel.
  bool has_one_queue(Channel channel) const { return !has_several_queues_[number(channel)]; }
  /// Puts the sends of `channel` in the order of `ranks`, by send.
  void sort(Channel channel, const std::vector<std::uint32_t>& ranks);
  /// The first channel of a's route that b's route uses as well, or of which it uses the same class
  /// of virtual channels; there must be one.
  Channel first_shared(std::uint32_t a, std::uint32_t b, Shared what = Shared::channel) const;
  /// Whether a and b, both on `channel`, use the same class of its virtual channels there, or may
  /// use it where the use is balanced; true where channels have no classes.
  bool share_class(std::uint32_t a, std::uint32_t b, Channel channel) const;
  /// The route of `send`.
  std::vector<Channel> path(std::uint32_t send) const;

 private:
  std::size_t number(Channel channel) const;
  void count_users();
  unsigned classes_on(std::uint32_t send, Channel channel) const;
  const Sends& sends_;
  const Routing& routing_;
  bool has_classes_;
  std::vector<bool> has_meetings_;        // by channel
  std::vector<bool> has_several_queues_;  // by channel
  std::vector<Channel> shared_;
  std::vector<std::uint32_t> begins_;  // first index of each channel in users_
  std::vector<std::uint32_t> users_;   // by channel, then send
};

}  // namespace allport
