// SPDX-License-Identifier: Apache-2.0
// A Bandwidth has the bandwidths of a collective, as benchmarks of communication libraries report
// them: the algorithm's, which is the size of the data over the time, and the bus bandwidth, which
// is that times the share of the data that the best algorithm must move through each node, so that
// it can be held against the links whatever the number of nodes [NcclTests].
#pragma once

#include <cstddef>

#include "rtl_model/base/ids.h"
#include "traffic/schedule/collective.h"

namespace allport {

struct Bandwidth {  // bytes per cycle
  double algorithm = 0;
  double bus = 0;
};

/// Of `operation` among `nodes` nodes that takes `latency` cycles, 1 or more. `bytes` is the length
/// of the message or vector, or else of one block; the size of the data then is that of a block for
/// each node. A barrier has none: both are 0.
Bandwidth bandwidth(Operation operation, std::size_t nodes, std::size_t bytes, Cycle latency);

}  // namespace allport
