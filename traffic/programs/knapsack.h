// SPDX-License-Identifier: Apache-2.0
// This program solves the 0/1 knapsack of [Ranka88] section 4.6. The objects are divided among the
// ranks; each solves its part by dynamic programming, for every capacity up to c, and the parts are
// combined in a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traffic/programs/host_use.h"
#include "traffic/programs/rank.h"

namespace allport {

struct Knapsack {
  Values profits;              ///< p of each object
  Values weights;              ///< w of each object, 1 ..
  std::uint32_t capacity = 0;  ///< c

  /// Profits and weights of 1 .. 20.
  static Knapsack random(std::uint32_t objects, std::uint32_t capacity, std::uint64_t seed);
};

/// The best profit for each capacity 0 .. c, by one processor.
Values best_profits(const Knapsack& problem);

struct KnapsackRun {
  Values best;  ///< for each capacity 0 .. c
  TaskGraph tasks;
  /// By rank: the best profits of its objects, and then of these and those of the ranks that it has
  /// received from, one after another.
  std::vector<std::vector<Values>> parts;
};

/// The objects of a best choice for the whole capacity, rising: each combination of `run` is taken
/// apart again, and each part. No time is counted for it.
std::vector<std::size_t> chosen_objects(const Knapsack& problem, const KnapsackRun& run);

/// What a step of the dynamic programming, and one of combining, takes in microseconds: an addition
/// and a comparison, which counts as an addition.
struct KnapsackTimes {
  double step_us = 2 * 11.2;
};

/// The program on `ranks` ranks, a power of two. A host that gets the results has those of rank 0.
/// Throws std::invalid_argument, one sentence, otherwise.
KnapsackRun run_knapsack(const Knapsack& problem, std::uint32_t ranks, const ProgramCosts& costs,
                         const KnapsackTimes& times, HostUse host = HostUse::none);

}  // namespace allport
