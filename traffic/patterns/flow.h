// SPDX-License-Identifier: Apache-2.0
// A Flow is traffic from one node to another, at a rate of its own. A table of flows takes the
// place of a pattern (docs/guide/traffic.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"
#include "rtl_model/base/range.h"
#include "rtl_model/topology/topology.h"

namespace allport {

struct Flow {
  NodeId source{};
  NodeId destination{};
  double rate = 0;                 ///< flits per cycle while it is on, 0 .. flits
  int flits = 1;                   ///< length of its messages
  Cycle from = 0;                  ///< the first cycle in which a message may start
  Cycle to = limits::cycles.high;  ///< the last one
  /// From `from` on it is on for `on` cycles, then off for `off` cycles, and so on; 0 of each: it
  /// is always on.
  Cycle on = 0;
  Cycle off = 0;
  std::size_t line = 0;  ///< of its file; 0: it has none

  /// How many of the cycles before `cycles` it is on.
  Cycle cycles_on(Cycle cycles) const;
  /// The cycle of number `i` of those in which it is on, from 0.
  Cycle cycle_on(Cycle i) const;
};

struct FlowTable {
  std::string name;  ///< of its file
  std::vector<Flow> flows;

  /// `flows.csv:3`, or `flow 2` of a table without a file.
  std::string place_of(std::size_t flow) const;
  /// A number that tells tables apart by what their flows do.
  std::string digest() const;
};

/// One sentence about the first flow of `table` that is not one of `topology`, with its place; or
/// an empty string.
std::string flow_fault(const FlowTable& table, const Topology& topology);

}  // namespace allport
