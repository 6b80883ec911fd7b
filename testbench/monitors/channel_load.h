// SPDX-License-Identifier: Apache-2.0
// A ChannelCounter counts how much of the capacity of the external channels unicasts use, per
// message along its path after the run: the path that the routing names, at no cost per flit, or
// the one that was taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/topology/routing.h"
#include "testbench/results/results.h"

namespace allport {

class ChannelCounter {
 public:
  explicit ChannelCounter(const Routing& routing);

  /// Adds `flits` that went from `source` to `destination`, with no tie in the - direction.
  void add(NodeId source, NodeId destination, std::int64_t flits);
  /// Adds `flits` that went along `route`.
  void add(const std::vector<Channel>& route, std::int64_t flits);
  /// The load in flits per cycle, over `cycles` > 0.
  ChannelLoad load(Cycle cycles) const;

 private:
  const Routing& routing_;
  std::size_t ports_;
  std::vector<std::uint64_t> flits_;  // by node, then port
};

}  // namespace allport
