// SPDX-License-Identifier: Apache-2.0
// This names the best of the runs of a comparison, and says whether its margin may be chance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/program/report/comparison_table.h"

namespace allport {

struct Winner {
  std::string best;  ///< the row with the least mean completion or, of one trial, largest latency
  std::string next;  ///< the one behind it; empty: it is the only one
  std::string sentence;  ///< both, with the margin between them and its interval
};

/// The winner among those of `runs` that are complete; none: there is none.
std::optional<Winner> winner_of(const std::vector<ComparedRun>& runs);

}  // namespace allport
