// SPDX-License-Identifier: Apache-2.0
#include "testbench/observe/monitors/channel_load.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace allport {

ChannelLoad channel_load(const Topology& topology, const std::vector<std::uint64_t>& flits,
                         Cycle cycles) {
  const auto most = std::max_element(flits.begin(), flits.end());
  const auto at = static_cast<std::size_t>(most - flits.begin());
  const auto total = std::accumulate(flits.begin(), flits.end(), std::uint64_t{0});
  const auto channels = static_cast<double>(topology.channels().size());
  const std::size_t ports = topology.port_count();
  ChannelLoad load;
  load.cycles = cycles;
  load.flits = flits;
  load.busiest = {node_id(at / ports), port_id(at % ports)};
  load.max = static_cast<double>(*most) / static_cast<double>(cycles);
  load.mean = static_cast<double>(total) / (channels * static_cast<double>(cycles));
  return load;
}

}  // namespace allport
