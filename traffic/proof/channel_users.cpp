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
                              " hops in all, the limit of the check is " +
                              std::to_string(max_checked_hops));
}

}  // namespace

ChannelUsers::ChannelUsers(const std::vector<Send>& sends, const Routing& routing)
    : sends_(sends), routing_(routing) {
  require_checkable(sends, routing);
  const Topology& topology = routing.topology();
  begins_.resize(topology.node_count() * topology.port_count() + 1);
  const auto send_count = static_cast<std::uint32_t>(sends.size());
  for (std::uint32_t send = 0; send < send_count; ++send) {
    for (const Channel channel : path(send)) ++begins_[number(channel)];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  users_.resize(begins_.back());
  // From the last send down, so that each channel's come out ascending.
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

SendList ChannelUsers::of(Channel channel) const {
  const auto begin = users_.begin() + static_cast<std::ptrdiff_t>(begins_[number(channel)]);
  const auto end = users_.begin() + static_cast<std::ptrdiff_t>(begins_[number(channel) + 1]);
  return {begin, end};
}

std::vector<SendList> ChannelUsers::by_next_port(Channel channel) const {
  std::vector<SendList> lists(routing_.topology().port_count());
  const NodeId next = *routing_.topology().neighbour(channel.node, channel.port);
  for (const std::uint32_t send : of(channel)) {
    const std::optional<Hop> hop = routing_.route(next, sends_[send].v, sends_[send].ties);
    if (hop) lists[index(hop->port)].push_back(send);
  }
  return lists;
}

SendList ChannelUsers::later_partners(std::uint32_t send) const {
  SendList partners;
  for (const Channel channel : path(send)) {
    const SendList users = of(channel);
    partners.insert(partners.end(), std::upper_bound(users.begin(), users.end(), send),
                    users.end());
  }
  std::sort(partners.begin(), partners.end());
  partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
  return partners;
}

Channel ChannelUsers::first_shared(std::uint32_t a, std::uint32_t b) const {
  const std::vector<Channel> others = path(b);
  for (const Channel channel : path(a)) {
    if (std::find(others.begin(), others.end(), channel) != others.end()) return channel;
  }
  throw std::logic_error("first_shared: the routes share no channel");
}

}  // namespace allport
