// SPDX-License-Identifier: Apache-2.0
// step_statistics() says how many steps algorithms need: the mean of the largest step over random
// destination sets, or over all sets, of each size [Robinson93, fig. 9].
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "traffic/algorithms/algorithms.h"

namespace allport {

struct StepRequest {
  const Routing& routing;
  int internal_ports;
  NodeId source;
  std::vector<const Algorithm*> algorithms;
  std::vector<std::size_t> sizes;  ///< numbers of destinations, each 1 .. those that take part - 1
  std::optional<std::size_t> trials;  ///< random sets per size, at least 1; none: all sets
  std::uint64_t seed = 1;             ///< seed of traffic/patterns/sampling.h
  StepRule step_rule = StepRule::naive;
  const std::atomic<bool>* stop =
      nullptr;                    ///< flag that ends the planning once it is set; null: none
  std::vector<NodeId> members{};  ///< nodes that take part, ascending, the source too; empty: all
  /// Makes the schedule; none: plan() does, on the fabric itself.
  std::function<Schedule(const Algorithm&, const Multicast&)> planner{};
};

/// The sets of one size.
struct StepRow {
  std::size_t size = 0;
  std::uint64_t sets = 0;
  std::vector<std::uint64_t> step_sums;  ///< sums of the largest steps, by algorithm
  double mean(std::size_t algorithm) const {
    return static_cast<double>(step_sums[algorithm]) / static_cast<double>(sets);
  }
};

/// Largest number of sets of an exhaustive request, over all its sizes.
constexpr std::uint64_t max_exhaustive_sets = 10'000'000;

/// One row per size, in the order of the request; if the request is stopped, only the rows that are
/// complete. Throws std::invalid_argument for a size or number of trials out of range and for more
/// than max_exhaustive_sets sets, and as plan() does.
std::vector<StepRow> step_statistics(const StepRequest& request);

}  // namespace allport
