// SPDX-License-Identifier: Apache-2.0
#include "traffic/proof/channel_users.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace allport {

namespace {

constexpr std::uint32_t nobody = UINT32_MAX;

void require_checkable(const Sends& sends, const Routing& routing) {
  std::size_t hops = 0;
  for (std::size_t i = 0; i < sends.size(); ++i) {
    hops += static_cast<std::size_t>(routing.distance(sends[i].u, sends[i].v));
  }
  if (hops <= max_checked_hops) return;
  throw std::invalid_argument("the routes of the schedule have " + std::to_string(hops) +
                              " hops in all, but the limit of the check is " +
                              std::to_string(max_checked_hops));
}

}  // namespace

ChannelUsers::ChannelUsers(const Sends& sends, const Routing& routing, int vcs)
    : sends_(sends),
      routing_(routing),
      has_classes_(routing.layers_among(vcs == 0 ? routing.default_vcs() : vcs) > 1) {
  require_checkable(sends, routing);
  count_users();
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  users_.resize(begins_.back());
  // Goes from the last send to the first, so that the sends of each channel come out ascending.
  std::vector<std::uint32_t> last(begins_.size(), nobody);
  for (auto send = static_cast<std::uint32_t>(sends.size()); send-- > 0;) {
    routing.walk(sends[send].u, sends[send].v, sends.ties(send), [&](Channel channel) {
      const std::size_t at = number(channel);
      if (std::exchange(last[at], send) == send) return;  // its way crosses the channel twice
      users_[--begins_[at]] = send;
    });
  }
}

void ChannelUsers::count_users() {
  const std::size_t ports = routing_.topology().port_count();
  const std::size_t channels = routing_.topology().router_count() * ports;
  begins_.resize(channels + 1);
  has_meetings_.resize(channels);
  has_several_queues_.resize(channels);
  std::vector<std::uint32_t> last(channels, nobody);  // the last send that uses it
  for (std::uint32_t i = 0; i < sends_.size(); ++i) {
    const Unicast& send = sends_[i];
    routing_.walk(send.u, send.v, sends_.ties(i), [&](Channel channel) {
      const std::size_t at = number(channel);
      const std::uint32_t other = std::exchange(last[at], i);
      if (other == i) return;
      ++begins_[at];
      if (other == nobody) return;
      const Unicast& before = sends_[other];
      if (before.step == send.step) has_meetings_[at] = true;
      const bool is_one_queue =
          before.u == send.u && sends_.first_channel(other) == sends_.first_channel(i);
      if (!is_one_queue) has_several_queues_[at] = true;
    });
  }
  for (std::size_t at = 0; at < channels; ++at) {
    if (begins_[at] > 1) shared_.push_back({node_id(at / ports), port_id(at % ports)});
  }
}

std::size_t ChannelUsers::number(Channel channel) const {
  return index(channel.node) * routing_.topology().port_count() + index(channel.port);
}

std::vector<Channel> ChannelUsers::path(std::uint32_t send) const {
  return routing_.path(sends_[send].u, sends_[send].v, sends_.ties(send));
}

UserRange ChannelUsers::of(Channel channel) const {
  const std::size_t i = number(channel);
  return {users_.data() + begins_[i], users_.data() + begins_[i + 1]};
}

void ChannelUsers::sort(Channel channel, const std::vector<std::uint32_t>& ranks) {
  const std::size_t i = number(channel);
  std::sort(users_.begin() + static_cast<std::ptrdiff_t>(begins_[i]),
            users_.begin() + static_cast<std::ptrdiff_t>(begins_[i + 1]),
            [&](std::uint32_t a, std::uint32_t b) { return ranks[a] < ranks[b]; });
}

// The classes that `send` may use on `channel`: 1 h or l, 2 p, 3 both; under a table bit i of
// layer i.
unsigned ChannelUsers::classes_on(std::uint32_t send, Channel channel) const {
  const Unicast& one = sends_[send];
  if (routing_.table() != nullptr) {
    unsigned layers = 0;
    routing_.walk_hops(one.u, one.v, 0, [&](NodeId here, const Hop& hop) {
      if (channel == Channel{here, hop.port}) layers |= 1U << layer_of(hop.vc_class);
    });
    return layers;
  }
  if (routing_.route(channel.node, one.v, sends_.ties(send))->vc_class == VcClass::p) return 2;
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
