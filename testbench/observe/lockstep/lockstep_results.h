// SPDX-License-Identifier: Apache-2.0
// These are the results of a run in lockstep, in words and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testbench/observe/lockstep/difference.h"
#include "testbench/results/json.h"

namespace allport {

struct LockstepResults {
  std::vector<NodeId> nodes;             ///< nodes whose routers are RTL beside SystemC
  std::uint64_t compared_cycles = 0;     ///< router-cycles compared
  std::optional<Difference> difference;  ///< the first difference; none: the twins agree
  std::string wave;                      ///< file that shows the difference; empty: there is none
};

std::string flit_in_words(const Flit& flit);
/// One sentence with cycle, node, port, VC, field and both values.
std::string in_words(const Difference& difference);

Json lockstep_json(const LockstepResults& lockstep);

}  // namespace allport
