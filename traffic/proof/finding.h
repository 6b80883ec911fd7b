// SPDX-License-Identifier: Apache-2.0
// A Finding is what one check has to say against a schedule.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rtl_model/base/ids.h"

namespace allport {

/// A pair of messages that share a channel without being ordered; a comes before b by (step, u,
/// order), and messages of several collectives by collective first.
struct PairViolation {
  std::size_t a = 0;  ///< index into Schedule::unicasts, counted on from schedule to schedule
  std::size_t b = 0;
  Channel channel{};  ///< the first channel that they share
};

struct Finding {
  std::size_t violations = 0;
  bool is_truncated = false;         ///< whether there are more that were not counted
  std::vector<std::string> first;    ///< up to ten sentences (all other checks)
  std::vector<PairViolation> pairs;  ///< up to ten, in order (the checks of contention)
  bool ok() const { return violations == 0; }
  void add(const std::string& sentence);
  /// Adds all that `other` found.
  void add(const Finding& other);
};

}  // namespace allport
