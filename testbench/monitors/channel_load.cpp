// SPDX-License-Identifier: Apache-2.0
#include "testbench/monitors/channel_load.h"

#include <algorithm>
#include <numeric>

namespace allport {

ChannelCounter::ChannelCounter(const Routing& routing)
    : routing_(routing),
      ports_(routing.topology().port_count()),
      flits_(routing.topology().node_count() * ports_, 0) {}

void ChannelCounter::add(NodeId source, NodeId destination, std::int64_t flits) {
  NodeId here = source;
  while (const std::optional<Hop> hop = routing_.route(here, destination, 0)) {
    flits_[index(here) * ports_ + index(hop->port)] += static_cast<std::uint64_t>(flits);
    here = *routing_.topology().neighbour(here, hop->port);
  }
}

void ChannelCounter::add(const std::vector<Channel>& route, std::int64_t flits) {
  for (const Channel& channel : route) {
    flits_[index(channel.node) * ports_ + index(channel.port)] += static_cast<std::uint64_t>(flits);
  }
}

ChannelLoad ChannelCounter::load(Cycle cycles) const {
  const auto most = std::max_element(flits_.begin(), flits_.end());
  const auto at = static_cast<std::size_t>(most - flits_.begin());
  const auto total = std::accumulate(flits_.begin(), flits_.end(), std::uint64_t{0});
  const auto channels = static_cast<double>(routing_.topology().channels().size());
  ChannelLoad load;
  load.cycles = cycles;
  load.flits = flits_;
  load.busiest = {node_id(at / ports_), port_id(at % ports_)};
  load.max = static_cast<double>(*most) / static_cast<double>(cycles);
  load.mean = static_cast<double>(total) / (channels * static_cast<double>(cycles));
  return load;
}

}  // namespace allport
