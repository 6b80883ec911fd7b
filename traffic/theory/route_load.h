// SPDX-License-Identifier: Apache-2.0
// What the routes of all pairs of nodes make of a fabric: how long they are, and how many of them
// lead over each channel, with uniform traffic and with the worst permutation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rtl_model/topology/routing.h"

namespace allport {

/// Most pairs of nodes whose routes are followed.
constexpr std::uint64_t max_followed_pairs = std::uint64_t{1} << 30;

/// The cycles for which a flit occupies each channel.
using ChannelPhits = std::function<int(Channel)>;

struct RouteLoad {
  std::vector<std::uint64_t>
      pairs_by_hops;                 ///< pairs of different nodes, by the hops of their route
  std::vector<std::uint64_t> pairs;  ///< over each channel, by node, then port
  std::vector<std::uint8_t> phits;   ///< of each channel, likewise
  std::size_t nodes = 0;
  std::size_t ports = 0;  ///< of a router

  std::uint64_t pair_count() const { return std::uint64_t{nodes} * (nodes - 1); }
  double mean_hops() const;
  /// Flits that cross a channel in a cycle if each node sends one in a cycle, to all others alike.
  double uniform_load(Channel channel) const {
    return static_cast<double>(pairs_over(channel)) / static_cast<double>(nodes - 1);
  }
  /// The cycles for which these flits occupy it: the channel carries them up to 1.
  double uniform_use(Channel channel) const { return uniform_load(channel) * phits_of(channel); }
  int phits_of(Channel channel) const {
    return phits[index(channel.node) * ports + index(channel.port)];
  }
  std::uint64_t pairs_over(Channel channel) const {
    return pairs[index(channel.node) * ports + index(channel.port)];
  }
  /// The channel that is occupied most, the first of equals.
  Channel busiest() const;
};

/// The routes under `routing`, which is deterministic, of messages whose ties are those of their
/// senders' first. Throws std::invalid_argument for more than max_followed_pairs.
RouteLoad route_load(const Routing& routing, const ChannelPhits& phits);

/// A permutation that occupies a channel more than any occupies any other one.
struct WorstPermutation {
  Channel channel{};
  std::size_t pairs = 0;   ///< of it, that cross the channel: each has a sender of its own, ..
  std::size_t cycles = 0;  ///< for which a flit of each of them occupies it
  std::vector<std::pair<NodeId, NodeId>> crossing{};  ///< .. and a receiver
};

/// Most nodes for which it is looked for: for each channel it takes a matching of the pairs over it
/// [TowlesDally02].
constexpr std::size_t max_matched_nodes = 256;

/// None on larger fabrics.
std::optional<WorstPermutation> worst_permutation(const Routing& routing,
                                                  const ChannelPhits& phits);

}  // namespace allport
