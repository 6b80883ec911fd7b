// SPDX-License-Identifier: Apache-2.0
// These random destination sets are portable: any program that follows this draws exactly the same
// sets.
// One SplitMix64 per set size m, seeded with seed*1000003 + m, serves all trials; each set is a
// partial Fisher-Yates over the fresh array [1, 2, .., population].
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rtl_model/base/split_mix.h"

namespace allport {

/// Sets of `size` out of the numbers 1 .. population, each a partial Fisher-Yates over the fresh
/// array [1, 2, .., population].
class SetSampler {
 public:
  /// 1 <= size <= population, else std::invalid_argument.
  SetSampler(std::size_t population, std::size_t size);

  /// The set that `generator` draws, in the order drawn.
  const std::vector<std::uint32_t>& draw(SplitMix64& generator);

 private:
  std::vector<std::uint32_t> array_;
  std::vector<std::size_t> swaps_;  // undone before the next set, so that its array is fresh
  std::vector<std::uint32_t> set_;
};

class DestinationSampler {
 public:
  /// Sets of `size` out of the numbers 1 .. population (population = nodes - 1);
  /// 1 <= size <= population, else std::invalid_argument.
  DestinationSampler(std::size_t population, std::size_t size, std::uint64_t seed);

  /// The next set, relative to the source, in the order drawn.
  const std::vector<std::uint32_t>& next() { return sets_.draw(generator_); }

 private:
  SplitMix64 generator_;
  SetSampler sets_;
};

}  // namespace allport
