// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/channel_users.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace allport {

namespace {

void require_checkable(const std::vector<Send>& sends, const Routing& routing) {
  std::size_t hops = 0;
  for (const Send& send : sends) {
    hops += static_cast<std::size_t>(routing.distance(send.u, send.v));
  }
  if (hops <= max_checked_hops) return;
  throw std::invalid_argument("the routes of the schedule have " + std::to_string(hops) +
                              " hops in all, but the limit of the check is " +
                              std::to_string(max_checked_hops));
}

}  // namespace

ChannelUsers::ChannelUsers(const std::vector<Send>& sends, const Routing& routing, int vcs)
    : sends_(sends), routing_(routing), has_classes_(routing.topology().wraps() && vcs != 1) {
  require_checkable(sends, routing);
  const Topology& topology = routing.topology();
  begins_.resize(topology.node_count() * topology.port_count() + 1);
  const auto send_count = static_cast<std::uint32_t>(sends.size());
  for (std::uint32_t send = 0; send < send_count; ++send) {
    for (const Channel channel : path(send)) ++begins_[number(channel)];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  users_.resize(begins_.back());
  // Goes from the last send to the first, so that the sends of each channel come out ascending.
  for (std::uint32_t send = send_count; send-- > 0;) {
    for (const Channel channel : path(send)) users_[--begins_[number(channel)]] = send;
  }
}

std::size_t ChannelUsers::number(Channel channel) const {
  return index(channel.node) * routing_.topology().port_count() + index(channel.port);
}

std::vector<Channel> ChannelUsers::path(std::uint32_t send) const {
  return routing_.path(sends_[send].u, sends_[send].v, sends_[send].ties);
}

UserRange ChannelUsers::of(Channel channel) const {
  const std::size_t i = number(channel);
  return {users_.data() + begins_[i], users_.data() + begins_[i + 1]};
}

void ChannelUsers::sort(const std::vector<std::uint32_t>& ranks) {
  for (std::size_t i = 0; i + 1 < begins_.size(); ++i) {
    std::sort(users_.begin() + static_cast<std::ptrdiff_t>(begins_[i]),
              users_.begin() + static_cast<std::ptrdiff_t>(begins_[i + 1]),
              [&](std::uint32_t a, std::uint32_t b) { return ranks[a] < ranks[b]; });
  }
}

// The classes that `send` may use on `channel`: 1 h or l, 2 p, 3 both.
unsigned ChannelUsers::classes_on(std::uint32_t send, Channel channel) const {
  const Send& one = sends_[send];
  if (routing_.route(channel.node, one.v, one.ties)->vc_class == VcClass::p) return 2;
  if (routing_.vc_use() == VcUse::strict) return 1;
  // The message has not crossed the wraparound link of this dimension if it came the direct way.
  const std::size_t dimension = routing_.topology().dimension_of(channel.port);
  const int from = routing_.topology().coordinate(one.u, dimension);
  const int here = routing_.topology().coordinate(channel.node, dimension);
  const bool has_crossed = index(channel.port) % 2 == 0 ? here < from : here > from;
  return has_crossed ? 1 : 3;
}

bool ChannelUsers::share_class(std::uint32_t a, std::uint32_t b, Channel channel) const {
  return !has_classes_ || (classes_on(a, channel) & classes_on(b, channel)) != 0;
}

Channel ChannelUsers::first_shared(std::uint32_t a, std::uint32_t b, Shared what) const {
  const std::vector<Channel> others = path(b);
  for (const Channel channel : path(a)) {
    if (std::find(others.begin(), others.end(), channel) == others.end()) continue;
    if (what == Shared::channel || share_class(a, b, channel)) return channel;
  }
  throw std::logic_error("first_shared: the routes share no channel");
}

}  // namespace allport
